#include "COpenSSL.h"

#include <CLibrary.h>
#include <dlfcn.h>

// OpenSSL's headers are not needed for a build. Where they are, what is declared here is compared
// with them.
#if __has_include(<openssl/evp.h>)
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <openssl/opensslv.h>
#endif

typedef struct evp_md_st EVP_MD;
typedef struct evp_cipher_st EVP_CIPHER;
typedef struct evp_cipher_ctx_st EVP_CIPHER_CTX;
typedef struct ossl_lib_ctx_st OSSL_LIB_CTX;
typedef struct engine_st ENGINE;

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
    X(int, EVP_CipherUpdate, (EVP_CIPHER_CTX *, uint8_t *, int *, const uint8_t *, int))

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
static EVP_MD *hashes[3];

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
