const char *name_of_model(void) { return "springs"; }
