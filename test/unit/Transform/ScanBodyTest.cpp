//===- ScanBodyTest.cpp - the running sums of a loop ----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// Which loops are written by strips, and what is found in them; beside each,
// the nearest that are not.
//
//===----------------------------------------------------------------------===//
#include "ScanBody.h"
#include "raise/IR/Text.h"
#include "raise/IR/Visitor.h"
#include <gtest/gtest.h>

using namespace raise;

namespace {

/// How a loop is to be written.
enum class Form { Strips, OneLink };

/// What is found in a loop over i from 1, with this body: its scans as updates
/// at their statements, and what is loaded before it. Empty: it is left.
std::string scans(const std::string &Body, const std::string &Guard = "",
                  Form As = Form::Strips) {
  const std::string Text =
      "func @f(y: f64* restrict, x: const f64* restrict, z: f64* restrict, "
      "g: f32* restrict, p: f64*, q: const f64*, w: f64* restrict volatile, "
      "k: i32* restrict, n: i32, m: i32) {\n"
      "let s: f64 = 0.0;\nlet t: f64 = 1.0;\nlet h: f32 = 0.0:f32;\n"
      "let c: i32 = 0;\nregion {\n" +
      Guard + "ordered \"a value is handed on\"\nbody {\n" +
      "tensor (i: scan 1 .. n) {\n" + Body + "\n}\n}\n" +
      "original { for (i: i32 = 1; i < n; i += 1) {\n" + Body + "\n}\n}\n}\n}";
  auto Fs = parseIR(Text, "test.rir");
  if (!Fs) {
    ADD_FAILURE() << llvm::toString(Fs.takeError()) << Text;
    return "not read";
  }
  const Region *R = nullptr;
  const TensorOp *T = nullptr;
  forEachStmt(Fs->front()->Body, [&](const StmtRef &S) {
    if (const auto *Found = llvm::dyn_cast<Region>(S.get()))
      R = Found;
    if (const auto *Found = llvm::dyn_cast<TensorOp>(S.get()))
      T = Found;
  });
  ScanBody B(T->Iterators.back(), T->Body, *R);
  if (!B.find() || !(As == Form::Strips ? B.takesStrips() : B.waitsLong()))
    return "";
  std::string Out;
  for (const Scan &S : B.Scans)
    Out += S.Name + " " + spelling(operatorOf(S.Op)).str() + "= " +
           sourceText(S.Value) + " at " + std::to_string(S.At);
  for (const StmtRef &S : B.Before)
    Out += "; " + llvm::cast<Decl>(*S).V->Name + " = " +
           sourceText(llvm::cast<Decl>(*S).Init);
  for (const StmtRef &S : B.Lets)
    Out += "; let " + llvm::cast<Decl>(*S).V->Name;
  for (size_t I = 0; I < B.List.size(); ++I)
    if (B.isEarly(I))
      Out += "; early " + std::to_string(I);
  return Out + (B.ByTerms ? "; by terms" : "");
}

TEST(ScanBody, Inclusive) {
  EXPECT_EQ(scans("s += x[i]; y[i] = s;"), "s += x[i] at 0");
  EXPECT_EQ(scans("s = x[i] + s; y[i] = s;"), "s += x[i] at 0");
  EXPECT_EQ(scans("s *= x[i]; y[i] = 2.0 * s;"), "s *= x[i] at 0");
  EXPECT_EQ(scans("s += x[n - i]; y[n - i] = s;"), "s += x[n - i] at 0");
}

TEST(ScanBody, Exclusive) {
  EXPECT_EQ(scans("y[i] = s; s += x[i];"), "s += x[i] at 1");
  // What is taken off and what is added as one.
  EXPECT_EQ(scans("y[i] = s; s = s - x[i] + 1.0;"), "s -= x[i] - 1.0 at 1");
  EXPECT_EQ(scans("y[i] = s; s = s - x[i] - 1.0;"), "s -= x[i] + 1.0 at 1");
  EXPECT_EQ(scans("y[i] = s; s = s + x[i] - 1.0;"), "s += x[i] - 1.0 at 1");
}

TEST(ScanBody, InMemory) {
  EXPECT_EQ(scans("y[i] = y[i - 1] + x[i];"), "y += x[i] at 0; y_last = y[0]");
  EXPECT_EQ(scans("y[i] += y[i - 1];"), "y += y[i] at 0; y_last = y[0]");
  EXPECT_EQ(scans("y[i] *= y[i - 1];"), "y *= y[i] at 0; y_last = y[0]");
  EXPECT_EQ(scans("y[m + i] = x[i] * y[m + i - 1];"),
            "y *= x[i] at 0; y_last = y[m]");
  EXPECT_EQ(scans("y[n - i] = y[n - i + 1] - x[i];"),
            "y -= x[i] at 0; y_last = y[n]");
  // Not what the iteration before stored.
  EXPECT_EQ(scans("y[i] = y[i - 2] + x[i];"), "");
  EXPECT_EQ(scans("y[2 * i] = y[2 * i - 1] + x[i];"), "");
  EXPECT_EQ(scans("y[2 * i] = y[2 * i - 2] + x[i];"), ""); // far apart
  EXPECT_EQ(scans("y[i * m] = y[i * m - m] + x[i];"), "");
  EXPECT_EQ(scans("y[i] = y[i - 1] / x[i];"), "");
  EXPECT_EQ(scans("y[i] = x[i] - y[i - 1];"), "");
  EXPECT_EQ(scans("y[i] -= y[i - 1];"), ""); // its sign changes
  // A store in between, and memory that others change.
  EXPECT_EQ(scans("y[i] = y[i - 1] + x[i]; y[m] = 0.0;"), "");
  EXPECT_EQ(scans("w[i] = w[i - 1] + x[i];"), "");
}

TEST(ScanBody, OneSumOnly) {
  EXPECT_EQ(scans("s += x[i]; t *= z[i]; y[i] = s + t;"), "");
  EXPECT_EQ(scans("s += x[i]; y[i] = y[i - 1] + z[i];"), "");
  // Two updates of one sum.
  EXPECT_EQ(scans("s += x[i]; s += z[i]; y[i] = s;"), "");
  EXPECT_EQ(scans("s += x[i]; t = s; y[i] = t;"), "");
}

TEST(ScanBody, SumsOfThemselves) {
  EXPECT_EQ(scans("s += s; y[i] = s;"), "");
  EXPECT_EQ(scans("s += s * x[i]; y[i] = s;"), "");
  EXPECT_EQ(scans("s = s * x[i] + s; y[i] = s;"), "");
  EXPECT_EQ(scans("s = s * x[i] + z[i]; y[i] = s;"), "");
  EXPECT_EQ(scans("s = x[i] - s; y[i] = s;"), "");
  EXPECT_EQ(scans("let v: f64 = s * 0.5; s += v; y[i] = s;"), "");
  EXPECT_EQ(scans("s += x[i]; t += s; y[i] = t;"), "");
  EXPECT_EQ(scans("s += y[i - 1]; y[i] = s;"), "");
  EXPECT_EQ(scans("y[i] = y[i - 1] + y[i - 1];"), "");
  EXPECT_EQ(scans("y[i] = y[i - 1] + y[i - 2];"), "");
}

TEST(ScanBody, UnderAConditionItIsNone) {
  EXPECT_EQ(scans("if (x[i] > 0.0) { s += x[i]; } y[i] = s;"), "");
  EXPECT_EQ(scans("s += x[i] > 0.0 ? x[i] : 0.0; y[i] = s;"), "");
  EXPECT_EQ(scans("s = x[i] > 0.0 ? s + x[i] : s; y[i] = s;"), "");
  EXPECT_EQ(scans("s += x[i]; y[i] = s > 1.0 ? 1.0 : s;"), "");
}

TEST(ScanBody, OtherTypes) {
  EXPECT_EQ(scans("h += g[i]; y[i] = cast<f64>(h);"), "h += g[i] at 0");
  // What is added is of a narrower type; sums are not rounded to one.
  EXPECT_EQ(scans("s += icast<f64>(g[i]); y[i] = s;"), "s += g[i] at 0");
  EXPECT_EQ(scans("h = icast<f32>(icast<f64>(h) + x[i]); y[i] = "
                  "cast<f64>(h);"),
            "");
  EXPECT_EQ(scans("g[i] = icast<f32>(icast<f64>(g[i - 1]) + x[i]);"), "");
  // Integers are added faster than they are loaded.
  EXPECT_EQ(scans("c += k[i]; k[i] = c;"), "");
  EXPECT_EQ(scans("k[i] = k[i - 1] + k[i];"), "");
  EXPECT_EQ(scans("s += icast<f64>(k[i]); y[i] = s;"), "s += k[i] at 0");
}

// What a strip sums up it loads ahead of all that it stores.
TEST(ScanBody, LoadsAheadOfStores) {
  EXPECT_EQ(scans("s += y[i]; y[i] = s;"), "s += y[i] at 0");
  EXPECT_EQ(scans("s += y[i + 1]; y[i] = s;"), "s += y[i + 1] at 0");
  EXPECT_EQ(scans("y[i] = s; s += y[i];"), "");
  EXPECT_EQ(scans("let v: f64 = y[i]; s += v; y[i] = s;"),
            "s += v at 1; let v");
  EXPECT_EQ(scans("y[i] = s; let v: f64 = y[i]; s += v;"), "");
  EXPECT_EQ(scans("y[i] = s * x[m]; s += x[i];"), "s += x[i] at 1");
  EXPECT_EQ(scans("y[i] = s; s += y[m];"), "");
}

TEST(ScanBody, PointersThatMayOverlap) {
  EXPECT_EQ(scans("s += q[i]; p[i] = s;"), "");
  EXPECT_EQ(scans("s += q[i]; p[i] = s;",
                  "guard disjoint (p: 1:i64 .. icast<i64>(n), q: 1:i64 .. "
                  "icast<i64>(n)) \"\"\n"),
            "s += q[i] at 0");
  EXPECT_EQ(scans("s += x[i]; p[i] = s;"), "s += x[i] at 0");
}

// What is added takes vectors first, where the sum would wait for each term.
TEST(ScanBody, SeveralTerms) {
  EXPECT_EQ(scans("s = s + x[i] + z[i]; y[i] = s;"), "s += x[i] + z[i] at 0");
  EXPECT_EQ(scans("s = s + x[i] + z[i] * x[i]; y[i] = s;"),
            "s += x[i] + z[i] * x[i] at 0; by terms");
  EXPECT_EQ(scans("y[i] = y[i - 1] + t + x[i] + z[i];"),
            "y += t + x[i] + z[i] at 0; y_last = y[0]; by terms");
  EXPECT_EQ(scans("z[i] += t; y[i] = y[i - 1] + z[i] + x[i];"),
            "y += z[i] + x[i] at 1; y_last = y[0]; early 0; by terms");
  // Before the sum and with it: two arrays of sums.
  EXPECT_EQ(scans("z[i] = s; s = s + t + x[i] + x[i]; y[i] = s;"), "");
}

// Where strips do not pay, or are not there to be had, an iteration waits for
// one operation.
TEST(ScanBody, OneLink) {
  const auto One = [](const std::string &Body) {
    return scans(Body, "", Form::OneLink);
  };
  EXPECT_EQ(One("z[i] = s; s = s + t + x[i] + x[i]; y[i] = s;"),
            "s += t + x[i] + x[i] at 1");
  // By way of what another statement stores.
  EXPECT_EQ(One("z[i] = y[i - 1] + t; y[i] = z[i] + x[i];"),
            "y += t + x[i] at 1; y_last = y[0]");
  // It is no longer there, or its scalar has changed since.
  EXPECT_EQ(One("z[i] = y[i - 1] + t; z[i] = 0.0; y[i] = z[i] + x[i];"), "");
  EXPECT_EQ(One("z[i] = y[i - 1] + t; t += 1.0; y[i] = z[i] + x[i];"), "");
  EXPECT_EQ(One("s += x[i]; y[i] = s;"), ""); // one it is
}

// Strips gain nothing where something else takes the time.
TEST(ScanBody, WhatDoesNotPay) {
  EXPECT_EQ(scans("s += x[i];"), "");
  EXPECT_EQ(scans("s += x[i]; y[i] = s; z[i] = s;"), "");
  EXPECT_EQ(scans("s += x[i]; y[2 * i] = s;"), "");
  EXPECT_EQ(scans("s += x[2 * i]; y[i] = s;"), "");
  EXPECT_EQ(scans("s += x[k[i]]; y[i] = s;"), "");
  EXPECT_EQ(scans("s += x[i] * z[i]; y[i] = s;"), "s += x[i] * z[i] at 0");
  EXPECT_EQ(scans("s += x[i] * z[i] + 1.0; y[i] = s;"), "");
  EXPECT_EQ(scans("s += x[i] / z[i]; y[i] = s;"), "");
}

} // namespace
