// The entry of libFuzzer for programs with a main function of their own.
// Source: https://llvm.org/docs/LibFuzzer.html#using-libfuzzer-as-a-library

#ifndef CFUZZER_H
#define CFUZZER_H

#include <stddef.h>
#include <stdint.h>

int LLVMFuzzerRunDriver(int *argc, char ***argv,
                        int (*callback)(const uint8_t *data, size_t size));

#endif
