#ifdef MINI_DATASET
#define N 10
#endif
