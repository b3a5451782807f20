#ifdef MINI_DATASET
#define N 10
#endif
#define DATA_PRINTF_MODIFIER "%0.2lf "
