import DexStore
import Ethereum
import ZeroEx

/// `dex pairs` with figures: each pair's best prices, depth, and the trades of the last day.
package struct MarketPairsModel: ReadModel {
    package let context: ReadContext

    /// Books that are read unless told.
    package static let usualBooks = 20
    /// The number of books read at once.
    private static let width = 4

    package init(_ context: ReadContext) { self.context = context }

    /// The relay's pairs, those with the most trades first, then in the relay's order.
    ///
    /// The pairs stay without figures that cannot be read, and a warning says why.
    ///
    /// - Parameter books: the most books that are read, those of the first pairs; none is only the
    ///   list, for which no node is asked.
    /// - Throws: `DexError`: no relay, or its failure.
    package func load(books: Int = usualBooks) async throws(DexError) -> PairsState {
        var state = try await PairsModel(session: session).load()
        guard books > 0, !state.rows.isEmpty else { return state }
        state.hasFigures = true
        await addVolumes(to: &state)
        await addBooks(to: &state, maximum: books)
        return state
    }

    /// The relay's pairs with their trades of the last day, those with the most trades first; no
    /// book is read.
    ///
    /// - Throws: `DexError`: no relay, or its failure.
    package func traded() async throws(DexError) -> PairsState {
        var state = try await PairsModel(session: session).load()
        await addVolumes(to: &state)
        return state
    }

    private func addVolumes(to state: inout PairsState) async {
        guard let journal else { return }
        let sync = MarketSync(session: session, journal: journal)
        do throws(DexError) {
            let plan = try await sync.plan(
                from: .span(MarketSync.volumeSpan),
                pools: state.rows.flatMap { MarketSync.pools(of: $0.pair) }
            )
            let reading = try await sync.read(plan)
            let fills = Dictionary(grouping: reading.fills) { Set([$0.makerToken, $0.takerToken]) }
            for index in state.rows.indices {
                let pair = state.rows[index].pair
                var own = reading
                own.fills = fills[[pair.base.address, pair.quote.address]] ?? []
                state.rows[index].volume = MarketSummary(own.tape(of: pair, plan))
            }
        } catch {
            state.warnings.append(
                "The volume is not shown; the events of trades could not be read: "
                    + error.message
            )
            return
        }
        // Sorting is not stable, so the relay's order is part of the comparison.
        state.rows = state.rows.enumerated().sorted { left, right in
            let (a, b) = (left.element.volume?.trades ?? 0, right.element.volume?.trades ?? 0)
            return a == b ? left.offset < right.offset : a > b
        }.map(\.element)
    }

    private func addBooks(to state: inout PairsState, maximum: Int) async {
        let pairs = Array(state.rows.prefix(maximum).map(\.pair))
        let isOfPools = state.source == .pools
        var failure: (pair: Pair, message: String)?
        await withTaskGroup(of: (Int, Result<PairsState.Book, DexError>).self) { group in
            var waiting = pairs.indices[...]
            func next() {
                guard let index = waiting.popFirst() else { return }
                let pair = pairs[index]
                group.addTask {
                    let book = await Result { () async throws(DexError) in
                        try await self.book(of: pair, isOfPools: isOfPools)
                    }
                    return (index, book)
                }
            }
            for _ in 0..<Self.width { next() }
            while let (index, result) = await group.next() {
                switch result {
                case .success(let book): state.rows[index].book = book
                case .failure(let error):
                    if failure == nil { failure = (pairs[index], error.message) }
                }
                next()
            }
        }
        if let failure {
            state.warnings.append(
                "The book of \(failure.pair.shownName) could not be read: "
                    + failure.message
            )
        }
        if state.rows.count > maximum {
            state.warnings.append(
                "Only the books of the first \(maximum) of \(state.rows.count) pairs were read; "
                    + "--books \(state.rows.count) reads all."
            )
        }
    }
}

extension MarketPairsModel {
    private func book(
        of pair: Pair,
        isOfPools: Bool
    ) async throws(DexError) -> PairsState.Book {
        guard isOfPools else {
            let reader = BookReader(session: session, settings: settings)
            return PairsState.Book(try await reader.snapshot(of: pair))
        }
        return PairsState.Book(try await PoolBookReader(session: session).read(pair))
    }
}

extension PairsState.Book {
    init(_ pools: PoolBook) {
        let (bid, ask) = (pools.bid, pools.ask)
        func depth(
            _ side: TradeSide,
            _ best: Price?,
            _ size: (PoolBook.Level) -> UInt256
        ) -> UInt256 {
            guard let best else { return .zero }
            return pools.levels(for: side).reduce(.zero) { sum, level in
                let distance = BookDepth.distance(of: level.price, behind: best, side: side)
                return distance <= Self.depthRange ? sum.addingSaturating(size(level)) : sum
            }
        }
        self.init(
            bid: bid,
            ask: ask,
            spreadBasisPoints: bid.flatMap { bid in
                ask.flatMap { bid < $0 ? BookSpread.basisPoints(bid: bid, ask: $0) : nil }
            },
            bidDepth: depth(.sell, bid, \.quote),
            askDepth: depth(.buy, ask, \.quote)
        )
    }

    /// Orders within 2 % of the best price count as depth, in hundredths of a percent.
    static let depthRange: UInt64 = 200

    init(_ book: BookSnapshot) {
        let (bid, ask) = (book.bid, book.ask)
        self.init(
            bid: bid,
            ask: ask,
            spreadBasisPoints: bid.flatMap { bid in
                ask.flatMap { bid < $0 ? BookSpread.basisPoints(bid: bid, ask: $0) : nil }
            },
            bidDepth: book.bids.reduce(.zero) { sum, entry in
                guard let bid, Self.isNear(entry, bid, isBetter: entry.price > bid) else {
                    return sum
                }
                return sum.addingSaturating(entry.fillableMaker)
            },
            askDepth: book.asks.reduce(.zero) { sum, entry in
                guard let ask, Self.isNear(entry, ask, isBetter: entry.price < ask) else {
                    return sum
                }
                return sum.addingSaturating(entry.fillableTaker)
            }
        )
    }

    private static func isNear(_ entry: BookEntry, _ best: Price, isBetter: Bool) -> Bool {
        entry.isTakeable && (isBetter || entry.price.basisPoints(from: best) <= depthRange)
    }
}
