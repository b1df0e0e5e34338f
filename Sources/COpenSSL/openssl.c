#include "COpenSSL.h"

#include <CLibrary.h>
#include <dlfcn.h>

// OpenSSL's headers are not needed for a build. Where they are, what is declared here is compared
// with them.
#if __has_include(<openssl/evp.h>)
#define OPENSSL_SUPPRESS_DEPRECATED
#include <openssl/bn.h>
#include <openssl/ec.h>
#include <openssl/ecdsa.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <openssl/opensslv.h>
#endif

typedef struct evp_md_st EVP_MD;
typedef struct evp_cipher_st EVP_CIPHER;
typedef struct evp_cipher_ctx_st EVP_CIPHER_CTX;
typedef struct ossl_lib_ctx_st OSSL_LIB_CTX;
typedef struct engine_st ENGINE;
typedef struct bignum_st BIGNUM;
typedef struct bignum_ctx BN_CTX;
typedef struct ec_key_st EC_KEY;
typedef struct ECDSA_SIG_st ECDSA_SIG;

// Every libcrypto function in use: its result, its name, its parameters.
#define FUNCTIONS(X)                                                                               \
    X(EVP_MD *, EVP_MD_fetch, (OSSL_LIB_CTX *, const char *, const char *))                        \
    X(int, EVP_Digest, (const void *, size_t, uint8_t *, unsigned *, const EVP_MD *, ENGINE *))    \
    X(uint8_t *, HMAC,                                                                             \
      (const EVP_MD *, const void *, int, const uint8_t *, size_t, uint8_t *, unsigned *))         \
    X(int, PKCS5_PBKDF2_HMAC,                                                                      \
      (const char *, int, const uint8_t *, int, int, const EVP_MD *, int, uint8_t *))              \
    X(EVP_CIPHER_CTX *, EVP_CIPHER_CTX_new, (void))                                                \
    X(void, EVP_CIPHER_CTX_free, (EVP_CIPHER_CTX *))                                               \
    X(const EVP_CIPHER *, EVP_aes_128_ctr, (void))                                                 \
    X(const EVP_CIPHER *, EVP_aes_128_cbc, (void))                                                 \
    X(int, EVP_CIPHER_CTX_set_padding, (EVP_CIPHER_CTX *, int))                                    \
    X(int, EVP_CipherInit_ex,                                                                      \
      (EVP_CIPHER_CTX *, const EVP_CIPHER *, ENGINE *, const uint8_t *, const uint8_t *, int))     \
    X(int, EVP_CipherUpdate, (EVP_CIPHER_CTX *, uint8_t *, int *, const uint8_t *, int))           \
    X(BIGNUM *, BN_new, (void))                                                                    \
    X(void, BN_free, (BIGNUM *))                                                                   \
    X(BN_CTX *, BN_CTX_new, (void))                                                                \
    X(void, BN_CTX_free, (BN_CTX *))                                                               \
    X(BIGNUM *, BN_bin2bn, (const uint8_t *, int, BIGNUM *))                                       \
    X(int, BN_bn2binpad, (const BIGNUM *, uint8_t *, int))                                         \
    X(int, BN_num_bits, (const BIGNUM *))                                                          \
    X(int, BN_mod_exp,                                                                             \
      (BIGNUM *, const BIGNUM *, const BIGNUM *, const BIGNUM *, BN_CTX *))                        \
    X(EC_KEY *, EC_KEY_new_by_curve_name, (int))                                                   \
    X(void, EC_KEY_free, (EC_KEY *))                                                               \
    X(int, EC_KEY_set_public_key_affine_coordinates, (EC_KEY *, BIGNUM *, BIGNUM *))               \
    X(ECDSA_SIG *, ECDSA_SIG_new, (void))                                                          \
    X(void, ECDSA_SIG_free, (ECDSA_SIG *))                                                         \
    X(int, ECDSA_SIG_set0, (ECDSA_SIG *, BIGNUM *, BIGNUM *))                                      \
    X(int, ECDSA_do_verify, (const uint8_t *, int, const ECDSA_SIG *, EC_KEY *))

// Headers of OpenSSL 1 have other types; its library is not the one that is loaded.
#if defined(OPENSSL_VERSION_MAJOR) && OPENSSL_VERSION_MAJOR >= 3
#define COMPARE(type, name, parameters)                                                            \
    _Static_assert(__builtin_types_compatible_p(__typeof__(name), type parameters), #name);
FUNCTIONS(COMPARE)
#endif

#define DECLARE(type, name, parameters) type(*name) parameters;
struct functions {
    FUNCTIONS(DECLARE)
};

static struct functions crypto;
// NULL where an administrator's settings forbid one.
static EVP_MD *hashes[4];

// dlsym's object pointer is not a function type in C; POSIX guarantees the conversion.
#define FIND(type, name, parameters)                                                               \
    found.name = (type(*) parameters)dlsym(library, #name);                                        \
    if (!found.name) return false;

static bool find_functions(void *library) {
    struct functions found;
    FUNCTIONS(FIND)
    crypto = found;
    // Once: each call would look its function up by name otherwise.
    hashes[DEX_SHA1] = crypto.EVP_MD_fetch(NULL, "SHA1", NULL);
    hashes[DEX_SHA256] = crypto.EVP_MD_fetch(NULL, "SHA2-256", NULL);
    hashes[DEX_SHA512] = crypto.EVP_MD_fetch(NULL, "SHA2-512", NULL);
    hashes[DEX_RIPEMD160] = crypto.EVP_MD_fetch(NULL, "RIPEMD160", NULL);
    return true;
}

static struct dex_library system_library = {
    .find = find_functions,
    .loading = PTHREAD_MUTEX_INITIALIZER,
};

bool dex_crypto_load(const char *name, const char **problem) {
    return dex_library_load(&system_library, name, problem);
}

bool dex_crypto_digest(dex_crypto_hash hash, const void *bytes, size_t count, uint8_t *output) {
    if (!hashes[hash]) return false;
    return crypto.EVP_Digest(bytes, count, output, NULL, hashes[hash], NULL) == 1;
}

bool dex_crypto_hmac(dex_crypto_hash hash, const void *key, int key_count, const void *bytes,
                     size_t count, uint8_t *output) {
    if (!hashes[hash]) return false;
    unsigned size;
    return crypto.HMAC(hashes[hash], key, key_count, bytes, count, output, &size) != NULL;
}

bool dex_crypto_pbkdf2(dex_crypto_hash hash, const void *password, int password_count,
                       const void *salt, int salt_count, int rounds, uint8_t *output,
                       int output_count) {
    if (!hashes[hash]) return false;
    return crypto.PKCS5_PBKDF2_HMAC(password, password_count, salt, salt_count, rounds,
                                    hashes[hash], output_count, output) == 1;
}

static bool aes128(const EVP_CIPHER *mode, bool encrypts, const uint8_t key[16],
                   const uint8_t vector[16], const void *input, int count, uint8_t *output) {
    EVP_CIPHER_CTX *context = crypto.EVP_CIPHER_CTX_new();
    if (!context) return false;
    int written = 0;
    bool succeeded =
        crypto.EVP_CipherInit_ex(context, mode, NULL, key, vector, encrypts) == 1 &&
        crypto.EVP_CIPHER_CTX_set_padding(context, 0) == 1 &&
        crypto.EVP_CipherUpdate(context, output, &written, input, count) == 1 &&
        written == count;
    crypto.EVP_CIPHER_CTX_free(context);
    return succeeded;
}

bool dex_crypto_aes128_ctr(const uint8_t key[16], const uint8_t counter[16], const void *input,
                           int count, uint8_t *output) {
    return aes128(crypto.EVP_aes_128_ctr(), true, key, counter, input, count, output);
}

bool dex_crypto_aes128_cbc_decrypt(const uint8_t key[16], const uint8_t vector[16],
                                   const void *input, int count, uint8_t *output) {
    return aes128(crypto.EVP_aes_128_cbc(), false, key, vector, input, count, output);
}

bool dex_crypto_modexp(const uint8_t *base, int base_count, const uint8_t *exponent,
                       int exponent_count, const uint8_t *modulus, int modulus_count,
                       uint8_t *output) {
    BIGNUM *b = crypto.BN_bin2bn(base, base_count, NULL);
    BIGNUM *e = crypto.BN_bin2bn(exponent, exponent_count, NULL);
    BIGNUM *m = crypto.BN_bin2bn(modulus, modulus_count, NULL);
    BIGNUM *result = crypto.BN_new();
    BN_CTX *context = crypto.BN_CTX_new();
    bool succeeded = b && e && m && result && context;
    // A new number is zero; OpenSSL takes no modulus of 0.
    if (succeeded && crypto.BN_num_bits(m) > 1)
        succeeded = crypto.BN_mod_exp(result, b, e, m, context) == 1;
    if (succeeded) succeeded = crypto.BN_bn2binpad(result, output, modulus_count) >= 0;
    crypto.BN_CTX_free(context);
    crypto.BN_free(result);
    crypto.BN_free(m);
    crypto.BN_free(e);
    crypto.BN_free(b);
    return succeeded;
}

// NID_X9_62_prime256v1.
static const int p256 = 415;

bool dex_crypto_p256_verify(const uint8_t digest[32], const uint8_t signature[64],
                            const uint8_t key[64], bool *fits) {
    *fits = false;
    EC_KEY *point = crypto.EC_KEY_new_by_curve_name(p256);
    BIGNUM *x = crypto.BN_bin2bn(key, 32, NULL), *y = crypto.BN_bin2bn(key + 32, 32, NULL);
    ECDSA_SIG *parts = crypto.ECDSA_SIG_new();
    BIGNUM *r = crypto.BN_bin2bn(signature, 32, NULL);
    BIGNUM *s = crypto.BN_bin2bn(signature + 32, 32, NULL);
    bool succeeded = point && x && y && parts && r && s;
    if (succeeded && crypto.ECDSA_SIG_set0(parts, r, s) == 1) r = s = NULL;
    // A point that is not on the curve is no key.
    if (succeeded && crypto.EC_KEY_set_public_key_affine_coordinates(point, x, y) == 1)
        *fits = crypto.ECDSA_do_verify(digest, 32, parts, point) == 1;
    crypto.BN_free(r);
    crypto.BN_free(s);
    crypto.ECDSA_SIG_free(parts);
    crypto.BN_free(y);
    crypto.BN_free(x);
    crypto.EC_KEY_free(point);
    return succeeded;
}
