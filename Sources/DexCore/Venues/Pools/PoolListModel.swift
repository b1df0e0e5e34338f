import Ethereum
import Uniswap
import ZeroEx

/// `dex pool`: the pools of a pair, and what each is good for.
package struct PoolListModel: ReadModel {
    package let context: ReadContext

    package init(_ context: ReadContext) { self.context = context }

    /// The depth is what moves a pool's price by so many ticks: 1 %.
    static let depthTicks: Int32 = 100

    /// The times that each oracle is asked for, in seconds: a minute to a week.
    package static let spans: [UInt32] = [60, 300, 1_800, 3_600, 21_600, 86_400, 604_800]

    /// The pools at the latest block, in two round trips, and their volume.
    ///
    /// - Parameter pairText: may name the chain's coin, which counts as its wrapped token.
    /// - Throws: `DexError`, as `PoolBookReader.read`, and for a pair that is none.
    package func load(pairText: String) async throws(DexError) -> PoolListState {
        guard let deployment = session.network.pools else {
            throw NetworkError.noPools(network: session.network.name)
        }
        let pair = try await MarketPair(session: session).pair(pairText)
        let reading = try await PoolBookReader(session: session).read(pair) { market, batch in
            Self.askOracles(market, deployment, in: &batch)
        }
        let book = reading.book
        guard let tokens = deployment.tokens(of: pair) else {
            throw DexError(LiquidityError.unpooled)
        }
        let rows = book.pools.map { pool, depth in
            row(
                pool,
                depth,
                base: tokens.base,
                address: deployment.address(of: pool),
                oracle: Self.oracle(of: pool, reading)
            )
        }
        var state = PoolListState(
            pair: pair,
            block: book.block,
            mid: book.mid,
            nodes: session.network.quorum,
            rows: Self.sorted(rows, mid: book.mid)
        )
        let unread = reading.market.spots.keys.filter { book.pools[$0] == nil }
            .sorted { $0.kind.fee < $1.kind.fee }
        state.warnings = unread.map { pool in
            "The pool \(pool.kind.name) is left out: the factory does not know its address, or its "
                + "ticks could not be read."
        }
        await addVolumes(to: &state, in: tokens.quote)
        return state
    }

    private func addVolumes(to state: inout PoolListState, in quote: Address) async {
        guard let journal else { return }
        do throws(DexError) {
            let volumes = try await MarketSync(session: session, journal: journal)
                .volumes(of: state.rows.map(\.pool), in: quote)
            for index in state.rows.indices {
                state.rows[index].volume = volumes[state.rows[index].pool]
            }
        } catch {
            state.warnings.append(
                "The volume is not shown; the pools' events could not be read: \(error.message)"
            )
        }
    }

    private func row(
        _ pool: PoolID,
        _ depth: PoolDepth,
        base: Address,
        address: Address,
        oracle: PoolListState.Oracle
    ) -> PoolListState.Row {
        let side = PoolOrientation(pool, base: base)
        func moved(_ direction: TradeSide) -> PoolListState.Depth? {
            side.amounts(direction, of: depth, ticks: Self.depthTicks)
                .map { PoolListState.Depth(base: $0.base, quote: $0.quote) }
        }
        var reserves: PoolListState.Depth?
        if case .v2(let state) = depth {
            let (base, quote) =
                side.isBaseFirst
                ? (state.reserve0, state.reserve1) : (state.reserve1, state.reserve0)
            reserves = PoolListState.Depth(base: base, quote: quote)
        }
        return PoolListState.Row(
            pool: pool,
            address: address,
            price: side.marginalPrice(of: depth),
            sell: moved(.sell),
            buy: moved(.buy),
            liquidity: depth.liquidity,
            reserves: reserves,
            oracle: oracle
        )
    }

    /// By what they hold within 1 %, the deepest first.
    ///
    /// All at one price: by a price of its own a pool with one cent could be the deepest.
    private static func sorted(
        _ rows: [PoolListState.Row],
        mid: Price?
    ) -> [PoolListState.Row] {
        func depth(_ row: PoolListState.Row) -> UInt256 {
            let base = row.buy?.base ?? .zero
            let value = mid.flatMap { UInt256.mulDiv(base, $0.quote, $0.base)?.quotient }
            return (row.sell?.quote ?? .zero).addingSaturating(value ?? .zero)
        }
        return rows.map { (row: $0, depth: depth($0)) }
            .sorted { left, right in
                left.depth == right.depth
                    ? (left.row.pool.kind.fee, left.row.pool.kind.name)
                        < (right.row.pool.kind.fee, right.row.pool.kind.name)
                    : left.depth > right.depth
            }
            .map(\.row)
    }

    // MARK: Oracles

    private typealias Question = [PoolID: [(seconds: UInt32, slot: ReadSlot<[UInt8]>)]]

    private static func askOracles(
        _ market: PoolMarket,
        _ deployment: UniswapDeployment,
        in batch: inout ReadBatch
    ) -> Question {
        var question: Question = [:]
        for (pool, spot) in market.spots {
            // One observation reaches back too, as far as the last trade.
            guard case .v3 = spot else { continue }
            let address = deployment.address(of: pool)
            question[pool] = spans.map { seconds in
                let read = ContractRead.observe(secondsAgo: [seconds, 0])
                let call = CallRequest(to: address, data: read.data)
                return (seconds, batch.add(.call(call, .number(market.block.number))))
            }
        }
        return question
    }

    /// A pool that does not answer reaches nowhere.
    private static func oracle(
        of pool: PoolID,
        _ reading: PoolBookReader.Reading<Question>
    ) -> PoolListState.Oracle {
        guard case .v3(let slot, _, _) = reading.market.spots[pool] else { return .none }
        var reach: UInt32 = 0
        for (seconds, question) in reading.question[pool] ?? [] {
            // nil: "OLD", which is an answer too
            let answer = try? reading.answers[question].get()
            let observed = ContractRead.observe(secondsAgo: [seconds, 0])
            // nil: no pool's answer
            guard let answer, let ticks = try? observed.decode(answer),
                Oracle.meanTick(earlier: ticks[0], later: ticks[1], seconds: seconds) != nil
            else { break }
            reach = seconds
        }
        return .reaches(seconds: reach, observations: slot.observations)
    }
}
