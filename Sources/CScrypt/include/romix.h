#ifndef DEX_ROMIX_H
#define DEX_ROMIX_H

#include <stdint.h>

/// scryptROMix (RFC 7914, section 5) over one block of 128 * r bytes, as words in host order.
///
/// cost is N, a power of two from 2 to 2^30. The table has 128 * r * N bytes, the scratch
/// 256 * r; both begin at a multiple of 16 bytes. What they hold afterwards is secret.
void dex_romix(uint32_t *block, void *table, void *scratch, uint64_t cost, uint64_t r);

/// The same with what every processor has.
void dex_romix_plain(uint32_t *block, void *table, void *scratch, uint64_t cost, uint64_t r);

#endif
