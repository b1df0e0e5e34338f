import Ethereum
import ZeroEx

/// A relay that serves one book, whatever is in it.
struct HostileRelay: RelayClient {
    let book: RelayOrderbook
    /// The pair whose book it is; there is nothing for any other.
    let base: Address
    let quote: Address

    func tokenPairs(
        _ tokenA: Address?,
        _ tokenB: Address?
    ) async throws(RelayError) -> [RelayTokenPair] { [] }

    func orders(_ query: OrderQuery) async throws(RelayError) -> RelayOrders {
        RelayOrders(orders: [])
    }

    func order(_ hash: OrderHash) async throws(RelayError) -> (any SignedOrder)? {
        (book.asks.orders + book.bids.orders).first { $0.hash == hash }
    }

    func orderbook(
        base: Address,
        quote: Address,
        arrived: @escaping @Sendable ([any SignedOrder]) -> Void
    ) async throws(RelayError) -> RelayOrderbook {
        guard base == self.base, quote == self.quote else {
            return RelayOrderbook(bids: RelayOrders(orders: []), asks: RelayOrders(orders: []))
        }
        arrived(book.bids.orders + book.asks.orders)
        return book
    }

    func fees(for draft: OrderDraft) async throws(RelayError) -> OrderFees { .none }

    func post(_ order: any SignedOrder) async throws(RelayError) {}
}

/// A node before which something happens when a transaction is sent.
struct FrontrunNode: ChainClient {
    let node: any ChainClient
    let beforeSend: @Sendable () async throws -> Void

    func read(
        _ reads: [ChainRead]
    ) async throws(ChainError) -> [Result<ChainAnswer, ChainError>] {
        try await node.read(reads)
    }

    func send(raw: [UInt8]) async throws(ChainError) -> TransactionHash {
        do {
            try await beforeSend()
        } catch {
            throw .nonsense("the test's own transaction failed: \(error)")
        }
        return try await node.send(raw: raw)
    }
}
