//===- LibraryHeaders.cpp - what emitted text needs of others -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "LibraryHeaders.h"
#include "clang/Lex/HeaderSearch.h"
#include "clang/Lex/Preprocessor.h"
#include "llvm/Support/FileSystem.h"

using namespace llvm;

namespace raise {

void LibraryUse::add(StringRef Emitted) {
  Eigen |= Emitted.contains("Eigen::Map<");
  Blas |= Emitted.contains("cblas_");
}

std::string LibraryUse::includes(StringRef End) const {
  std::string Lines;
  if (Eigen)
    Lines += "#include <Eigen/Core>" + End.str();
  if (Blas)
    Lines += "#include <cblas.h>" + End.str();
  return Lines;
}

namespace {

/// Goes over the lines that come before the first declaration.
class Preamble {
public:
  explicit Preamble(StringRef Text) : Whole(Text) {
    size_t At = 0;
    while (At < Text.size()) {
      const size_t End = std::min(Text.find('\n', At), Text.size() - 1) + 1;
      if (!take(Text.slice(At, End).trim(), At, End))
        break;
      At = End;
    }
  }
  bool HasEigen = false, HasBlas = false;
  /// Behind the last include of the standard form, the last of all, the first
  /// comment.
  std::optional<size_t> AfterAngled, AfterInclude;
  size_t AfterComment = 0;

private:
  /// Whether Line, [At, End) of the text, is no code.
  bool take(StringRef Line, size_t At, size_t End) {
    if (InComment) {
      InComment = !Line.contains("*/");
      if (OnlyComments)
        AfterComment = End;
      return true;
    }
    if (Line.empty()) {
      OnlyComments &= AfterComment == 0;
      return true;
    }
    if (Line.starts_with("//") || Line.starts_with("/*")) {
      InComment = Line.starts_with("/*") && !Line.contains("*/");
      if (OnlyComments)
        AfterComment = End;
      return true;
    }
    OnlyComments = false;
    const bool Continued = Whole.slice(At, End).rtrim("\r\n").ends_with("\\");
    if (InDirective || Line.starts_with("#")) {
      if (!InDirective)
        directive(Line.drop_front().ltrim(), End);
      InDirective = Continued;
      return true;
    }
    return false;
  }

  void directive(StringRef Text, size_t End) {
    if (Text.starts_with("if"))
      ++Depth;
    else if (Text.starts_with("endif") && Depth)
      --Depth;
    if (!Text.consume_front("include"))
      return;
    Text = Text.ltrim();
    HasEigen |= Text.starts_with("<Eigen/") && !Depth;
    HasBlas |= Text.contains("cblas") && !Depth;
    if (Depth)
      return;
    AfterInclude = End;
    if (Text.starts_with("<"))
      AfterAngled = End;
  }

  StringRef Whole;
  unsigned Depth = 0;
  bool InComment = false, InDirective = false, OnlyComments = true;
};

} // namespace

std::string withHeaders(StringRef Text, LibraryUse Uses) {
  const Preamble Head(Text);
  Uses.Eigen &= !Head.HasEigen;
  Uses.Blas &= !Head.HasBlas;
  const StringRef End = Text.contains("\r\n") ? "\r\n" : "\n";
  std::string Line = Uses.includes(End);
  if (Line.empty())
    return Text.str();
  size_t At = Head.AfterComment;
  if (Head.AfterAngled)
    At = *Head.AfterAngled;
  else if (Head.AfterInclude)
    At = *Head.AfterInclude;
  else
    Line = (At ? End.str() : "") + Line +
           (Text.drop_front(At).starts_with(End) ? "" : End.str());
  return (Text.take_front(At) + Line + Text.drop_front(At)).str();
}

size_t behindIncludes(StringRef Text) {
  const Preamble Head(Text);
  return Head.AfterInclude.value_or(Head.AfterComment);
}

static bool holdsEigen(StringRef Folder) {
  return !Folder.empty() && sys::fs::exists(Folder + "/Eigen/Core");
}

std::optional<std::string> eigenFolder(clang::Preprocessor &PP,
                                       StringRef Configured) {
  for (const clang::DirectoryLookup &D :
       PP.getHeaderSearchInfo().search_dir_range())
    if (D.isNormalDir() && holdsEigen(D.getName()))
      return "";
  for (StringRef Folder : {Configured, StringRef("/usr/include/eigen3")})
    if (holdsEigen(Folder))
      return Folder.str();
  return std::nullopt;
}

bool findsBlas(clang::Preprocessor &PP) {
  return any_of(PP.getHeaderSearchInfo().search_dir_range(),
                [](const clang::DirectoryLookup &D) {
                  return D.isNormalDir() &&
                         sys::fs::exists(D.getName() + "/cblas.h");
                });
}

} // namespace raise
