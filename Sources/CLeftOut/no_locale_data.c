#include "CLeftOut.h"

#if defined(__linux__)

#include <stdint.h>

// The header of an ICU data package (ICU's unicode/udata.h, UDataInfo) and a table without entries.
// ICU then reports a missing resource, as it does for any locale that it does not know.
struct data_package {
    uint16_t header_size;
    uint8_t magic[2];
    uint16_t info_size;
    uint16_t reserved;
    uint8_t is_big_endian;
    uint8_t charset;
    uint8_t size_of_code_unit;
    uint8_t reserved_byte;
    uint8_t data_format[4];
    uint8_t format_version[4];
    uint8_t data_version[4];
    uint8_t padding[8];
    uint32_t count;
    uint32_t reserved_word;
    uint32_t no_entries[4];
};

// The linker takes an object of the program before one of a library. The name has the version of ICU:
// with another one this is not used, the data is linked as ever, and LocaleDataTests fails.
const struct data_package icudt76_dat __attribute__((aligned(16))) = {
    .header_size = 32,
    .magic = {0xda, 0x27},
    .info_size = 20,
    .is_big_endian = __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__,
    .size_of_code_unit = 2,
    .data_format = {'T', 'o', 'C', 'P'},
    .format_version = {1},
};

#endif
