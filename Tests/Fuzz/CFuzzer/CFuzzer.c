// SwiftPM wants one source file in a module of C headers.
#include "CFuzzer.h"
