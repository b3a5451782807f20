#pragma once
// Nothing here keeps this header from being included twice in one program.
struct Shape {
  int rows, columns;
};
inline int sizeOf(Shape s) { return s.rows * s.columns; }
