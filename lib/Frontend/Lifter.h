//===- Lifter.h - state of lifting one function -----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Internal to lib/Frontend. One Lifter lifts one function, with what is
// inlined into it. Expressions of the IR have no side effects, so lifting an
// expression may append statements to the current list first; where C leaves
// the order of evaluation open, left to right is taken.
//
// Every member that can fail returns null or false after recording why with
// refuse(); the innermost statement then becomes an Opaque. Inside an inlined
// function nothing becomes Opaque: the failure belongs to the call's statement.
//
//===----------------------------------------------------------------------===//
#ifndef RAISE_LIB_FRONTEND_LIFTER_H
#define RAISE_LIB_FRONTEND_LIFTER_H

#include "LifterTypes.h"

namespace raise::lifting {

class Lifter {
public:
  Lifter(clang::ASTContext &AST, std::vector<const clang::FunctionDecl *> Stack,
         const LiftSettings &Settings)
      : AST(AST), Settings(Settings), CallStack(std::move(Stack)), Memory(AST),
        Scalars(std::make_shared<ScalarFunctions>()) {}
  LiftedFunction run(const clang::FunctionDecl &FD);
  /// Integers that are members of what parameters point to are parameters too
  /// (see mayFixMembers).
  void fixMembers() { FixedMembers = true; }

private:
  friend class LoopLifter;
  clang::ASTContext &AST;
  const LiftSettings Settings;
  std::vector<const clang::FunctionDecl *> CallStack; ///< outermost first
  CalleeFacts Called;
  Prescan Facts{Called};
  FreshMemory Memory;
  llvm::DenseMap<const clang::ValueDecl *, Binding> Bindings;
  std::map<std::pair<const clang::VarDecl *, std::string>, BufferRef> Globals;
  /// Pointers in structures that lie in a buffer.
  std::map<std::pair<const Buffer *, std::string>, BufferRef> Members;
  std::map<std::pair<const Buffer *, std::string>, VarRef> Sizes;
  /// Arrays in all elements of a buffer (Buffer::EachElement).
  std::map<std::pair<const Buffer *, std::string>, BufferRef> InElements;
  BufferRef arrayInElements(const Access &A, clang::QualType T);
  /// Numbers of the objects whose containers are apart (see Buffer::Apart).
  llvm::DenseMap<const void *, unsigned> Wholes;
  /// Externals that an Opaque may change: sizes of containers, members of
  /// structures.
  llvm::SmallPtrSet<const Var *, 4> Unowned;
  Place This; ///< the object of the member function that is lifted
  std::map<std::pair<const clang::VarDecl *, std::string>, VarRef> Externals;
  llvm::DenseMap<const clang::FunctionDecl *, CalleeRef> Callees;
  std::shared_ptr<ScalarFunctions> Scalars;
  std::unique_ptr<NameScope> Names;
  const NameScope *CalledFrom = nullptr; ///< see NameScope::NameScope
  StmtList *Out = nullptr;
  StmtList SharedDecls;
  /// Of tiles: the size of the group that each is a part of; 0 for a block.
  llvm::DenseMap<const clang::ValueDecl *, unsigned> TileParents;
  BufferRef DynamicShared; ///< `extern __shared__ T a[];`, once it is met
  std::vector<LoopFrame> Loops;
  std::vector<InlineFrame> Inlines;
  std::optional<Claim> Pending; ///< for the next `for`
  /// The innermost `omp parallel` around the current statement.
  const clang::OMPExecutableDirective *ParallelRegion = nullptr;
  bool RegionOwnsObjects = false; ///< it declares arrays or pointers
  std::vector<BufferRef> RegionArrays;
  StmtList InTurn; ///< what `critical` and `atomic` guard in a loop
  std::vector<Reason> Stopped;
  Reason Failure;
  bool IsKernel = false, IsDevice = false;
  /// Of the function whose statements are lifted: labels are known in all of
  /// it.
  const clang::Stmt *FunctionBody = nullptr;
  /// Jumps that are as good as a break, or as a continue (see JumpPlan).
  std::set<const clang::Stmt *> BreakJumps, ContinueJumps;
  std::array<VarRef, 6> Launch;  ///< gridDim, blockDim
  std::array<VarRef, 6> Indices; ///< blockIdx, threadIdx
  std::vector<VarRef> Addressed; ///< scalars whose address is taken
  std::vector<VarRef> Escaped;   ///< those whose address an Opaque may keep
  std::vector<std::pair<const clang::ParmVarDecl *, BufferRef>> BufferParams;
  /// Variables that are assigned after their declaration.
  llvm::SmallPtrSet<const Var *, 16> Changing;
  /// References and pointers whose object is found by way of something that may
  /// change: where they were bound, and which stores can change it.
  struct LooseReference {
    const clang::VarDecl *D;
    const StmtList *In;
    size_t Before;
    enum { NoStore, OfBytes, AnyStore } By;
    BufferRef Into;
  };
  std::vector<LooseReference> Loose;
  /// Those of them that something after them did change, perhaps, each with
  /// what it leads into, and what that was, if no store.
  struct Pin {
    BufferRef Into;
    Reason By;
  };
  llvm::DenseMap<const clang::VarDecl *, Pin> Pinned;

  /// Variables of the counted loops around the current statement.
  std::vector<VarRef> Counters;
  /// Variables in scope, innermost last: what a jump may have changed.
  std::vector<VarRef> Visible;
  /// Objects in scope, innermost last, that do something when they end.
  std::vector<const clang::VarDecl *> Ending;
  struct ScopeGuard {
    Lifter &L;
    const size_t Size;
    explicit ScopeGuard(Lifter &L) : L(L), Size(L.Visible.size()) {}
    ~ScopeGuard() { L.Visible.resize(std::min(Size, L.Visible.size())); }
  };

  //===-- Failure
  //----------------------------------------------------------===//
  std::string whereInlined(clang::SourceRange At) const;
  std::nullptr_t refuse(const char *Code, const std::string &Text,
                        clang::SourceRange At);
  std::nullptr_t refuse(const Reason &R);
  bool failed() const { return Failure.isSet(); }
  /// What is undone when a statement turns out to be Opaque or is lifted anew.
  struct Checkpoint {
    size_t Stopped, Shared, Visible, Ending;
  };
  Checkpoint checkpoint() const {
    return {Stopped.size(), SharedDecls.size(), Visible.size(), Ending.size()};
  }
  void rollBack(const Checkpoint &C) {
    Stopped.resize(C.Stopped);
    SharedDecls.resize(C.Shared);
    Visible.resize(std::min(C.Visible, Visible.size()));
    Ending.resize(std::min(C.Ending, Ending.size()));
  }
  void makeOpaque(const clang::Stmt *S, size_t KeepStatements);
  std::vector<VarRef> touchedBy(const clang::Stmt *S);
  std::vector<VarRef> keptBy(const clang::Stmt *S);

  //===-- What a parameter gives besides itself (Implied.cpp)
  //---------------------------------------------------------===//
  /// Parameters that others imply: `v.size()`, `l->w`.
  std::vector<Param> Implied;
  bool FixedMembers = false;
  bool Outermost = false; ///< not for the sake of a call in another function
  bool liftContainerParam(const clang::ParmVarDecl *P, Function &F);
  VarRef impliedSize(const std::string &Name, clang::QualType Elem,
                     const SourceLoc &Loc);
  /// How many elements of this type there may be at most: no object is larger
  /// than the difference of two pointers.
  int64_t mostElements(clang::QualType Elem) const;
  BufferRef impliedContainer(const std::string &Name, clang::QualType T,
                             const SourceLoc &Loc);
  BufferRef impliedPointer(const BufferRef &B);
  BufferRef impliedArray(const std::shared_ptr<Buffer> &B, const Buffer &In);
  std::optional<Place> impliedMember(const Access &A, const Type &Ty);
  bool bindSelf(const clang::CXXMethodDecl &M, Function &F);
  bool addImplied(Function &F);

  //===-- Kernels' parameters of class type (ObjectParams.cpp)
  //---------------------------------------------------------===//
  llvm::SmallPtrSet<const clang::VarDecl *, 2> Objects;
  /// What they imply, and those of that which are variables.
  std::vector<Param> ObjectMembers;
  llvm::SmallPtrSet<const Var *, 8> NamedMembers;
  unsigned OwnMembers = 0; ///< arrays in them
  bool liftObjectParam(const clang::ParmVarDecl *P, Function &F);
  bool changesCopy(const clang::ParmVarDecl *P) const;
  bool copyObjectParam(const clang::ParmVarDecl *P);
  bool mayName(const clang::FieldDecl *Field, clang::SourceRange At);
  bool mayNameAll(clang::QualType T, clang::SourceRange At);
  BufferRef objectBuffer(const clang::VarDecl *Of, const std::string &Path,
                         clang::QualType T, bool IsArray,
                         clang::SourceRange At);
  VarRef objectScalar(const clang::VarDecl *Of, const std::string &Path,
                      const Type &Ty);
  bool addObjectMembers(Function &F);
  Place objectPart(const clang::Expr *E);
  /// Whether V is a member, by its name, of something that nothing changes.
  bool isNamedMember(const Var &V) const {
    return V.Kind == VarKind::External || NamedMembers.contains(&V);
  }

  //===-- Function (Lift.cpp)
  //----------------------------------------------===//
  bool liftParams(const clang::FunctionDecl &FD, Function &F);
  bool liftParam(const clang::ParmVarDecl *P, Function &F);
  bool liftSignature(const clang::FunctionDecl &FD, Function &F);
  bool skipMissing(Function &F);
  void bindThis(const clang::CXXMethodDecl &M);
  void liftWholeBody(const clang::FunctionDecl &FD, StmtList &List);
  void liftBody(const clang::FunctionDecl &FD, Function &F);
  StmtRef wrapKernel(StmtRef Body, Function &F);
  bool checkArithmetic(const clang::FunctionDecl &FD);
  BufferRef paramBuffer(const clang::ParmVarDecl *P, Function &F);
  bool arrayExtents(clang::QualType T, std::vector<ExprRef> &Extents,
                    clang::QualType &Elem, clang::SourceRange At);
  void bindParamBuffer(const clang::ParmVarDecl *P, const BufferRef &B);
  bool elementType(clang::QualType T, Type &Elem);

  //===-- Statements (Stmt.cpp, Decl.cpp, Switch.cpp, Loop.cpp)
  //------------===//
  void emit(StmtRef S) {
    if (const auto *D = llvm::dyn_cast<Decl>(S.get()))
      Visible.push_back(D->V);
    else
      ++Emitted;
    Out->push_back(std::move(S));
  }
  size_t Emitted = 0; ///< how many statements were that may store
  /// Lifts S; false only inside an inlined function.
  bool lift(const clang::Stmt *S);
  bool liftInner(const clang::Stmt *S);
  bool liftStatement(const clang::Stmt *S);
  // Notes in comments (NoteFacts.cpp)
  std::optional<unsigned> noteOffset(clang::SourceLocation L) const;
  bool obeyOff(const clang::Stmt *S);
  bool turnedOff(clang::SourceLocation L, clang::SourceRange Of);
  void stateFacts(unsigned Begin, const clang::Stmt *Loop);
  ExprRef factValue(const NoteTerm &T, const clang::Stmt *Loop);
  ExprRef factVariable(llvm::StringRef Name, const clang::Stmt *Loop);
  bool liftWithFacts(const clang::Stmt *S, const clang::Stmt *Loop);
  bool liftChildren(const clang::CompoundStmt *C, StmtList &List);
  bool liftItems(const std::vector<JumpPlan::Item> &Items, StmtList &List);
  bool liftWay(const JumpPlan::Way &W, StmtList &List);
  bool liftBranch(const JumpPlan::Branch &B, StmtList &List);
  ExprRef caseTest(const ExprRef &Cond,
                   llvm::ArrayRef<const clang::CaseStmt *> Cases);
  /// Lifts S into a list of its own.
  bool liftInto(const clang::Stmt *S, StmtList &List);
  StmtRef liftNested(const clang::Stmt *S);
  // Ends of scopes (Endings.cpp)
  void noteEnding(const clang::VarDecl *D);
  void destroy(size_t Known, const clang::Stmt *S);
  void leaveScope(size_t Known, const clang::Stmt *S);
  bool liftIf(const clang::IfStmt *S);
  bool liftReturn(const clang::ReturnStmt *S);
  bool liftContinue(const clang::Stmt *S);
  bool liftBreak(const clang::Stmt *S);
  bool liftSwitch(const clang::SwitchStmt *S);
  bool liftFor(const clang::ForStmt *S);
  int liftCounted(const clang::ForStmt *S, std::string &Why);
  bool isThere(const ExprRef &E) const;
  bool liftForAsWhile(const clang::ForStmt *S, const std::string &Why,
                      StmtRef AsIf);
  bool liftWhile(const clang::WhileStmt *S);
  bool liftDo(const clang::DoStmt *S);
  bool liftLoopBody(const clang::Stmt *Body, std::function<bool()> Before,
                    StmtList &List);
  bool liftLoopCond(const clang::Expr *Cond, StmtList &Pre, ExprRef &C);
  //===-- OpenMP (OpenMP.cpp)
  //----------------------------------------------===//
  bool liftDirective(const clang::OMPExecutableDirective *D);
  bool liftClaimedLoop(const clang::OMPLoopDirective *D);
  bool liftParallelRegion(const clang::OMPParallelDirective *D);
  bool liftRegionStatement(const clang::Stmt *S);
  bool liftRegionIf(const clang::IfStmt *S);
  bool liftAtomic(const clang::OMPAtomicDirective *D);
  bool readClauses(const clang::OMPExecutableDirective *D,
                   const clang::Stmt *Body, Claim &C);
  bool readReduction(const clang::OMPReductionClause *R, Claim &C);
  void readByClauses(const clang::OMPExecutableDirective *D);
  bool checkShared(const clang::OMPLoopDirective *D, const Claim &C);
  bool checkReductions(const Claim &C, const StmtList &List);
  bool checkCounters(const clang::OMPLoopDirective *D);
  bool checkInTurn(const clang::OMPLoopDirective *D, const StmtList &List);
  bool checkRegionScalars(const clang::OMPLoopDirective *D, const Claim &C,
                          const StmtList &List);
  void declarePrivates(const Claim &C, StmtList &Body);

  //===-- Containers and member functions (Object.cpp)
  //---------------------===//
  struct ContainerName {
    const clang::VarDecl *Of = nullptr; ///< the variable that it is a part of
    BufferRef In;                       ///< or the buffer
    std::string Text;
    clang::QualType Ty;
  };
  bool containerPlace(const clang::Expr *Object, ContainerName &Name);
  unsigned apartness(const ContainerName &Name);
  unsigned groupOf(const void *Whole);
  BufferRef containerData(const clang::Expr *Object);
  ExprRef containerSize(const clang::Expr *Object);
  ExprRef containerValue(const clang::CallExpr *E);
  Pointer containerPointer(const clang::CallExpr *E);
  bool calledObject(const clang::CallExpr *E, Place &Object);
  bool mayEnter(const clang::FunctionDecl *FD, const clang::CallExpr *E);
  ExprRef accessorValue(const clang::FunctionDecl *FD,
                        const clang::CallExpr *E);
  bool expandCall(const clang::CallExpr *E,
                  llvm::function_ref<bool(const clang::Expr *)> In);
  static std::string memberName(const Access &A);
  bool holdsContainer(const Buffer &Object, const Buffer &Elements) const;

  //===-- Loops over elements (Walks.cpp)
  //----------------------------------===//
  bool liftIndexLoop(const clang::Stmt *S, const clang::Stmt *Body,
                     const std::string &Name, ExprRef Lo, BinaryOp Cond,
                     ExprRef Hi, llvm::function_ref<bool(const VarRef &)> Bind);
  bool bindElement(const clang::VarDecl *V, Place At);
  bool liftRangeFor(const clang::CXXForRangeStmt *S);
  Pointer walkEnd(const clang::Expr *E);
  bool bindEnds(const clang::DeclStmt *D, const clang::VarDecl *Walker,
                const Prescan &InBody);
  int liftWalk(const clang::ForStmt *S);

  bool liftDecl(const clang::VarDecl *V, const clang::Stmt *S);
  bool liftDeclInner(const clang::VarDecl *V, const SourceLoc &Loc);
  bool liftScalarDecl(const clang::VarDecl *V, const Type &Ty,
                      const SourceLoc &Loc);
  Place pointee(const clang::Expr *E);
  bool sineAndCosine(llvm::StringRef Name, const clang::CallExpr *E);
  bool bindDynamicShared(const clang::VarDecl *D, clang::SourceRange At);
  bool liftArrayDecl(const clang::VarDecl *V, const SourceLoc &Loc);
  bool liftPointerDecl(const clang::VarDecl *V, const SourceLoc &Loc);
  bool liftReferenceDecl(const clang::VarDecl *V, const SourceLoc &Loc);
  void noteReference(const clang::VarDecl *V, const Place &To);
  bool pinReferences(size_t Known, const StmtList &Scope);
  bool bindReferenceByName(const clang::VarDecl *V);
  bool liftRecordDecl(const clang::VarDecl *V, const SourceLoc &Loc);
  void declareUnknown(const clang::VarDecl *V);
  bool bindByName(const clang::VarDecl *V);
  bool readsNow(const clang::CXXRecordDecl &R) const;
  std::shared_ptr<Buffer> makeNamed(const std::string &Name, clang::QualType T,
                                    PointerHome Home, clang::SourceLocation At);
  BufferRef pointerByName(const clang::VarDecl *Of, const std::string &Name,
                          clang::QualType T, PointerHome Home);
  BufferRef globalPointer(const clang::DeclRefExpr *E);
  bool isMemberArray(const Place &P) const;
  bool makeMemberArray(Place &P, const clang::Expr *E);
  BufferRef heldPointer(const Place &Held, const clang::Expr *E);
  PointerHome memberHome(const clang::VarDecl *D, llvm::StringRef Path) const;
  bool writesMember(const clang::VarDecl *D, llvm::StringRef Path) const;
  std::string calleeName(const clang::CallExpr *C) const;
  bool arrayInit(const clang::Expr *Init, clang::QualType T,
                 std::vector<ExprRef> &Values);
  /// An expression for its effects alone.
  bool liftEffect(const clang::Expr *E);

  //===-- Arrays that the function allocates (OwnArrays.cpp)
  //---------------------------------------------------------===//
  /// What the function has allocated and followed so far.
  llvm::DenseMap<const clang::VarDecl *, BufferRef> Owned;
  bool liftOwnArray(const clang::VarDecl *D, const SourceLoc &Loc);
  BufferRef ownArray(const clang::Expr *Object) const;
  BufferRef ownArrayOf(const clang::VarDecl *D) const;
  bool isGivenOther(const clang::VarDecl *D) const;
  BufferRef declareOwn(const clang::VarDecl *D, clang::QualType Elem,
                       ExprRef Size, bool Zero, const SourceLoc &Loc);
  bool fillOwn(const BufferRef &B, const ExprRef &Value, const SourceLoc &Loc);
  bool copyIntoOwn(const clang::VarDecl *D, const clang::CXXConstructExpr *C,
                   unsigned Args, const SourceLoc &Loc);
  bool liftStdArray(const clang::VarDecl *D, const SourceLoc &Loc);
  bool liftNewArray(const clang::VarDecl *D, const clang::CXXNewExpr *New,
                    const SourceLoc &Loc);
  bool appendOwn(const BufferRef &B, const clang::Expr *E,
                 const SourceLoc &Loc);
  /// 0 if S is no statement that manages such memory, 1 if it was lifted, -1 if
  /// that failed.
  int manageOwn(const clang::Stmt *S);
  /// Containers that the loops around walk over: their first elements stay
  /// what they were when the loop began.
  std::vector<BufferRef> Walked;
  // Arrays that change places (Rotation.cpp); as manageOwn.
  int rotate(const clang::Stmt *S);
  const clang::VarDecl *staysWith(const BufferRef &B, const clang::Stmt *S);
  std::string otherWayInto(const Buffer &B) const;
  //===-- Adjoints of two forms (TwoForms.cpp)
  //---------------------------------------------------------===//
  /// Elements between two pointers into one object; null without a failure if
  /// they are not known to be that.
  ExprRef pointerDistance(const clang::BinaryOperator *E);
  /// Whether Body is one and was lifted.
  bool liftForm(const clang::FunctionDecl &FD, const clang::CompoundStmt *Body);
  bool isAboutForms(const clang::Stmt *S) const;
  bool liftEitherForm(const clang::IfStmt *S);

  //===-- Expressions (Expr.cpp, Constant.cpp)
  //-----------------------------===//
  /// A scalar value.
  ExprRef value(const clang::Expr *E);
  ExprRef valueInner(const clang::Expr *E);

  //===-- bfloat16 and half (SmallFloat.cpp)
  //----------------------------------------------===//
  bool isSmall(clang::QualType T) const {
    return ((Settings.Alone || IsKernel) && isBFloat16(T)) ||
           (IsKernel && !Settings.Alone && isHalf(T));
  }
  Type smallType(clang::QualType T) const;
  ExprRef rounded(const ExprRef &V, clang::QualType T, clang::SourceRange At);
  bool comparesSmall(const clang::CallExpr *C) const;
  ExprRef smallComparison(const clang::CallExpr *C);
  ExprRef smallFrom(const clang::CXXConstructExpr *C);
  ExprRef smallOperation(BinaryOp Op, const clang::Expr *L,
                         const clang::Expr *R, clang::SourceRange At);
  ExprRef smallCall(const clang::CallExpr *C);
  /// Whether C is a function that makes a float of one.
  bool isWidening(const clang::CallExpr *C) const;
  ExprRef smallValue(const clang::Expr *E);
  bool liftSmallDecl(const clang::VarDecl *D, const SourceLoc &Loc);
  bool smallAssign(const clang::CXXOperatorCallExpr *E);
  /// Whether P is one element of memory that holds such.
  static bool isElementOfSmall(const Place &P);
  static ExprRef narrowed(const ExprRef &V, const Type &To);
  /// A value for a test: bool.
  ExprRef condition(const clang::Expr *E);
  std::string nameOfMacro(const clang::Expr *E) const;
  bool meansOneThing(const clang::IdentifierInfo &Known,
                     std::set<const clang::IdentifierInfo *> &Seen) const;
  ExprRef constant(const clang::Expr *E);
  bool accessesEnvironment(const clang::Expr *E) const;
  ExprRef integerConstant(const llvm::APSInt &Value, const Type &Ty,
                          const std::string &Spelling, clang::SourceRange At);
  ExprRef floatConstant(const llvm::APFloat &Value, const Type &Ty,
                        const std::string &Spelling, clang::SourceRange At);
  ExprRef castValue(const clang::CastExpr *E);
  ExprRef binary(const clang::BinaryOperator *E);
  ExprRef logical(const clang::BinaryOperator *E);
  ExprRef pointerComparison(const clang::BinaryOperator *E);
  ExprRef unary(const clang::UnaryOperator *E);
  ExprRef conditional(const clang::AbstractConditionalOperator *E);
  /// Lifts both arms into lists; where one is not empty, an If that sets a
  /// fresh variable replaces the choice.
  ExprRef choose(ExprRef Cond, const std::function<ExprRef()> &True,
                 const std::function<ExprRef()> &False);
  /// L op R with R's statements after L's value.
  bool operands(const std::function<ExprRef()> &L,
                const std::function<ExprRef()> &R, ExprRef &LV, ExprRef &RV);
  ExprRef spill(ExprRef E, llvm::StringRef Name);
  /// Appends Later, which is evaluated after E but before E is used: E moves
  /// into a variable if Later can change its value.
  void appendAfter(ExprRef &E, StmtList Later, llvm::StringRef Name);
  /// The IR's variable for V, known to Changing and Addressed.
  VarRef declare(const clang::VarDecl *V, const Type &Ty,
                 std::string Says = "");
  VarRef fresh(llvm::StringRef Name, const Type &Ty, const SourceLoc &Loc = {},
               std::string Says = "");
  ExprRef declRef(const clang::DeclRefExpr *E);

  //===-- Writes (Assign.cpp)
  //----------------------------------------------===//
  bool assign(const clang::BinaryOperator *E, Place *Written);
  bool compound(const clang::CompoundAssignOperator *E, Place *Written);
  bool increment(const clang::UnaryOperator *E, Place *Written);
  bool assignPointer(const clang::BinaryOperator *E);
  bool beginAnew(const clang::VarDecl *V, const Pointer &To,
                 const clang::BinaryOperator *E);
  bool movePointer(const clang::Expr *Target, bool Forward, ExprRef By,
                   const clang::Expr *E);
  bool write(const Place &To, Combiner Op, ExprRef Value, const SourceLoc &Loc,
             clang::SourceRange At);

  //===-- Places and pointers (Place.cpp, Pointer.cpp)
  //---------------------===//
  Place place(const clang::Expr *E);
  Place placeOf(const clang::DeclRefExpr *E);
  std::string globalName(const clang::VarDecl *V, clang::SourceRange At);
  Place placeOfGlobal(const clang::VarDecl *V, clang::SourceRange At);
  Place subscript(const clang::ArraySubscriptExpr *E);
  Place element(const Pointer &P, ExprRef Index, clang::QualType Ty,
                clang::SourceRange At);
  Place member(const clang::MemberExpr *E);
  ExprRef elementIndex(const clang::CallExpr *E, ContainerOp Op);
  Place calledPlace(const clang::CallExpr *E);
  Place frozenMember(Place P, const std::string &Path,
                     const std::optional<Type> &Ty);
  ExprRef load(const Place &P, clang::SourceRange At);
  /// P with indices that later assignments cannot change.
  bool freeze(Place &P);
  bool isFixed(const ExprRef &E) const;
  Pointer pointer(const clang::Expr *E);
  void refuseBase(const clang::Expr *E);
  std::string intoSeveral(clang::SourceRange At) const;
  Pointer pointerFromCast(const clang::CastExpr *E);
  Pointer pointerArithmetic(const clang::BinaryOperator *E);
  Pointer pointerStep(const clang::UnaryOperator *E);
  Pointer addressOf(const clang::Expr *E);
  Pointer decay(const clang::Expr *E);
  Pointer choosePointer(const clang::AbstractConditionalOperator *E);
  /// To: what it points to; null where that is an element of its base.
  Pointer advance(Pointer P, ExprRef By, bool Forward, clang::QualType To,
                  clang::SourceRange At);
  /// The base of all values of a pointer variable; null (and a failure) if
  /// there are several or it is not known.
  BufferRef commonBase(const clang::VarDecl *V);
  BufferRef commonBase(const clang::VarDecl *V,
                       llvm::ArrayRef<const clang::Expr *> Given);
  /// Whether a statement can make V as good as a new pointer (Prescan::Anew).
  bool mayBeginAnew(const clang::VarDecl *V) const;
  /// The values that V is given from Begin, one of them, until it begins anew;
  /// null: from its declaration.
  std::vector<const clang::Expr *> valuesFrom(const clang::VarDecl *V,
                                              const clang::Expr *Begin) const;
  bool collectBases(const clang::Expr *E,
                    llvm::SmallPtrSetImpl<const clang::VarDecl *> &Seen,
                    BufferRef &Base);
  bool joinBases(BufferRef &Base, const BufferRef &Found, const clang::Expr *E);
  /// The variable whose base is looked for.
  std::string FollowedPointer;
  bool samePointee(clang::QualType A, clang::QualType B);

  //===-- Arrays of scalars as arrays of structures (Views.cpp)
  //---------------------------------------------------------===//
  int64_t stepOf(clang::QualType T, const Buffer &Base) const {
    return isRaw(T, Base) ? 0 : lifting::stepOf(T, Base, AST);
  }
  Place viewedPlace(const clang::CastExpr *E);
  //===-- What memory of the function's own is made of (OwnMemory.cpp)
  //---------------------------------------------------------===//
  /// Arrays that are declared as bytes and used as something else.
  llvm::SmallPtrSet<const Buffer *, 2> Raw;
  void makeFlat(const clang::VarDecl *D, clang::QualType Elem, Buffer &B);
  bool isRaw(clang::QualType T, const Buffer &B) const;
  /// Whether B, an array whose declaration says elements of type T, has others.
  bool isFlat(clang::QualType T, const Buffer &B) const {
    return isRaw(T, B) || (!B.Elem.isVoid() && T->isRecordType() &&
                           B.rank() == 1 && isViewOf(T, B, AST));
  }
  ExprRef elementsInBytes(const ExprRef &Bytes, const Buffer &B) const;
  /// What variables that keep their value were declared with.
  llvm::DenseMap<const Var *, ExprRef> KeptValues;
  void keepValue(const VarRef &V, const ExprRef &Init);
  std::nullptr_t refuseBytes(const Buffer &B, clang::SourceRange At);
  void keepIndices(Place &P);

  //===-- Structures (Record.cpp)
  //------------------------------------------===//
  bool recordValue(const clang::Expr *E, std::vector<ExprRef> &Values);
  bool recordChoice(const clang::ConditionalOperator *C,
                    const std::vector<Member> &Members,
                    std::vector<ExprRef> &Values);
  bool launchExtents(const clang::CXXConstructExpr *C,
                     std::vector<ExprRef> &Values);
  bool recordCall(const clang::CallExpr *E, std::vector<ExprRef> &Values);
  bool partsOf(const Place &P, const std::vector<Member> &Members,
               const clang::Expr *E, std::vector<ExprRef> &Values);
  Place temporary(const clang::MaterializeTemporaryExpr *T);
  bool assignRecord(const clang::Expr *Left, const clang::Expr *Right,
                    const SourceLoc &Loc, clang::SourceRange At,
                    Place *Written);
  bool assignParts(const Place &To, std::vector<ExprRef> &Values,
                   clang::QualType T, const SourceLoc &Loc,
                   clang::SourceRange At);
  bool recordAssign(const Place &To, const clang::Expr *From,
                    const SourceLoc &Loc, clang::SourceRange At);
  std::vector<VarRef> makeParts(llvm::StringRef Name, clang::QualType T,
                                const SourceLoc &Loc);

  //===-- Objects with constructors and with arrays (OwnObjects.cpp)
  //----------------------------------------------------------------===//
  bool mayOwnObject(clang::QualType T) const;
  bool arrayOf(const Place &P, Place &Array) const;
  Place declareObject(llvm::StringRef Name, clang::QualType T,
                      const SourceLoc &Loc);
  bool liftObjectDecl(const clang::VarDecl *D, const SourceLoc &Loc);
  bool buildObject(const clang::Expr *E, const Place &Into);
  bool copyObject(const Place &From, const Place &Into, const clang::Expr *E);
  bool copyArray(const Place &From, const Place &Into, clang::QualType T,
                 const clang::Expr *E);
  bool setArray(const Place &Into, clang::QualType T, const clang::Expr *Init);
  bool setMembers(const clang::InitListExpr *L, const Place &Into);
  bool setMember(const clang::FieldDecl *Field, const clang::Expr *Init,
                 const Place &Into);
  bool assignObject(const Place &To, const clang::Expr *From,
                    clang::SourceRange At);
  bool addValue(std::vector<ExprRef> &Values,
                llvm::function_ref<ExprRef()> Next);
  static std::string temporaryName(const clang::CXXConstructExpr *C);
  bool isMadeHere(const clang::CXXConstructExpr *C) const;
  bool construct(const clang::CXXConstructExpr *C, const Place &Into);
  bool constructedParts(const clang::CXXConstructExpr *C,
                        std::vector<ExprRef> &Values);
  bool bindObject(const clang::ParmVarDecl *P, const clang::Expr *Arg,
                  bool Private, Binding &B);
  bool keepsBorrowed(const clang::FunctionDecl &Body, const StmtList &List,
                     clang::SourceRange At);

  //===-- Objects that are copied as their bytes (ByteCopies.cpp)
  //----------------------------------------------------------------===//
  bool isOnlyCopied(const clang::VarDecl *D) const;
  bool liftBytesDecl(const clang::VarDecl *D);
  const clang::CastExpr *asBytes(const clang::Expr *Pointer) const;
  bool isSeenAsBytes(const clang::Expr *E) const;
  Bytes bytesAt(const clang::CastExpr *Seen, clang::QualType T);
  Bytes bytesOf(const clang::Expr *E);
  bool isCurrent(const Bytes &B, clang::SourceRange At);
  bool storeBytes(const clang::Expr *To, const clang::Expr *From);
  bool storeBytes(llvm::function_ref<Bytes()> To, const clang::Expr *From);
  Bytes bytesReached(const clang::Expr *E);
  bool copyElements(const Bytes &From, const Bytes &To, clang::SourceRange At);
  Bytes elementsAt(const clang::Expr *Address, int64_t Size);
  int copyBytes(const clang::FunctionDecl *FD, const clang::CallExpr *E);

  //===-- CUDA's runtime in host functions (CudaRuntime.cpp)
  //---------------------------------------------------------------===//
  /// Pointers that a call of the runtime gives memory, with the list of
  /// statements that they are declared in.
  llvm::DenseMap<const clang::VarDecl *, StmtList *> Awaited;
  bool awaitMemory(const clang::VarDecl *D);
  bool allocate(const clang::CallExpr *E);
  int runtimeCall(const clang::FunctionDecl *FD, const clang::CallExpr *E);
  ExprRef errorValue(const clang::Expr *E);
  bool liftErrorCode(const clang::VarDecl *D);
  ExprRef withoutErrorTests(const clang::Expr *E, const ExprRef &Cond);

  //===-- Launches in host functions (Launch.cpp)
  //---------------------------------------------------------------===//
  /// What is lifted is the body of a kernel, in place of a launch of it.
  bool IsLaunched = false;
  bool liftLaunch(const clang::CUDAKernelCallExpr *E);
  bool launchShape(const clang::CallExpr *Config);
  bool ownParams(const clang::FunctionDecl &Body, StmtList &List);
  StmtRef threadLoops(StmtRef Body, const SourceLoc &Loc);
  std::array<VarRef, 6> threadIndices(const SourceLoc &Loc);

  //===-- Calls (Call.cpp, Inline.cpp, Cuda.cpp)
  //---------------------------===//
  ExprRef call(const clang::CallExpr *E);
  bool callEffect(const clang::CallExpr *E);
  /// What an assert() of a kernel does where it fails, as a statement of its
  /// own: what it asserts of the launch is tested before (withoutAsserts).
  bool liftAssert(const clang::Expr *E);
  std::string describeAssert(const clang::CallExpr *C) const;
  Reason whyUnknown(const clang::FunctionDecl *FD, clang::SourceRange At) const;
  bool knowsCaptures(const clang::CXXMethodDecl *M,
                     const clang::CallExpr *E) const;
  const clang::FunctionDecl *target(const clang::CallExpr *E);
  ExprRef mathCall(const clang::FunctionDecl *FD, const clang::CallExpr *E);
  ExprRef classification(const clang::FunctionDecl *FD,
                         const clang::CallExpr *E);
  bool isExtremum(const clang::CallExpr *E) const;
  ExprRef extremum(const clang::FunctionDecl *FD, const clang::CallExpr *E);
  bool arguments(const clang::CallExpr *E, const std::vector<Type> &Params,
                 std::vector<ExprRef> &Args);
  // Callees that only compute on scalars (PureFunctions.cpp).
  CalleeRef pureCallee(const clang::FunctionDecl *FD);
  bool hasScalarSignature(const clang::FunctionDecl &FD) const;
  FunctionRef pureBody(const clang::FunctionDecl &Body);
  void liftScalars(const clang::FunctionDecl &FD,
                   const clang::FunctionDecl &Body);
  CalleeRef scalarCallee(const clang::FunctionDecl &FD,
                         const std::string &Name);
  CalleeRef calleeByRule(const clang::FunctionDecl *FD);

  // Calls that copy or fill blocks of elements (MemoryBlocks.cpp).
  struct MemoryBlock;
  /// 0 if the call is none, 1 if it was lifted, -1 if refused.
  int blockCall(const clang::FunctionDecl *FD, const clang::CallExpr *E);
  /// std::accumulate and std::inner_product; null without a failure for others.
  ExprRef foldCall(const clang::FunctionDecl *FD, const clang::CallExpr *E);
  bool blockOfArray(const Place &At, MemoryBlock &B);
  bool blockOfObject(const clang::Expr *Object, MemoryBlock &B);
  bool memoryBlock(const clang::Expr *E, MemoryBlock &B);
  ExprRef elementsIn(const clang::Expr *E, uint64_t Size);
  ExprRef blockCount(const clang::Expr *Bytes, const MemoryBlock &To,
                     const MemoryBlock *From);
  ExprRef blockLength(const MemoryBlock &From, const clang::Expr *End);
  bool checkElements(const MemoryBlock &To, const MemoryBlock *From,
                     bool ByBytes, clang::SourceRange At);
  Access blockElement(const MemoryBlock &B, llvm::ArrayRef<VarRef> Index,
                      llvm::ArrayRef<uint64_t> Shape);
  void writeElement(const MemoryBlock &Block, Access To,
                    const MemoryBlock *From, Access Read, const ExprRef &Value,
                    const SourceLoc &Loc);
  void loopOver(const ExprRef &Count, llvm::ArrayRef<uint64_t> Shape,
                bool Forward, const SourceLoc &Loc,
                llvm::function_ref<void(llvm::ArrayRef<VarRef>)> Body,
                char First = 'i');
  bool moveElements(const MemoryBlock &To, const MemoryBlock &From,
                    const ExprRef &Count, const SourceLoc &Loc);
  bool writeBlock(const MemoryBlock &To, const MemoryBlock *From,
                  const ExprRef &Value, ExprRef Count, bool MayOverlap,
                  const clang::CallExpr *E);
  static bool staysInRow(const MemoryBlock &B, const IntConst *Count);
  bool writeObject(const MemoryBlock &To, const MemoryBlock *From,
                   const ExprRef &Value, const SourceLoc &Loc,
                   clang::SourceRange Range);

  // Calls of functions that are declared pure (PureCall.cpp).
  bool isDeclaredPure(const clang::FunctionDecl *FD) const;
  bool hasAddressedScalars() const;
  bool pureArgument(clang::QualType Param, const clang::Expr *Arg,
                    PureCall::Argument &A);
  /// Null without a failure if FD is no such function.
  ExprRef pureCall(const clang::FunctionDecl *FD, const clang::CallExpr *E);
  /// Writes numbers for the names that a library's rule has for them.
  void specialise(StmtList &List) const;
  /// Into, AsBytes: where the result goes, if it is an object of those kinds.
  bool inlineCall(const clang::FunctionDecl *FD, const clang::CallExpr *E,
                  std::vector<VarRef> &Results, const Place *Into = nullptr,
                  Bytes *AsBytes = nullptr);
  bool bindArguments(const clang::FunctionDecl &Body,
                     llvm::ArrayRef<const clang::Expr *> Args, bool Private);
  /// First: what is lifted before the body's statements.
  bool liftInlined(const clang::FunctionDecl *FD, const InlineFrame &Frame,
                   StmtList &List, llvm::function_ref<bool()> First = nullptr);
  bool isKnownNull(const clang::Expr *E) const;
  bool bindArgument(const clang::ParmVarDecl *P, const clang::Expr *Arg,
                    bool Private, Binding &B);
  /// Dims.x, .y, .z of threadIdx and its kin; null if E is none (no failure).
  ExprRef launchIndex(const clang::Expr *E);
  /// 0 if the call is no CUDA statement, 1 if it was lifted, -1 if refused.
  int cudaStatement(const clang::FunctionDecl *FD, const clang::CallExpr *E);
  bool cachedStore(const clang::CallExpr *E);
  bool atomicStatement(Combiner Op, const clang::CallExpr *E);
  // Operations of warps, and groups of threads (Warp.cpp).
  ExprRef threadRank() const;
  ExprRef lane() const;
  ExprRef rankValue(llvm::StringRef Name, unsigned Size,
                    const clang::CallExpr *E);
  std::optional<unsigned> tileParent(const clang::Expr *E) const;
  void bindThreadGroup(const clang::VarDecl *D, const clang::Expr *Init);
  void warpBarrier(const SourceLoc &Loc);
  BufferRef exchange(const ExprRef &V, std::string Name, const SourceLoc &Loc);
  ExprRef warpReduction(const ExprRef &V, Combiner Op, unsigned Size,
                        std::string Name, const SourceLoc &Loc);
  ExprRef warpVote(llvm::StringRef Name, const clang::Expr *Predicate,
                   unsigned Size, const SourceLoc &Loc);
  ExprRef shuffle(llvm::StringRef Kind, const clang::Expr *Value,
                  const clang::Expr *By, int64_t Width,
                  const clang::CallExpr *E);
  bool mayExchange(const clang::CallExpr *E);
  ExprRef warpValue(const clang::FunctionDecl *FD, const clang::CallExpr *E);
  int waitStatement(const clang::FunctionDecl *FD, const clang::CallExpr *E);
  ExprRef deviceMath(const clang::FunctionDecl *FD, const clang::CallExpr *E);
  ExprRef hostValue(const clang::FunctionDecl *FD, const clang::CallExpr *E);
  ExprRef cudaValue(const clang::FunctionDecl *FD, const clang::CallExpr *E);
};

/// Whether T is a group of threads of a block that its type tells: a block, or
/// a tile of it.
bool isThreadGroup(clang::QualType T);

/// The body that runs when FD is called, or one that does the same (see
/// addLibraryRules); null if it is not in this file, or if the linker may take
/// another one.
const clang::FunctionDecl *knownBody(const clang::FunctionDecl *FD);
/// Whether Body is one of addLibraryRules.
bool isLibraryRule(const clang::FunctionDecl &Body);

/// Rewrites a list with Return statements (without values) to structured code
/// that falls out at its end instead.
void removeReturns(StmtList &List);

/// Whether what B is named by may lead to V, if V's address is kept: see
/// alias().
bool mayReachVariable(const Buffer &B, const Var &V);

/// Body, where each loop that works on one of the variables, whose addresses
/// are kept, and on memory that a pointer of unknown value leads to, holds an
/// Opaque: the two may be the same.
StmtRef markEscapes(const StmtRef &Body, llvm::ArrayRef<VarRef> Escaped);

/// Whether F, a lifted function, reads integers that are members of what its
/// parameters point to, and nothing in it may change them: then they are what
/// they were when it was called.
bool mayFixMembers(const Function &F);

bool isConstant(const ExprRef &E);
/// Whether FD is an instantiation of a kernel's template.
bool isKernelInstance(const clang::FunctionDecl &FD);

} // namespace raise::lifting

#endif // RAISE_LIB_FRONTEND_LIFTER_H
