package import ZeroEx

/// The only code that picks a relay's client for a version of the 0x protocol.
package enum RelayClients {
    /// A client of the relay API for a version's orders.
    ///
    /// - Parameter baseURL: the URL before the API's paths, with its own path and with or without
    ///   a slash at its end.
    package static func client(
        baseURL: String,
        exchangeProtocol: any ExchangeProtocol,
        transport: any HTTPTransport,
        limits: AnswerLimits = AnswerLimits()
    ) -> any RelayClient {
        switch exchangeProtocol.version {
        case .v1:
            RelayClientV0(
                baseURL: baseURL,
                exchangeProtocol: exchangeProtocol,
                transport: transport,
                limits: limits
            )
        case .v4:
            RelayClientV4(
                baseURL: baseURL,
                exchangeProtocol: exchangeProtocol,
                transport: transport,
                limits: limits
            )
        }
    }

    /// The number of a relay's orders, from one small request; nil if it does not report it.
    package static func orderCount(
        baseURL: String,
        version: ProtocolVersion,
        transport: any HTTPTransport
    ) async -> Int? {
        let (parameter, count): (String, (HTTPResponse) -> Int?) =
            switch version {
            case .v1: ("per_page", RelayCount.ofLastLink)
            case .v4: ("perPage", RelayCount.ofTotal)
            }
        let address = RelayAddress(baseURL)
        let url = address.url("/orders", [("page", "1"), (parameter, "1")])
        guard let response = try? await transport.send(RelayChannel.get(url)),  // nil: no answer
            response.isSuccess
        else { return nil }
        return count(response)
    }
}
