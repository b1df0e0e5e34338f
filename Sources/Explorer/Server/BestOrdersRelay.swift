import Ethereum
import ZeroEx

/// A relay whose books are its first page: a market's page shows the best orders only.
struct BestOrdersRelay: RelayClient {
    let relay: any RelayClient

    func tokenPairs(
        _ tokenA: Address?,
        _ tokenB: Address?
    ) async throws(RelayError) -> [RelayTokenPair] {
        try await relay.tokenPairs(tokenA, tokenB)
    }

    func orders(_ query: OrderQuery) async throws(RelayError) -> RelayOrders {
        try await relay.orders(query)
    }

    func order(_ hash: OrderHash) async throws(RelayError) -> (any SignedOrder)? {
        try await relay.order(hash)
    }

    func orderbook(
        base: Address,
        quote: Address,
        arrived: @escaping @Sendable ([any SignedOrder]) -> Void
    ) async throws(RelayError) -> RelayOrderbook {
        let book = try await relay.bestOrders(base: base, quote: quote)
        arrived(book.bids.orders + book.asks.orders)
        return book
    }

    func fees(for draft: OrderDraft) async throws(RelayError) -> OrderFees {
        try await relay.fees(for: draft)
    }

    func post(_ order: any SignedOrder) async throws(RelayError) {
        try await relay.post(order)
    }
}
