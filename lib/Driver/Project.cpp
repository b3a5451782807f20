//===- Project.cpp - what belongs to the user's project -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "raise/Driver/Project.h"
#include "raise/Driver/Output.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

using namespace llvm;

namespace raise {

namespace {

/// "" if no folder from From upward is marked.
std::string markedFolder(StringRef From) {
  SmallString<256> Folder(From);
  while (!Folder.empty()) {
    for (StringRef Mark : {".clang-raise", ".git"}) {
      SmallString<256> Path(Folder);
      sys::path::append(Path, Mark);
      if (sys::fs::exists(Path))
        return Folder.str().str();
    }
    if (Folder == sys::path::root_path(Folder))
      break;
    Folder.resize(sys::path::parent_path(Folder).size());
  }
  return "";
}

/// What CMake calls the sources of its build folder; "" if it is none.
std::string cmakeSources(StringRef BuildFolder) {
  SmallString<256> Path(BuildFolder);
  sys::path::append(Path, "CMakeCache.txt");
  Expected<std::string> Text = readWhole(Path);
  if (!Text) {
    consumeError(Text.takeError());
    return "";
  }
  StringRef Rest = *Text;
  while (!Rest.empty()) {
    auto [Line, After] = Rest.split('\n');
    Rest = After;
    if (Line.consume_front("CMAKE_HOME_DIRECTORY:INTERNAL="))
      return Line.rtrim("\r").str();
  }
  return "";
}

} // namespace

std::string resolvedPath(StringRef Path) {
  SmallString<256> Absolute(Path);
  (void)sys::fs::make_absolute(Absolute);
  SmallString<256> Real;
  if (!sys::fs::real_path(Absolute, Real))
    return Real.str().str();
  sys::path::remove_dots(Absolute, /*remove_dot_dot=*/true);
  const StringRef Folder = sys::path::parent_path(Absolute);
  if (Folder.empty() || Folder == Absolute)
    return Absolute.str().str();
  SmallString<256> Below(resolvedPath(Folder));
  sys::path::append(Below, sys::path::filename(Absolute));
  return Below.str().str();
}

std::string projectRoot(const std::optional<std::string> &BuildPath) {
  const std::string Here = resolvedPath(".");
  const std::string Build = BuildPath ? resolvedPath(*BuildPath) : Here;
  for (const std::string &From : {Build, Here})
    if (std::string Marked = markedFolder(From); !Marked.empty())
      return Marked;
  const std::string Sources = cmakeSources(Build);
  return Sources.empty() ? Build : resolvedPath(Sources);
}

bool liesBelow(StringRef Root, StringRef File) {
  const std::string Real = resolvedPath(File);
  StringRef Below = Real;
  return Below.consume_front(Root.rtrim('/')) && Below.starts_with("/");
}

std::string displayPath(StringRef Absolute) {
  SmallString<256> Here;
  if (!sys::fs::current_path(Here)) {
    StringRef Rest = Absolute;
    if (Rest.consume_front(Here) && Rest.consume_front("/"))
      return Rest.str();
  }
  return Absolute.str();
}

} // namespace raise
