// Keccak-256 of eight messages at once: a vector has the same lane of each message.
//
// A book's orders are hashed one like the other, and no hash waits for another one. AVX-512 takes
// all eight in one register, AVX2 four. For one message alone AVX-512 helps too, since its 32
// registers hold the whole state.
//
// Source: https://keccak.team/files/Keccak-reference-3.0.pdf, rate 1088, capacity 512.

#include "keccak.h"
#include <string.h>

#if defined(__x86_64__)

enum { rate = 136, rate_lanes = rate / 8 };

typedef uint64_t vector2 __attribute__((vector_size(16)));
typedef uint64_t vector4 __attribute__((vector_size(32)));
typedef uint64_t vector8 __attribute__((vector_size(64)));

static const uint64_t round_constants[24] = {
    0x0000000000000001, 0x0000000000008082, 0x800000000000808a, 0x8000000080008000,
    0x000000000000808b, 0x0000000080000001, 0x8000000080008081, 0x8000000000008009,
    0x000000000000008a, 0x0000000000000088, 0x0000000080008009, 0x000000008000000a,
    0x000000008000808b, 0x800000000000008b, 0x8000000000008089, 0x8000000000008003,
    0x8000000000008002, 0x8000000000000080, 0x000000000000800a, 0x800000008000000a,
    0x8000000080008081, 0x8000000000008080, 0x0000000080000001, 0x8000000080008008,
};

#define ROTATE(x, n) ((x) << (n) | (x) >> (64 - (n)))
#define CHI(a, b, c, d, e, i) \
    s[i] = a ^ (~b & c); \
    s[i + 1] = b ^ (~c & d); \
    s[i + 2] = c ^ (~d & e); \
    s[i + 3] = d ^ (~e & a); \
    s[i + 4] = e ^ (~a & b)

// The steps of KeccakState.permute, for COUNT messages in vectors of the type V.
#define DEFINE_HASH(NAME, V, COUNT, TARGET) \
    __attribute__((target(TARGET))) static void NAME##_permute(V s[25]) { \
        for (int round = 0; round < 24; round++) { \
            V c0 = s[0] ^ s[5] ^ s[10] ^ s[15] ^ s[20]; \
            V c1 = s[1] ^ s[6] ^ s[11] ^ s[16] ^ s[21]; \
            V c2 = s[2] ^ s[7] ^ s[12] ^ s[17] ^ s[22]; \
            V c3 = s[3] ^ s[8] ^ s[13] ^ s[18] ^ s[23]; \
            V c4 = s[4] ^ s[9] ^ s[14] ^ s[19] ^ s[24]; \
            V d0 = c4 ^ ROTATE(c1, 1), d1 = c0 ^ ROTATE(c2, 1), d2 = c1 ^ ROTATE(c3, 1); \
            V d3 = c2 ^ ROTATE(c4, 1), d4 = c3 ^ ROTATE(c0, 1); \
            V b0 = s[0] ^ d0, b1 = ROTATE(s[6] ^ d1, 44), b2 = ROTATE(s[12] ^ d2, 43); \
            V b3 = ROTATE(s[18] ^ d3, 21), b4 = ROTATE(s[24] ^ d4, 14); \
            V b5 = ROTATE(s[3] ^ d3, 28), b6 = ROTATE(s[9] ^ d4, 20), b7 = ROTATE(s[10] ^ d0, 3); \
            V b8 = ROTATE(s[16] ^ d1, 45), b9 = ROTATE(s[22] ^ d2, 61); \
            V b10 = ROTATE(s[1] ^ d1, 1), b11 = ROTATE(s[7] ^ d2, 6); \
            V b12 = ROTATE(s[13] ^ d3, 25), b13 = ROTATE(s[19] ^ d4, 8); \
            V b14 = ROTATE(s[20] ^ d0, 18); \
            V b15 = ROTATE(s[4] ^ d4, 27), b16 = ROTATE(s[5] ^ d0, 36); \
            V b17 = ROTATE(s[11] ^ d1, 10), b18 = ROTATE(s[17] ^ d2, 15); \
            V b19 = ROTATE(s[23] ^ d3, 56); \
            V b20 = ROTATE(s[2] ^ d2, 62), b21 = ROTATE(s[8] ^ d3, 55); \
            V b22 = ROTATE(s[14] ^ d4, 39), b23 = ROTATE(s[15] ^ d0, 41); \
            V b24 = ROTATE(s[21] ^ d1, 2); \
            CHI(b0, b1, b2, b3, b4, 0); \
            CHI(b5, b6, b7, b8, b9, 5); \
            CHI(b10, b11, b12, b13, b14, 10); \
            CHI(b15, b16, b17, b18, b19, 15); \
            CHI(b20, b21, b22, b23, b24, 20); \
            s[0] ^= round_constants[round]; \
        } \
    } \
    /* Blocks are a stride apart. */ \
    __attribute__((target(TARGET))) static void NAME##_absorb( \
        V s[25], const uint8_t *blocks, size_t stride) { \
        for (int lane = 0; lane < rate_lanes; lane++) { \
            V words = {0}; \
            for (int i = 0; i < COUNT; i++) { \
                uint64_t word; \
                memcpy(&word, blocks + i * stride + lane * 8, 8); \
                words[i] = word; \
            } \
            s[lane] ^= words; \
        } \
        NAME##_permute(s); \
    } \
    __attribute__((target(TARGET))) static void NAME( \
        const uint8_t *messages, size_t length, uint64_t *digests) { \
        V s[25]; \
        memset(s, 0, sizeof s); \
        size_t offset = 0; \
        for (; length - offset >= rate; offset += rate) { \
            NAME##_absorb(s, messages + offset, length); \
        } \
        uint8_t last[COUNT][rate]; \
        memset(last, 0, sizeof last); \
        for (int i = 0; i < COUNT; i++) { \
            memcpy(last[i], messages + i * length + offset, length - offset); \
            last[i][length - offset] |= 0x01; \
            last[i][rate - 1] |= 0x80; \
        } \
        NAME##_absorb(s, last[0], rate); \
        for (int i = 0; i < COUNT; i++) { \
            for (int lane = 0; lane < 4; lane++) digests[i * 4 + lane] = s[lane][i]; \
        } \
    }

DEFINE_HASH(hash8, vector8, 8, "avx512f,avx512vl,avx512bw,avx512dq")
DEFINE_HASH(hash4, vector4, 4, "avx2")
// The other half of each vector stays zero until the first round, and is never looked at.
DEFINE_HASH(hash1, vector2, 1, "avx512f,avx512vl")

static bool has_avx512(void) {
    return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl")
        && __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512dq");
}

bool dex_keccak_has_registers(void) {
    return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl");
}

void dex_keccak_one(const uint8_t *message, size_t length, uint64_t digest[4]) {
    hash1(message, length, digest);
}

bool dex_keccak_is_parallel(void) {
    return has_avx512() || __builtin_cpu_supports("avx2");
}

void dex_keccak_eight(const uint8_t *messages, size_t length, uint64_t digests[32]) {
    if (has_avx512()) {
        hash8(messages, length, digests);
    } else {
        hash4(messages, length, digests);
        hash4(messages + 4 * length, length, digests + 16);
    }
}

#else

bool dex_keccak_has_registers(void) { return false; }

void dex_keccak_one(const uint8_t *message, size_t length, uint64_t digest[4]) {}

bool dex_keccak_is_parallel(void) { return false; }

void dex_keccak_eight(const uint8_t *messages, size_t length, uint64_t digests[32]) {}

#endif
