//===- Expr.cpp - operators of expressions --------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "raise/IR/Expr.h"
#include "llvm/Support/ErrorHandling.h"

namespace raise {

llvm::StringRef spelling(BinaryOp Op) {
  switch (Op) {
  case BinaryOp::Add:
    return "+";
  case BinaryOp::Sub:
    return "-";
  case BinaryOp::Mul:
    return "*";
  case BinaryOp::Div:
    return "/";
  case BinaryOp::Rem:
    return "%";
  case BinaryOp::Shl:
    return "<<";
  case BinaryOp::Shr:
    return ">>";
  case BinaryOp::And:
    return "&";
  case BinaryOp::Or:
    return "|";
  case BinaryOp::Xor:
    return "^";
  case BinaryOp::LT:
    return "<";
  case BinaryOp::LE:
    return "<=";
  case BinaryOp::GT:
    return ">";
  case BinaryOp::GE:
    return ">=";
  case BinaryOp::EQ:
    return "==";
  case BinaryOp::NE:
    return "!=";
  case BinaryOp::LAnd:
    return "&&";
  case BinaryOp::LOr:
    return "||";
  }
  llvm_unreachable("unknown binary operator");
}

llvm::StringRef spelling(UnaryOp Op) {
  switch (Op) {
  case UnaryOp::Neg:
    return "-";
  case UnaryOp::Not:
    return "!";
  case UnaryOp::BitNot:
    return "~";
  }
  llvm_unreachable("unknown unary operator");
}

bool isComparison(BinaryOp Op) {
  return Op >= BinaryOp::LT && Op <= BinaryOp::NE;
}

BinaryOp mirrored(BinaryOp Op) {
  switch (Op) {
  case BinaryOp::LT:
    return BinaryOp::GT;
  case BinaryOp::LE:
    return BinaryOp::GE;
  case BinaryOp::GT:
    return BinaryOp::LT;
  case BinaryOp::GE:
    return BinaryOp::LE;
  default:
    return Op;
  }
}

} // namespace raise
