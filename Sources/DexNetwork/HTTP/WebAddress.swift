import CCurl

/// The parts of an http or https URL, parsed by libcurl so that both always agree.
struct WebAddress: Hashable, Sendable {
    /// `http` or `https`.
    let scheme: String
    /// In lower case; an IPv6 address in brackets.
    let host: String
    /// The port, also if the URL leaves it out.
    let port: Int
    /// The part after `?`, unchanged; nil if there is none.
    let query: String?
    private let showsPort: Bool

    /// The parts of a URL; nil if it is not an absolute http or https URL.
    init?(_ url: String) {
        guard CurlLibrary.isLoaded, !url.utf8.contains(where: { $0 <= 0x20 || $0 == 0x7F }),
            let handle = dex_curl_url()
        else { return nil }
        defer { dex_curl_url_cleanup(handle) }
        guard dex_curl_url_set(handle, CURLUPART_URL, url, 0) == CURLUE_OK,
            let scheme = Self.part(CURLUPART_SCHEME, of: handle)?.lowercased(),
            scheme == "http" || scheme == "https",
            let host = Self.part(CURLUPART_HOST, of: handle), !host.isEmpty,
            let portText = Self.part(CURLUPART_PORT, of: handle, flags: CURLU_DEFAULT_PORT),
            let port = Int(portText)
        else { return nil }
        self.scheme = scheme
        self.host = host.lowercased()
        self.port = port
        query = Self.part(CURLUPART_QUERY, of: handle)
        showsPort = Self.part(CURLUPART_PORT, of: handle) != nil
    }

    /// A proxy from the environment; its scheme is optional and does not matter here.
    init?(proxy: String) {
        var place = proxy[...]
        if let colon = proxy.firstIndex(of: ":"), proxy[colon...].hasPrefix("://") {
            place = proxy[colon...].dropFirst(3)
        }
        self.init("http://\(place)")
    }

    /// Scheme, host and, if written, the port.
    ///
    /// Only these are shown, since user names, passwords, paths and queries can be keys.
    var shown: String { "\(scheme)://\(shownWithoutScheme)" }

    /// The same without the scheme.
    var shownWithoutScheme: String { showsPort ? "\(host):\(port)" : host }

    var server: TransferQueue<CurlJob>.Server {
        TransferQueue.Server(scheme: scheme, host: host, port: port)
    }

    /// The same server: scheme, host and port.
    func isSameServer(as other: WebAddress) -> Bool { server == other.server }

    /// This machine, which a proxy cannot reach for us.
    var isLoopback: Bool {
        host == "localhost" || host == "[::1]" || host == "::1" || Self.isLoopbackNumber(host)
    }

    /// The part of a URL that may be shown, even if it is not a valid URL.
    static func shown(_ url: String) -> String {
        WebAddress(url)?.shown
            ?? (CurlLibrary.isLoaded ? "an address that is not a URL" : "the configured address")
    }

    private static func isLoopbackNumber(_ host: String) -> Bool {
        let parts = host.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count == 4 && parts[0] == "127" && parts.allSatisfy { UInt8($0) != nil }
    }

    private static func part(
        _ part: CURLUPart,
        of handle: OpaquePointer,
        flags: Int32 = 0
    ) -> String? {
        var text: UnsafeMutablePointer<CChar>?
        guard dex_curl_url_get(handle, part, &text, UInt32(flags)) == CURLUE_OK, let text else {
            return nil
        }
        defer { dex_curl_free(text) }
        return String(cString: text)
    }
}
