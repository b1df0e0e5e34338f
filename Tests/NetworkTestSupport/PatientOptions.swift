package import DexNetwork

extension CurlTransport.Options {
    /// For tests of anything but the limits of time: on a busy machine a minute is nothing.
    ///
    /// - Parameter environment: that of the process without it.
    package static func patient(
        maximumBody: Int = 32 << 20,
        connectionsPerHost: Int = 6,
        environment: (@Sendable (_ name: String) -> String?)? = nil
    ) -> CurlTransport.Options {
        var options = CurlTransport.Options(
            connectTimeout: 600_000,
            timeout: 600_000,
            stallTimeout: 600,
            maximumBody: maximumBody,
            connectionsPerHost: connectionsPerHost
        )
        if let environment { options.environment = environment }
        return options
    }
}
