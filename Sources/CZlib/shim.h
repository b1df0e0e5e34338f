#pragma once
#include <zlib.h>

// deflateInit2 is a macro, which Swift does not see.
static inline int dex_deflate_gzip_init(z_stream *stream, int level) {
    return deflateInit2(stream, level, Z_DEFLATED, MAX_WBITS + 16, 8, Z_DEFAULT_STRATEGY);
}
