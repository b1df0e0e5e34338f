#pragma once
#include <stddef.h>

// The files of Resources/ as they are, in the binary's read-only data.
const unsigned char *dex_resource_tokens_json(void);
size_t dex_resource_tokens_json_size(void);
const unsigned char *dex_resource_networks_json(void);
size_t dex_resource_networks_json_size(void);
const unsigned char *dex_resource_sandbox_contracts_json(void);
size_t dex_resource_sandbox_contracts_json_size(void);
const unsigned char *dex_resource_openapi_json(void);
size_t dex_resource_openapi_json_size(void);
const unsigned char *dex_resource_openapi_v0_json(void);
size_t dex_resource_openapi_v0_json_size(void);
const unsigned char *dex_resource_openapi_v4_json(void);
size_t dex_resource_openapi_v4_json_size(void);
const unsigned char *dex_resource_relay_page_html(void);
size_t dex_resource_relay_page_html_size(void);
const unsigned char *dex_resource_relay_page_css(void);
size_t dex_resource_relay_page_css_size(void);
const unsigned char *dex_resource_relay_page_book_js(void);
size_t dex_resource_relay_page_book_js_size(void);
const unsigned char *dex_resource_relay_page_js(void);
size_t dex_resource_relay_page_js_size(void);
const unsigned char *dex_resource_provider_js(void);
size_t dex_resource_provider_js_size(void);
const unsigned char *dex_resource_explorer_css(void);
size_t dex_resource_explorer_css_size(void);
const unsigned char *dex_resource_explorer_js(void);
size_t dex_resource_explorer_js_size(void);
const unsigned char *dex_resource_completion_bash(void);
size_t dex_resource_completion_bash_size(void);
const unsigned char *dex_resource_completion_zsh(void);
size_t dex_resource_completion_zsh_size(void);
const unsigned char *dex_resource_completion_fish(void);
size_t dex_resource_completion_fish_size(void);
