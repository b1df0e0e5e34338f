package import Ethereum
package import ZeroEx

/// A relay that speaks version 0 of the standard relayer API.
package struct RelayClientV0: RelayClient {
    private let baseURL: String
    private let exchangeProtocol: any ExchangeProtocol
    private let transport: any HTTPTransport
    private let retry: RetryPolicy
    private let clock: NetworkClock

    /// A client.
    ///
    /// - Parameter baseURL: what the paths are appended to, with its own path and with or without
    ///   a slash at its end: `https://api.example.com/0x/v0`.
    package init(
        baseURL: String,
        exchangeProtocol: any ExchangeProtocol,
        transport: any HTTPTransport,
        retry: RetryPolicy = RetryPolicy(),
        clock: NetworkClock = .system
    ) {
        self.baseURL = baseURL
        self.exchangeProtocol = exchangeProtocol
        self.transport = transport
        self.retry = retry
        self.clock = clock
    }

    package func tokenPairs(
        _ tokenA: Address?,
        _ tokenB: Address?
    ) async throws(RelayError) -> [RelayTokenPair] {
        fatalError("unimplemented")
    }

    package func orders(_ query: OrderQuery) async throws(RelayError) -> RelayOrders {
        fatalError("unimplemented")
    }

    package func order(_ hash: OrderHash) async throws(RelayError) -> (any SignedOrder)? {
        fatalError("unimplemented")
    }

    package func orderbook(
        base: Address,
        quote: Address
    ) async throws(RelayError) -> RelayOrderbook {
        fatalError("unimplemented")
    }

    package func fees(for draft: OrderDraft) async throws(RelayError) -> OrderFees {
        fatalError("unimplemented")
    }

    package func post(_ order: any SignedOrder) async throws(RelayError) {
        fatalError("unimplemented")
    }
}
