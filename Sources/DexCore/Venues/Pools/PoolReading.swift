package import Ethereum
import Uniswap
package import ZeroEx

/// The pools of a pair as guards and alerts look at them: at one block, at the end of the block
/// before it, and on average.
///
/// What a pool says of one block is what that block's last transaction left.
package struct PoolReading: BookPrices, Sendable {
    /// With the decimals that the tokens' contracts report.
    package let pair: Pair
    package let book: PoolBook
    /// The prices that the block before ended with at the pools with a tenth of the depth or more, as
    /// if each one's liquidity were everywhere.
    package let before: PoolBook
    /// The pools with a tenth of the depth or more, and how far each one's price moved within the
    /// block, in hundredths of a percent.
    let moves: [(pool: PoolID, basisPoints: UInt64)]
    package let mean: Mean
    /// Of the account, if it was read; base units.
    let balances: [Address: UInt256]

    package enum Mean: Sendable {
        case known(PoolMean)
        /// Why there is none; a sentence.
        case missing(String)
    }

    package var block: Block { book.block }
    package var bid: Price? { book.bid }
    package var ask: Price? { book.ask }
    package var mid: Price? { book.mid }

    /// Seconds for which a price has to be reached in each reading where no mean is known.
    package static let patience: UInt64 = 60

    /// Seconds that lie at least between the first and the last reading of a price that is reached.
    package var patience: UInt64 {
        if case .known = mean { 0 } else { Self.patience }
    }

    /// The first pool whose price moved further within the block.
    ///
    /// - Parameter slippage: in hundredths of a percent.
    func moved(beyond slippage: UInt64) -> PoolID? {
        moves.first { $0.basisPoints > slippage }?.pool
    }
}

extension PoolReading {
    /// The part of the depth from which on a pool's move, and its oracle, count: a tenth.
    ///
    /// Below it anybody could hold guards by moving a pool of little money.
    private static let share: UInt256 = 10

    /// Reads the pools of a pair in two round trips, as `PoolBookReader` does.
    ///
    /// - Parameters:
    ///   - account: also reads its balances.
    /// - Throws: as `PoolBookReader.read`; `reorganized`, exit 4, if the node's answers are not of
    ///   one state of the chain; exit 6, `other-decimals`.
    package static func read(
        _ pair: Pair,
        account: Address?,
        session: Session
    ) async throws(DexError) -> PoolReading {
        let reading = try await PoolBookReader(session: session).read(pair) { market, batch in
            PoolSight.ask(pair, account: account, market, session, in: &batch)
        }
        let book = reading.book
        let sight = try reading.answers.value(reading.question)
        let pair = sight.pair
        // The direct pools were read with the base sold.
        let base = reading.market.candidates.sold
        let depths = Self.depths(of: book)
        let total = depths.values.reduce(UInt256.zero) { $0.addingSaturating($1) }
        func counts(_ depth: UInt256) -> Bool {
            UInt256.mulDiv(depth, share, 1).map { $0.quotient >= total } ?? true
        }
        let deep = depths.filter { counts($0.value) }.sorted { left, right in
            left.value != right.value
                ? left.value > right.value : left.key.kind.fee < right.key.kind.fee
        }.map(\.key)
        return PoolReading(
            pair: pair,
            book: book,
            // Of a pool of little money the liquidity that seems to be everywhere is none.
            before: PoolBook(
                pair: pair,
                tokens: (base, reading.market.candidates.bought),
                PoolDepths(pools: sight.before.filter { deep.contains($0.key) }, checked: []),
                at: sight.parent
            ),
            moves: deep.map { pool in (pool, sight.moves[pool] ?? .max) },
            mean: mean(of: deep, sight, base: base, pair),
            balances: sight.balances
        )
    }

    /// The means of the deep v3 pools whose oracles reach far enough.
    private static func mean(
        of deep: [PoolID],
        _ sight: PoolSight,
        base: Address,
        _ pair: Pair
    ) -> Mean {
        guard let deepest = deep.first(where: { $0.kind != .v2 }) else {
            return .missing(
                "Only v3 pools keep one, and none has a tenth of the depth of \(pair.shownName)."
            )
        }
        let ticks = deep.compactMap { pool in sight.ticks[pool].map { (pool, $0) } }
        guard let mean = PoolMean(ticks, base: base, pair: pair) else {
            return .missing(
                "The oracle of the pool \(deepest.kind.name) does not reach back "
                    + "\(PoolMean.seconds / 60) minutes."
            )
        }
        return .known(mean)
    }

    /// What each pool pays out within the ladder, both sides together at the mid of all pools, in base
    /// units of QUOTE.
    ///
    /// What it would take counts for nothing: a pool of one cent takes any amount for its cent.
    private static func depths(of book: PoolBook) -> [PoolID: UInt256] {
        var depths: [PoolID: UInt256] = [:]
        for level in book.bids {
            depths[level.pool] = (depths[level.pool] ?? .zero).addingSaturating(level.quote)
        }
        for level in book.asks {
            // Without a bid there is no QUOTE in any pool: then BASE is compared.
            let paid =
                book.mid.map { mid in
                    UInt256.mulDiv(level.base, mid.quote, mid.base)?.quotient ?? .max
                } ?? (book.bids.isEmpty ? level.base : .zero)
            depths[level.pool] = (depths[level.pool] ?? .zero).addingSaturating(paid)
        }
        return depths
    }
}
