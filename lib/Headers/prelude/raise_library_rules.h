//===- raise_library_rules.h - what library calls compute ------*- C -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===---------------------------------------------------------------------===//
//
// Sources whose functions are differentiated are parsed with these definitions.
// The call of a function NAME that has no body of its own is read as one of
// raise_rule_NAME, whose parameters are those of NAME: so its derivatives
// follow from its loops, as those of any function do. Nothing is emitted that
// calls them. C and C++; only what the reference says, without its checks of
// arguments: a call that these would reject does nothing.
//
// CBLAS: "Basic Linear Algebra Subprograms Technical Forum Standard", International
// Journal of High Performance Applications and Supercomputing 16 (2002). Arrays
// that are written overlap no others, as there.
//
//===---------------------------------------------------------------------===//
#ifndef RAISE_LIBRARY_RULES_H
#define RAISE_LIBRARY_RULES_H

#pragma clang system_header

#define RAISE_REAL double
#define RAISE_RULE(NAME) raise_rule_cblas_d##NAME
#define RAISE_INDEX_RULE raise_rule_cblas_idamax
#define RAISE_SQRT __builtin_sqrt
#define RAISE_FABS __builtin_fabs
#include "raise_cblas_rules.inc"
#undef RAISE_REAL
#undef RAISE_RULE
#undef RAISE_INDEX_RULE
#undef RAISE_SQRT
#undef RAISE_FABS

#define RAISE_REAL float
#define RAISE_RULE(NAME) raise_rule_cblas_s##NAME
#define RAISE_INDEX_RULE raise_rule_cblas_isamax
#define RAISE_SQRT __builtin_sqrtf
#define RAISE_FABS __builtin_fabsf
#include "raise_cblas_rules.inc"
#undef RAISE_REAL
#undef RAISE_RULE
#undef RAISE_INDEX_RULE
#undef RAISE_SQRT
#undef RAISE_FABS

#endif // RAISE_LIBRARY_RULES_H
