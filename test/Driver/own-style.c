// A project without a .clang-format: what is written looks like the rest of its
// file, and a comment longer than the lines does not keep it from being broken.
// The folder is none of this project's, whose .clang-format would be found.
// RUN: bash -c 'D=$(mktemp -d) && cp %s $D/own-style.c && %clang_raise rewrite $D/own-style.c -o %t.c -- -O2 -fopenmp; R=$?; rm -rf $D; exit $R'
// RUN: FileCheck %s --match-full-lines --strict-whitespace --input-file=%t.c
// RUN: %clang -O2 -fopenmp -Wall -Wextra -Werror -fsyntax-only %t.c
void scale(float* out, const float* in, const float* by, int rows, int columns)
{
    for (int r = 0; r < rows; r++)
    {
        // a comment of the author's own that is much longer than the lines of a style without a limit of its own
        for (int c = 0; c < columns; c++)
        {
            out[r * columns + c] = by[r] * in[r * columns + c];
        }
    }
}

float sum(const float* in, int n)
{
    float total = 0;
    // another comment of the author's, which stands above the loop and is longer than the lines
    for (int i = 0; i < n; i++)
        total += in[i];
    return total;
}
// CHECK:    // clang-raise: scale:1 {{[0-9a-f]+}}
// CHECK:    {
// CHECK-NEXT:        int apart = 0;
// CHECK:            const unsigned long long in_at = (unsigned long long)in;
// CHECK-NEXT:            const unsigned long long in_end =
// CHECK-NEXT:                in_at + sizeof(*in) * rows * columns;
// CHECK:        if (apart)
// CHECK-NEXT:        {
// CHECK-NEXT:#pragma omp parallel for firstprivate(out, in, by, rows, columns)
// CHECK-NEXT:            for (int r = 0; r < rows; ++r)
// CHECK:    // another comment of the author's, which stands above the loop and is longer than the lines
// CHECK-NEXT:    // clang-raise: sum:1 {{[0-9a-f]+}}
