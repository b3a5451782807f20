//===- LoopObject.h - the object that a loop works on -----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef RAISE_LIB_DRIVER_LOOPOBJECT_H
#define RAISE_LIB_DRIVER_LOOPOBJECT_H

#include "raise/Transform/Outline.h"
#include "raise/Verify/Verify.h"
#include "clang/AST/DeclCXX.h"
#include "llvm/ADT/StringMap.h"
#include <vector>

namespace raise {

/// The object of a member function, as the test of one of its loops makes it:
/// memory of the class's size in which only what the loop uses has a meaning.
/// No constructor runs. Scalar members come in and are compared as those of any
/// structure that a test gives; a pointer that is a member, and a std::vector,
/// is made to lead to the memory that the test gives for its elements.
class LoopObject {
public:
  /// Whether Name is that of the object or of a part of it.
  static bool isPart(llvm::StringRef Name) {
    return Name == "this" || Name.starts_with("this->");
  }

  /// Reads which parts the loop uses, a member function's of FD. False, and
  /// Why, if one cannot be made.
  bool read(const clang::FunctionDecl &FD, const Outlined &O, std::string &Why);

  /// Whether the loop uses the object at all.
  bool isUsed() const { return Class != nullptr; }
  /// Of the scalar members that the loop uses.
  const StructLayout &layout() const { return Layout; }

  /// F, which looks at all scalar members that the loop uses, if only in some
  /// runs: the test gives what is looked at.
  FunctionRef lookingAtAll(const FunctionRef &F) const;

  /// The parameter that brings the part in which the IR calls Name, of elements
  /// (or a number) of the type that Text spells.
  std::string parameter(llvm::StringRef Name, const std::string &Text);

  /// The body of the test's function: makes the object from the parameters and
  /// calls the member function of it that has the parameters Params, gets
  /// Arguments and holds Body.
  std::string call(const std::string &Result, llvm::StringRef Params,
                   llvm::StringRef Arguments, llvm::StringRef Body) const;

private:
  struct Part {
    std::string Path, Elements, Count;
    bool IsVector = false;
  };
  const clang::CXXRecordDecl *Class = nullptr;
  bool Const = false;
  BufferRef Given; ///< the object's own memory; null where nothing looks at it
  std::string Type;
  StructLayout Layout;
  std::vector<Part> Parts;

  Part &part(llvm::StringRef Path);
  bool readClass(const clang::CXXMethodDecl &M, std::string &Why);
  bool readPart(llvm::StringRef Name, std::string &Why);
  bool readFields(const Outlined &O, std::string &Why);
};

} // namespace raise

#endif // RAISE_LIB_DRIVER_LOOPOBJECT_H
