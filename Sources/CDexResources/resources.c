#include "CDexResources.h"

// #embed is C23; clang takes it in earlier modes as an extension.
#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char tokens_json[] = {
#embed "../../Resources/tokens.json"
};

static const unsigned char networks_json[] = {
#embed "../../Resources/networks.json"
};

static const unsigned char sandbox_contracts_json[] = {
#embed "../../Resources/sandbox-contracts.json"
};

static const unsigned char openapi_json[] = {
#embed "../../Resources/openapi.json"
};

static const unsigned char openapi_v0_json[] = {
#embed "../../Resources/openapi-v0.json"
};

static const unsigned char openapi_v4_json[] = {
#embed "../../Resources/openapi-v4.json"
};

static const unsigned char relay_page_html[] = {
#embed "../../Resources/relay-page.html"
};

static const unsigned char relay_page_css[] = {
#embed "../../Resources/relay-page.css"
};

static const unsigned char relay_page_book_js[] = {
#embed "../../Resources/relay-page-book.js"
};

static const unsigned char relay_page_js[] = {
#embed "../../Resources/relay-page.js"
};

static const unsigned char provider_js[] = {
#embed "../../Resources/provider.js"
};

static const unsigned char explorer_css[] = {
#embed "../../Resources/explorer.css"
};

static const unsigned char explorer_js[] = {
#embed "../../Resources/explorer.js"
};

static const unsigned char completion_bash[] = {
#embed "../../Resources/completion/dex.bash"
};

static const unsigned char completion_zsh[] = {
#embed "../../Resources/completion/dex.zsh"
};

static const unsigned char completion_fish[] = {
#embed "../../Resources/completion/dex.fish"
};

const unsigned char *dex_resource_tokens_json(void) { return tokens_json; }
size_t dex_resource_tokens_json_size(void) { return sizeof(tokens_json); }
const unsigned char *dex_resource_networks_json(void) { return networks_json; }
size_t dex_resource_networks_json_size(void) { return sizeof(networks_json); }
const unsigned char *dex_resource_sandbox_contracts_json(void) { return sandbox_contracts_json; }
size_t dex_resource_sandbox_contracts_json_size(void) { return sizeof(sandbox_contracts_json); }
const unsigned char *dex_resource_openapi_json(void) { return openapi_json; }
size_t dex_resource_openapi_json_size(void) { return sizeof(openapi_json); }
const unsigned char *dex_resource_openapi_v0_json(void) { return openapi_v0_json; }
size_t dex_resource_openapi_v0_json_size(void) { return sizeof(openapi_v0_json); }
const unsigned char *dex_resource_openapi_v4_json(void) { return openapi_v4_json; }
size_t dex_resource_openapi_v4_json_size(void) { return sizeof(openapi_v4_json); }
const unsigned char *dex_resource_relay_page_html(void) { return relay_page_html; }
size_t dex_resource_relay_page_html_size(void) { return sizeof(relay_page_html); }
const unsigned char *dex_resource_relay_page_css(void) { return relay_page_css; }
size_t dex_resource_relay_page_css_size(void) { return sizeof(relay_page_css); }
const unsigned char *dex_resource_relay_page_book_js(void) { return relay_page_book_js; }
size_t dex_resource_relay_page_book_js_size(void) { return sizeof(relay_page_book_js); }
const unsigned char *dex_resource_relay_page_js(void) { return relay_page_js; }
size_t dex_resource_relay_page_js_size(void) { return sizeof(relay_page_js); }
const unsigned char *dex_resource_provider_js(void) { return provider_js; }
size_t dex_resource_provider_js_size(void) { return sizeof(provider_js); }
const unsigned char *dex_resource_explorer_css(void) { return explorer_css; }
size_t dex_resource_explorer_css_size(void) { return sizeof(explorer_css); }
const unsigned char *dex_resource_explorer_js(void) { return explorer_js; }
size_t dex_resource_explorer_js_size(void) { return sizeof(explorer_js); }
const unsigned char *dex_resource_completion_bash(void) { return completion_bash; }
size_t dex_resource_completion_bash_size(void) { return sizeof(completion_bash); }
const unsigned char *dex_resource_completion_zsh(void) { return completion_zsh; }
size_t dex_resource_completion_zsh_size(void) { return sizeof(completion_zsh); }
const unsigned char *dex_resource_completion_fish(void) { return completion_fish; }
size_t dex_resource_completion_fish_size(void) { return sizeof(completion_fish); }
