#ifndef C_NO_LOCALE_DATA_H
#define C_NO_LOCALE_DATA_H

/*
 * Linked into a program, this takes the place of ICU's data in Foundation's static library: 34 MB of
 * the names of months, currencies and languages, of which dex prints none. There is nothing to call.
 */

#endif
