package import Ethereum
import Uniswap
package import ZeroEx

/// What the price of a guard or an alert is compared with: a relay's verified book, or the pools of
/// the pair.
package enum TriggerMarket: BookPrices, Sendable {
    case book(BookSnapshot)
    case pools(PoolReading)

    package var pair: Pair {
        switch self {
        case .book(let book): book.pair
        case .pools(let pools): pools.pair
        }
    }

    /// The block at which everything was read.
    package var block: Block {
        switch self {
        case .book(let book): book.block
        case .pools(let pools): pools.block
        }
    }

    package var bid: Price? {
        switch self {
        case .book(let book): book.bid
        case .pools(let pools): pools.bid
        }
    }

    package var ask: Price? {
        switch self {
        case .book(let book): book.ask
        case .pools(let pools): pools.ask
        }
    }

    package var mid: Price? {
        switch self {
        case .book(let book): book.mid
        case .pools(let pools): pools.mid
        }
    }

    /// What a trade of a side takes.
    package func depth(_ side: TradeSide) -> BookDepth {
        switch self {
        case .book(let book): BookDepth(book.entries(for: side), side: side)
        case .pools(let pools): pools.book.depth(side)
        }
    }

    /// The account's balance of a token of the pair in base units; nil if it was not read.
    func balance(of token: Token) -> UInt256? {
        switch self {
        case .book(let book): book.account?.balances[token.address]
        case .pools(let pools): pools.balances[token.address]
        }
    }

    /// Seconds that lie at least between the first and the last reading of a price that is reached.
    package var patience: UInt64 {
        if case .pools(let pools) = self { pools.patience } else { 0 }
    }

    /// What a sentence calls it, such as `The book`.
    var noun: String {
        switch self {
        case .book: "The book"
        case .pools: "The market of Uniswap's pools"
        }
    }
}

extension TriggerMarket {
    /// Reads what a guard or an alert of a pair is compared with now.
    ///
    /// - Parameters:
    ///   - account: whose own orders do not count, and whose balances are read.
    ///   - atPools: of Uniswap's pools, else of the relay's book.
    /// - Throws: as `BookReader` and `PoolReading`.
    static func read(
        _ pair: Pair,
        account: Address? = nil,
        atPools: Bool,
        settings: ReadSettings = ReadSettings(),
        session: Session
    ) async throws(DexError) -> TriggerMarket {
        guard !atPools else {
            return .pools(try await PoolReading.read(pair, account: account, session: session))
        }
        return .book(
            try await BookReader(session: session, settings: settings)
                .snapshot(of: pair, account: account)
        )
    }
}

extension Session {
    /// Prices are those of Uniswap's pools: there is no relay's book.
    package var isOfPools: Bool { network.isOfPools(hasRelay: relay != nil) }

    /// A relay's book is there to be read.
    var hasBook: Bool { relay != nil && !isOfPools }
}

extension Network {
    /// Prices are those of Uniswap's pools: there is no relay's book, and there are pools.
    func isOfPools(hasRelay: Bool) -> Bool {
        (!hasRelay || !hasExchange) && pools != nil
    }

    /// The contracts at which guards of it trade: the exchange, and Uniswap's router.
    package var guardContracts: [Address] { [exchange, pools?.router].compactMap(\.self) }
}
