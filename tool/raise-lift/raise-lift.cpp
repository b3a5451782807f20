//===- raise-lift.cpp - show how a source is lifted -----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A developer's tool: raise-lift file.cpp -- <compile flags> prints the IR of
// every function that is a candidate, then why anything was not understood.
//
//===----------------------------------------------------------------------===//

#include "raise/Frontend/Lift.h"
#include "raise/Frontend/Notes.h"
#include "raise/Frontend/Parse.h"
#include "raise/IR/Text.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;
using namespace raise;

static void printReason(const Reason &R, raw_ostream &OS) {
  OS << sys::path::filename(R.Loc.File) << ':' << R.Loc.Line << ':'
     << R.Loc.Column << ": " << R.Text << " [" << R.Code << "]\n";
}

/// Prints one function; returns whether its IR is valid.
static bool show(const LiftedFunction &L) {
  bool Valid = true;
  if (L.F) {
    print(outs(), *L.F);
    for (const std::string &Problem : verify(*L.F)) {
      outs() << "INVALID: " << Problem << '\n';
      Valid = false;
    }
  }
  for (const Reason &R : L.Stopped)
    printReason(R, outs());
  return Valid;
}

int main(int Argc, char **Argv) {
  std::string Source;
  clang::tooling::CompileCommand Cmd;
  bool Flags = false;
  LiftSettings Settings;
  Cmd.CommandLine.push_back("clang");
  for (int I = 1; I < Argc; ++I) {
    const StringRef Arg = Argv[I];
    if (Flags)
      Cmd.CommandLine.push_back(Arg.str());
    else if (Arg == "--")
      Flags = true;
    else if (Arg == "--alone")
      Settings.Alone = true;
    else
      Source = Arg.str();
  }
  if (Source.empty()) {
    errs() << "usage: raise-lift [--alone] <source> [-- <compile flags>]\n";
    return 2;
  }
  SmallString<256> Folder;
  (void)sys::fs::current_path(Folder);
  Cmd.Directory = std::string(Folder);
  Cmd.Filename = Source;
  Cmd.CommandLine.push_back(Source);
  const std::string Headers =
      shippedHeaders(Argv[0], reinterpret_cast<void *>(&main));
  std::vector<Reason> Errors;
  ParseCommand Adjusted = adjustCommand(Cmd, Headers);
  if (Settings.Alone)
    addLibraryRules(Adjusted, Headers);
  std::unique_ptr<clang::ASTUnit> Unit = parseSource(Adjusted, Errors);
  for (const Reason &R : Errors)
    printReason(R, errs());
  if (!Unit)
    return 2;
  const SourceNotes Notes(Unit->getASTContext(), Unit->getPreprocessor(),
                          Unit->getSourceManager().getMainFileID(), {}, Errors);
  for (const Reason &R : Errors)
    printReason(R, errs());
  if (!Errors.empty())
    return 2;
  Settings.Notes = &Notes;
  Settings.Macros = &Unit->getPreprocessor();
  bool Valid = true;
  for (const clang::FunctionDecl *FD : findCandidates(Unit->getASTContext()))
    Valid &= show(lift(*FD, Unit->getASTContext(), Settings));
  return Valid ? 0 : 1;
}
