package import ZeroEx

/// The one place that picks a relay's client for a version of the 0x protocol.
package enum RelayClients {
    /// A client of the API that relays of the version's orders serve.
    ///
    /// - Parameter baseURL: what the paths are appended to, with its own path and with or without
    ///   a slash at its end.
    package static func client(
        baseURL: String,
        exchangeProtocol: any ExchangeProtocol,
        transport: any HTTPTransport
    ) -> any RelayClient {
        switch exchangeProtocol.version {
        case .v1:
            RelayClientV0(
                baseURL: baseURL,
                exchangeProtocol: exchangeProtocol,
                transport: transport
            )
        case .v4:
            RelayClientV4(
                baseURL: baseURL,
                exchangeProtocol: exchangeProtocol,
                transport: transport
            )
        }
    }
}
