#pragma once
#include <curl/curl.h>

// Swift cannot call C functions with variable arguments, so each kind of argument has its own
// function here. The option must be of the kind that the function's name says.

static inline CURLcode dex_curl_set_long(CURL *handle, CURLoption option, long value) {
    return curl_easy_setopt(handle, option, value);
}

static inline CURLcode dex_curl_set_size(CURL *handle, CURLoption option, curl_off_t value) {
    return curl_easy_setopt(handle, option, value);
}

static inline CURLcode dex_curl_set_text(CURL *handle, CURLoption option, const char *value) {
    return curl_easy_setopt(handle, option, value);
}

static inline CURLcode dex_curl_set_pointer(CURL *handle, CURLoption option, void *value) {
    return curl_easy_setopt(handle, option, value);
}

static inline CURLcode dex_curl_set_list(CURL *handle, CURLoption option,
                                         struct curl_slist *value) {
    return curl_easy_setopt(handle, option, value);
}

static inline CURLcode dex_curl_set_write(CURL *handle, CURLoption option,
                                          curl_write_callback value) {
    return curl_easy_setopt(handle, option, value);
}

/// Only http and https, whatever else libcurl was built with.
static inline CURLcode dex_curl_allow_only_http(CURL *handle) {
#if LIBCURL_VERSION_NUM >= 0x075500
    return curl_easy_setopt(handle, CURLOPT_PROTOCOLS_STR, "http,https");
#else
    return curl_easy_setopt(handle, CURLOPT_PROTOCOLS, CURLPROTO_HTTP | CURLPROTO_HTTPS);
#endif
}

/// Does not wait for a name that is being looked up when its transfer is given up.
static inline CURLcode dex_curl_never_wait_for_lookups(CURL *handle) {
#if LIBCURL_VERSION_NUM >= 0x075700
    return curl_easy_setopt(handle, CURLOPT_QUICK_EXIT, 1L);
#else
    (void)handle;
    return CURLE_OK;
#endif
}

static inline CURLcode dex_curl_get_long(CURL *handle, CURLINFO info, long *value) {
    return curl_easy_getinfo(handle, info, value);
}

static inline CURLcode dex_curl_get_size(CURL *handle, CURLINFO info, curl_off_t *value) {
    return curl_easy_getinfo(handle, info, value);
}

static inline CURLMcode dex_curl_multi_set_long(CURLM *multi, CURLMoption option, long value) {
    return curl_multi_setopt(multi, option, value);
}

/// The result of a finished transfer; only for a message of the kind CURLMSG_DONE.
static inline CURLcode dex_curl_result(const CURLMsg *message) {
    return message->data.result;
}
