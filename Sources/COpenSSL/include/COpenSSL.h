#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// libcrypto of OpenSSL 3, which libcurl uses as well, loaded by the first call of it: neither a
// build nor a command without keys and servers needs it. Its functions are declared here, since
// its ABI stays for all of OpenSSL 3; its headers are not needed.

/// libcrypto's file name, unchanged with its ABI.
#if defined(__APPLE__)
#define DEX_CRYPTO_LIBRARY "libcrypto.3.dylib"
#else
#define DEX_CRYPTO_LIBRARY "libcrypto.so.3"
#endif

/// The hash functions in use; their order is that of the C table.
typedef enum {
    DEX_SHA1 = 0,
    DEX_SHA256 = 1,
    DEX_SHA512 = 2,
    DEX_RIPEMD160 = 3
} dex_crypto_hash;

/// Loads a libcrypto, from any thread and any number of times; true if there is one.
///
/// Call this first. On failure, `problem` points to the dynamic linker's words until this thread
/// loads another library.
bool dex_crypto_load(const char *library, const char **problem);

// The functions below return false if libcrypto refuses: it has no memory, or an administrator's
// settings forbid the function.

/// The hash of `count` bytes: 20, 32 or 64 bytes at `output`.
bool dex_crypto_digest(dex_crypto_hash hash, const void *bytes, size_t count, uint8_t *output);

/// HMAC (RFC 2104) of `count` bytes: 20, 32 or 64 bytes at `output`.
bool dex_crypto_hmac(dex_crypto_hash hash, const void *key, int key_count, const void *bytes,
                     size_t count, uint8_t *output);

/// PBKDF2 (RFC 8018, section 5.2) with HMAC.
bool dex_crypto_pbkdf2(dex_crypto_hash hash, const void *password, int password_count,
                       const void *salt, int salt_count, int rounds, uint8_t *output,
                       int output_count);

/// AES-128 in counter mode, which is its own inverse; the counter is all 16 bytes, big-endian.
bool dex_crypto_aes128_ctr(const uint8_t key[16], const uint8_t counter[16], const void *input,
                           int count, uint8_t *output);

/// Decrypts whole blocks of AES-128 in cipher block chaining mode; padding is not taken off.
bool dex_crypto_aes128_cbc_decrypt(const uint8_t key[16], const uint8_t vector[16],
                                   const void *input, int count, uint8_t *output);

/// base^exponent modulo `modulus`, big-endian, into `modulus_count` bytes; zeros for a modulus of
/// 0 or 1.
bool dex_crypto_modexp(const uint8_t *base, int base_count, const uint8_t *exponent,
                       int exponent_count, const uint8_t *modulus, int modulus_count,
                       uint8_t *output);

/// Whether a signature (r and s, 32 bytes each) of a 32-byte digest fits a key (x and y) of the
/// curve P-256, into `*fits`.
bool dex_crypto_p256_verify(const uint8_t digest[32], const uint8_t signature[64],
                            const uint8_t key[64], bool *fits);
