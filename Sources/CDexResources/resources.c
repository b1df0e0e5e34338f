#include "CDexResources.h"

// #embed is C23; clang takes it in earlier modes as an extension.
#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char tokens_json[] = {
#embed "../../Resources/tokens.json"
};

static const unsigned char networks_json[] = {
#embed "../../Resources/networks.json"
};

const unsigned char *dex_resource_tokens_json(void) { return tokens_json; }
size_t dex_resource_tokens_json_size(void) { return sizeof(tokens_json); }
const unsigned char *dex_resource_networks_json(void) { return networks_json; }
size_t dex_resource_networks_json_size(void) { return sizeof(networks_json); }
