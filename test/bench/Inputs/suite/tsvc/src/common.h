/* A corpus of our own in the form of TSVC-2, for the suite. */
#define iterations 100
#define N 64

extern float a[N], b[N];

void dummy(void);
void initialise_arrays(void);
