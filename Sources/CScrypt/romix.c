#include "romix.h"

#include <stddef.h>

// C, because Swift takes vectors of four apart where their words change places.

/// One diagonal of the 4 x 4 words of Salsa20: each step then works on four words at once.
typedef uint32_t diagonal __attribute__((vector_size(16)));

#define INLINE static inline __attribute__((always_inline))
#define TURNED(words, bits) (((words) << (bits)) | ((words) >> (32 - (bits))))
#define BY_ONE(words) __builtin_shufflevector(words, words, 3, 0, 1, 2)
#define BY_TWO(words) __builtin_shufflevector(words, words, 2, 3, 0, 1)
#define BY_THREE(words) __builtin_shufflevector(words, words, 1, 2, 3, 0)

/// Where the words of the diagonals stand among the sixteen.
static const uint8_t places[16] = {0, 5, 10, 15, 4, 9, 14, 3, 8, 13, 2, 7, 12, 1, 6, 11};

/// scryptBlockMix of a block, or of two that are combined by exclusive or.
INLINE void mix_block(const diagonal *source, const diagonal *other, diagonal *target, size_t r) {
    size_t last = 8 * r - 4;
    diagonal a = source[last], b = source[last + 1], c = source[last + 2], d = source[last + 3];
    if (other) {
        a ^= other[last], b ^= other[last + 1], c ^= other[last + 2], d ^= other[last + 3];
    }
    for (size_t index = 0; index < 2 * r; index++) {
        const diagonal *input = source + 4 * index;
        a ^= input[0], b ^= input[1], c ^= input[2], d ^= input[3];
        if (other) {
            const diagonal *second = other + 4 * index;
            a ^= second[0], b ^= second[1], c ^= second[2], d ^= second[3];
        }
        // Salsa20/8: columns, then rows, four times.
        diagonal a0 = a, b0 = b, c0 = c, d0 = d, sum;
        for (int round = 0; round < 4; round++) {
            sum = a + d, b ^= TURNED(sum, 7);
            sum = b + a, c ^= TURNED(sum, 9);
            sum = c + b, d ^= TURNED(sum, 13);
            sum = d + c, a ^= TURNED(sum, 18);
            b = BY_ONE(b), c = BY_TWO(c), d = BY_THREE(d);
            sum = a + b, d ^= TURNED(sum, 7);
            sum = d + a, c ^= TURNED(sum, 9);
            sum = c + d, b ^= TURNED(sum, 13);
            sum = b + c, a ^= TURNED(sum, 18);
            b = BY_THREE(b), c = BY_TWO(c), d = BY_ONE(d);
        }
        a += a0, b += b0, c += c0, d += d0;
        // Even results come first, then the odd ones.
        diagonal *place = target + 4 * ((index & 1) * r + index / 2);
        place[0] = a, place[1] = b, place[2] = c, place[3] = d;
    }
}

INLINE void romix(uint32_t *block, void *table, void *scratch, uint64_t cost, uint64_t r) {
    size_t width = 8 * r;
    diagonal *rows = table, *source = scratch, *target = source + width;
    for (size_t index = 0; index < 4 * width; index++) {
        rows[index / 4][index % 4] = block[index / 16 * 16 + places[index % 16]];
    }
    for (size_t row = 1; row < cost; row++) {
        mix_block(rows + (row - 1) * width, NULL, rows + row * width, r);
    }
    mix_block(rows + (cost - 1) * width, NULL, source, r);
    for (size_t step = 0; step < cost; step++) {
        // N is at most 2^30: of the 64 bits that Integerify takes the low ones decide.
        size_t row = source[width - 4][0] & (cost - 1);
        const diagonal *chosen = rows + row * width;
        // Nothing could know it earlier, and its last line is needed first.
        for (size_t line = 0; line < 2 * r; line++) __builtin_prefetch(chosen + 4 * line);
        mix_block(source, chosen, target, r);
        diagonal *mixed = target;
        target = source;
        source = mixed;
    }
    for (size_t index = 0; index < 4 * width; index++) {
        block[index / 16 * 16 + places[index % 16]] = source[index / 4][index % 4];
    }
}

void dex_romix_plain(uint32_t *block, void *table, void *scratch, uint64_t cost, uint64_t r) {
    romix(block, table, scratch, cost, r);
}

#if defined(__x86_64__)

/// With an instruction that turns four words, where others take three.
__attribute__((target("avx512f,avx512vl")))
static void romix_avx512(uint32_t *block, void *table, void *scratch, uint64_t cost, uint64_t r) {
    romix(block, table, scratch, cost, r);
}

void dex_romix(uint32_t *block, void *table, void *scratch, uint64_t cost, uint64_t r) {
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl")) {
        romix_avx512(block, table, scratch, cost, r);
    } else {
        dex_romix_plain(block, table, scratch, cost, r);
    }
}

#else

void dex_romix(uint32_t *block, void *table, void *scratch, uint64_t cost, uint64_t r) {
    dex_romix_plain(block, table, scratch, cost, r);
}

#endif
