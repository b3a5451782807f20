// --function takes names, qualified names, and names with parameter types; the
// configuration includes and excludes.
//
// RUN: %clang_raise explain %s --function=n::zero -- | FileCheck %s --check-prefix=ONE
// RUN: %clang_raise explain %s "--function=zero(float*,int)" -- | FileCheck %s --check-prefix=TYPES
// RUN: %clang_raise explain %s --function=one --function=n::zero -- | FileCheck %s --check-prefix=TWO
// RUN: echo "functions: {include: ['n::*'], exclude: [n::one]}" > %t.yaml
// RUN: %clang_raise explain %s --config=%t.yaml -- | FileCheck %s --check-prefix=CONFIG
namespace n {
void zero(float *x, int n) {
  for (int i = 0; i < n; ++i) // ONE: :[[#@LINE]]:3: remark: raised
    x[i] = 0;                 // TYPES: :[[#@LINE-1]]:3: remark: raised
} // TWO: :[[#@LINE-2]]:3: remark: raised
void zero(double *x, int n) { // CONFIG: :[[#@LINE-3]]:3: remark: raised
  for (int i = 0; i < n; ++i) // ONE: :[[#@LINE]]:3: remark: raised
    x[i] = 0;                 // TYPES-NOT: :[[#@LINE-1]]:
} // TWO: :[[#@LINE-2]]:3: remark: raised
void one(float *x, int n) {
  for (int i = 0; i < n; ++i) // ONE-NOT: :[[#@LINE]]:
    x[i] = 1;                 // TWO: :[[#@LINE-1]]:3: remark: raised
} // CONFIG-NOT: :[[#@LINE-2]]:
} // namespace n
void other(float *x, int n) {
  for (int i = 0; i < n; ++i) // TWO-NOT: :[[#@LINE]]:
    x[i] = 1;                 // CONFIG-NOT: :[[#@LINE-1]]:
}
