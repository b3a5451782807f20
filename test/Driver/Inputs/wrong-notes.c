// What notes-wrong.test finds in each.
int global;
float good(float x) { return x * x; }
struct pair {
  int a;
};

// CHECK: wrong.c:[[#@LINE+2]]:19: error: unknown note 'asume'; did you mean 'assume'? [CR0202]
void word(float *p, int n) {
  // clang-raise: asume(n > 0)
  for (int i = 0; i < n; i++)
    p[i] = 0;
}
// CHECK: wrong.c:[[#@LINE+2]]:30: error: a name or a whole number is expected before ')' [CR0202]
void unreadable(float *p, int n) {
  // clang-raise: assume(n > )
  for (int i = 0; i < n; i++)
    p[i] = 0;
}
// CHECK: wrong.c:[[#@LINE+2]]:26: error: 'coumt' is neither a parameter, a local variable nor a constant that the loop sees; did you mean 'count'? [CR0202]
void unknown(float *p, int count) {
  // clang-raise: assume(coumt > 0)
  for (int i = 0; i < count; i++)
    p[i] = 0;
}
// CHECK: wrong.c:[[#@LINE+2]]:26: error: 'global' is neither a parameter, a local variable nor a constant that the loop sees [CR0202]
void outside(float *p, int n) {
  // clang-raise: assume(global > 0)
  for (int i = 0; i < n; i++)
    p[i] = 0;
}
// CHECK: wrong.c:[[#@LINE+2]]:26: error: 'i' is neither a parameter, a local variable nor a constant that the loop sees [CR0202]
void own(float *p, int n) {
  // clang-raise: assume(i > 0)
  for (int i = 0; i < n; i++)
    p[i] = 0;
}
// CHECK: wrong.c:[[#@LINE+2]]:26: error: 'n' may be changed in the loop, on line [[#@LINE+3]], so nothing that is said of it holds throughout [CR0202]
void changed(float *p, int n) {
  // clang-raise: assume(n > 0)
  for (int i = 0; i < n; n--)
    p[i] = 0;
}
// CHECK: wrong.c:[[#@LINE+2]]:26: error: 'i' may be changed in the loop, on line [[#@LINE+3]], so nothing that is said of it holds throughout [CR0202]
void counter(float *p, int n, int i) {
  // clang-raise: assume(i > 0)
  for (i = 0; i < n; i++)
    p[i] = 0;
}
// CHECK: wrong.c:[[#@LINE+2]]:26: error: 'x' is no integer [CR0202]
void real(float *p, int n, float x) {
  // clang-raise: assume(x > 0)
  for (int i = 0; i < n; i++)
    p[i] = x;
}
// CHECK: wrong.c:[[#@LINE+2]]:26: error: only names of variables and whole numbers may stand in a note, and 'q' is followed by '.' [CR0202]
void structure(float *p, int n, struct pair q) {
  // clang-raise: assume(q.a > 0)
  for (int i = 0; i < n; i++)
    p[i] = q.a;
}
// CHECK: wrong.c:[[#@LINE+2]]:28: error: the condition says nothing of any variable [CR0202]
void constant(float *p, int n) {
  // clang-raise: assume(2 > 1)
  for (int i = 0; i < n; i++)
    p[i] = 0;
}
// CHECK: wrong.c:[[#@LINE+2]]:30: error: a division by 0 [CR0202]
void zero(float *p, int n) {
  // clang-raise: assume(n % 0 == 0)
  for (int i = 0; i < n; i++)
    p[i] = 0;
}
// CHECK: wrong.c:[[#@LINE+2]]:26: error: 'n' is no pointer [CR0202]
void pointer(float *p, int n) {
  // clang-raise: extent(n, 4)
  for (int i = 0; i < n; i++)
    p[i] = 0;
}
// CHECK: wrong.c:[[#@LINE+2]]:19: error: 'assume' must stand directly before a loop or the definition of a function [CR0202]
void nowhere(float *p, int n) {
  // clang-raise: assume(n > 0)
  p[0] = n;
}
#define SIZE 8
enum { Size = SIZE, Next };
static const int more = 2 * Next;
// CHECK: wrong.c:[[#@LINE+2]]:30: error: 'more' hangs on a macro, which may have another value under another compile command: write the number [CR0202]
void macro(float *p, int n) {
  // clang-raise: assume(n % more == 0)
  for (int i = 0; i < n; i++)
    p[i] = more;
}
// CHECK: wrong.c:[[#@LINE+2]]:19: error: 'on' without an 'off' before it [CR0202]
void on(float *p, int n) {
  // clang-raise: on
  for (int i = 0; i < n; i++)
    p[i] = 0;
}
// CHECK: wrong.c:[[#@LINE+1]]:24: error: 'm' is neither a parameter of the function nor a constant [CR0202]
// clang-raise: assume(m > 0)
void function(float *p, int n) {
  int m = n;
  for (int i = 0; i < m; i++)
    p[i] = 0;
}
// CHECK: wrong.c:[[#@LINE+1]]:17: error: 'assume' must stand directly before a loop or the definition of a function [CR0202]
// clang-raise: assume(n > 0)
void declared(float *p, int n);
// CHECK: wrong.c:[[#@LINE+1]]:31: error: a note in a preprocessor's line says nothing of the code: move it to a line of its own [CR0202]
#define FOR(i, n) /* in it */ /* clang-raise: off */ for (int i = 0; i < n; i++)
// CHECK: wrong.c:[[#@LINE+2]]:17: error: it is off since line [[#@LINE+1]]: an 'on' is expected before another 'off' [CR0202]
// clang-raise: off
// clang-raise: off
