#include "CLeftOut.h"

#if defined(__linux__)

// static ParsableArguments._validate(parent:) throws, which a debug build of ArgumentParser calls for
// each type of options, at each of several readings of a command line. Package.swift has the linker
// lead its calls here. A Swift function that returns without a value, and leaves the register of its
// error alone, has thrown nothing.
void no_declaration_checks(void)
    __asm__("__wrap_$s14ArgumentParser17ParsableArgumentsPAAE9_validate6parentyAA8InputKeyVSg_tKFZ");

void no_declaration_checks(void) {}

#endif
