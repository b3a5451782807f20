// A warning in one compilation must stop the matrix.
int main() {
  int unused;
}
