#include "CDexResources.h"

// #embed is C23; clang takes it in earlier modes as an extension.
#pragma clang diagnostic ignored "-Wc23-extensions"

const unsigned char dex_resource_tokens_json[] = {
#embed "../../Resources/tokens.json"
};
const size_t dex_resource_tokens_json_size = sizeof(dex_resource_tokens_json);

const unsigned char dex_resource_networks_json[] = {
#embed "../../Resources/networks.json"
};
const size_t dex_resource_networks_json_size = sizeof(dex_resource_networks_json);
