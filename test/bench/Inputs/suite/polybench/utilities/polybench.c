/* A corpus of our own in the form of PolyBench, for the suite. */
