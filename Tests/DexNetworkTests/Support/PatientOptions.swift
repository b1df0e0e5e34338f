import DexNetwork

extension CurlTransport.Options {
    /// For tests of anything but the limits of time: on a busy machine a second is nothing.
    static func patient(
        maximumBody: Int = 32 << 20,
        connectionsPerHost: Int = 6
    ) -> CurlTransport.Options {
        CurlTransport.Options(
            connectTimeout: 600_000,
            timeout: 600_000,
            stallTimeout: 600,
            maximumBody: maximumBody,
            connectionsPerHost: connectionsPerHost
        )
    }
}
