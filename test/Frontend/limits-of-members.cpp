// A member of the function's own object, or of what a reference leads to, can be asked for at any time: of several limits
// it may be one.
// RUN: %raise_lift %s -- | FileCheck %s
struct Mesh {
  int Size;
  int *Numbers;
  void whole(float &x, int n);
  void own(int from, int to);
};
// CHECK-LABEL: func @whole
// CHECK: for (i: i32 = 0; i < n < this[0:i64].Size:i32 ? n : this[0:i64].Size:i32; i += 1) {
void Mesh::whole(float &x, int n) {
  float sum = 0;
  for (int i = 0; i < n && i < Size; ++i)
    sum += Numbers[i];
  x = sum;
}
// CHECK-LABEL: func @own
// CHECK: while {{.*}}why "the store to 'this->Numbers[from]' may change 'this->Size' (where the member 'this->Numbers' leads is not followed), which the loop's bound uses"
void Mesh::own(int from, int to) {
  while (from < to && from < Size) {
    Numbers[from] = to;
    from++;
  }
}
// CHECK-LABEL: func @referred
// CHECK: for (i: i32 = 0; i < n < m[0:i64].Size:i32 ? n : m[0:i64].Size:i32; i += 1) {
int referred(const Mesh &m, int n, const int *x) {
  int sum = 0;
  for (int i = 0; i < n && i < m.Size; ++i)
    sum += x[i];
  return sum;
}
// A pointer may be null where n is 0.
// CHECK-LABEL: func @pointed
// CHECK: while {{.*}}a bound of the loop is only looked at while another holds
int pointed(const Mesh *m, int n, const int *x) {
  int sum = 0;
  for (int i = 0; i < n && i < m->Size; ++i)
    sum += x[i];
  return sum;
}
