// What a run-time test is for is said in words that need no compiler's knowledge.
//
// RUN: %clang_raise explain %s --json=%t.json -- -O2 -fopenmp > %t.out
// RUN: FileCheck %s < %t.json
// CHECK: "function": "converted"
// CHECK: "guards": [
// CHECK-NEXT: "u fits an int"
// CHECK-NEXT: ]
void converted(float *restrict y, unsigned u) {
  for (int i = 0; i < (int)u; i++)
    y[i * 2] = 1;
}
// CHECK: "function": "plain"
// CHECK: "guards": []
void plain(float *restrict y, int u) {
  for (int i = 0; i < u; i++)
    y[i * 2] = 1;
}
