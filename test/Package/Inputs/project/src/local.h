#define OFFSET 1.0
