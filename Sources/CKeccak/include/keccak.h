#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// Whether this processor's registers hold the state of one message.
bool dex_keccak_has_registers(void);

/// Keccak-256 of one message; only where dex_keccak_has_registers says so.
///
/// digest: four little-endian lanes.
void dex_keccak_one(const uint8_t *message, size_t length, uint64_t digest[4]);

/// Whether this processor hashes several messages at once faster than one after another.
bool dex_keccak_is_parallel(void);

/// Keccak-256 of eight messages of the same length; only where dex_keccak_is_parallel says so.
///
/// messages: eight times length bytes, one after another.
/// digests: four little-endian lanes a message, one message after another.
void dex_keccak_eight(const uint8_t *messages, size_t length, uint64_t digests[32]);
