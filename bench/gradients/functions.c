/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

   llm.c's functions without its main, for ratios.c. */
#define TESTING
#include LLM_SOURCE
