#pragma once
#include <stddef.h>

extern const unsigned char dex_resource_tokens_json[];
extern const size_t dex_resource_tokens_json_size;
extern const unsigned char dex_resource_networks_json[];
extern const size_t dex_resource_networks_json_size;
