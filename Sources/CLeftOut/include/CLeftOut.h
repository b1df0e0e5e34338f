#ifndef C_LEFT_OUT_H
#define C_LEFT_OUT_H

/*
 * What libraries bring and a program leaves out: linked into it, this takes their place. There is
 * nothing to call.
 *
 * ICU's data in Foundation's static library: 34 MB of the names of months, currencies and languages,
 * of which dex prints none. ArgumentParser's checks of how commands are declared, in a debug build: a
 * third of the processor time of the dex that tests start, though the tests check it once.
 */

#endif
