import CCurl

/// What every connection of libcurl is made with: TLS, certificates, proxies, only http and https.
enum CurlSetup {
    /// Sets the options of a handle's connection.
    static func connection(
        _ handle: UnsafeMutableRawPointer,
        to address: WebAddress,
        _ options: CurlTransport.Options
    ) {
        dex_curl_allow_only_http(handle)
        dex_curl_never_wait_for_lookups(handle)
        dex_curl_set_long(handle, CURLOPT_NOSIGNAL, 1)
        dex_curl_set_long(handle, CURLOPT_FOLLOWLOCATION, 0)
        dex_curl_set_long(handle, CURLOPT_CONNECTTIMEOUT_MS, options.connectTimeout)
        dex_curl_set_long(handle, CURLOPT_TCP_KEEPALIVE, 1)
        dex_curl_set_long(handle, CURLOPT_SUPPRESS_CONNECT_HEADERS, 1)
        if address.scheme == "https" {
            dex_curl_set_long(handle, CURLOPT_SSLVERSION, Int(CURL_SSLVERSION_TLSv1_2))
            certificates(handle, options)
        }
        if address.isLoopback { dex_curl_set_text(handle, CURLOPT_NOPROXY, "*") }
    }

    /// The variables that curl's command line and OpenSSL use; libcurl itself reads none.
    private static func certificates(
        _ handle: UnsafeMutableRawPointer,
        _ options: CurlTransport.Options
    ) {
        let file = options.environment("CURL_CA_BUNDLE") ?? options.environment("SSL_CERT_FILE")
        if let file {
            dex_curl_set_text(handle, CURLOPT_CAINFO, file)
            dex_curl_set_text(handle, CURLOPT_PROXY_CAINFO, file)
        }
        if let directory = options.environment("SSL_CERT_DIR") {
            dex_curl_set_text(handle, CURLOPT_CAPATH, directory)
            dex_curl_set_text(handle, CURLOPT_PROXY_CAPATH, directory)
        }
    }
}
