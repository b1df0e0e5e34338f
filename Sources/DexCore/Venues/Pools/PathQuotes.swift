import DexSigning
import Ethereum
import Uniswap
import ZeroEx

/// The exact amounts of several paths at the market's block: v3 by the chain's own quoter, v2 by
/// the pairs' reserves; and the ticks that a split of the amount is found with.
struct PathQuotes: Sendable {
    let deployment: UniswapDeployment
    let market: PoolMarket
    let amount: PoolAmount
    /// The pools whose address the factory has confirmed.
    private(set) var checked: Set<PoolID>
    /// What the paths give or cost for the whole amount.
    private(set) var routes: [PoolRoute] = []
    /// The paths that may share the amount.
    private(set) var divisible: [PoolPath] = []
    /// The states of their pools as far as their ticks were read.
    private(set) var depths: [PoolID: PoolDepth] = [:]

    /// The most paths over a hub that a part of the amount may go through.
    private static let maximumHubPaths = 2
    /// The part of the amount that is quoted too, so that a pool which cannot trade all of it shows
    /// that its ticks are right.
    private static let quotedPart: UInt256 = 4
    /// What a quote may use: 40 times what a path of two pools needs.
    ///
    /// A pool that runs dry walks to the end of all prices, up to 40,000,000; without a limit of ours
    /// nodes end that at limits of their own, and disagree.
    private static let quoterGas: UInt64 = 10_000_000

    init(
        deployment: UniswapDeployment,
        market: PoolMarket,
        amount: PoolAmount,
        checked: Set<PoolID>
    ) {
        self.deployment = deployment
        self.market = market
        self.amount = amount
        self.checked = checked
    }

    /// Reads them in one round trip.
    ///
    /// - Throws: `LiquidityError.chain`: the node gave no answer.
    func read(
        _ paths: [PoolPath],
        _ chain: any ChainClient
    ) async throws(LiquidityError) -> PathQuotes {
        let tag = BlockTag.number(market.block.number)
        // One call of one router: what another one trades is no part of it.
        let candidates = Self.candidates(
            paths.filter {
                PoolRules(deployment).contract(for: $0, genuine: market.genuine)
                    == deployment.router
            }
        )
        var batch = ReadBatch()
        let quoted = paths.map { ask($0, amount, tag, &batch) }
        let parts = candidates.compactMap { path in
            part.map { ask(path, $0, tag, &batch) }
        }
        let pools = Set(paths.flatMap(\.pools))
        let confirmation = PoolConfirmation.ask(
            pools.subtracting(checked),
            deployment,
            at: tag,
            in: &batch
        )
        let used = Set(candidates.flatMap(\.pools))
        let asked = PoolDepths.ask(
            market.spots.filter { used.contains($0.key) },
            deployment,
            checked: pools.union(checked),
            at: tag,
            in: &batch
        )
        var result = self
        do throws(ChainError) {
            let answers = try await chain.read(batch)
            result.checked.formUnion(try confirmation.confirmed(answers))
            var whole: [PoolPath: UInt256] = [:]
            for question in quoted
            where question.path.pools.allSatisfy(result.checked.contains) {
                guard let found = try amounts(of: question, answers) else { continue }
                whole[question.path] = found
                result.routes.append(route([leg(question.path, found)]))
            }
            result.depths = try asked.read(answers).pools.filter {
                result.checked.contains($0.key)
            }
            for question in parts
            where question.path.pools.allSatisfy({ result.depths[$0] != nil }) {
                let found = try amounts(of: question, answers)
                if result.agrees(question.path, whole: whole[question.path], part: found) {
                    result.divisible.append(question.path)
                }
            }
        } catch {
            throw .chain(error)
        }
        return result
    }

    // MARK: Questions

    private struct Question {
        let path: PoolPath
        let amount: PoolAmount
        /// nil for v2.
        let call: (QuoterCall, ReadSlot<[UInt8]>)?
    }

    private func ask(
        _ path: PoolPath,
        _ amount: PoolAmount,
        _ tag: BlockTag,
        _ batch: inout ReadBatch
    ) -> Question {
        let call = QuoterCall(path, amount).map { call in
            (
                call,
                batch.add(
                    .call(
                        CallRequest(
                            to: deployment.quoter,
                            data: call.data,
                            gas: Self.quoterGas
                        ),
                        tag
                    )
                )
            )
        }
        return Question(path: path, amount: amount, call: call)
    }

    /// What the path gives or costs, above 0; nil without a quote.
    private func amounts(
        of question: Question,
        _ answers: ReadAnswers
    ) throws(ChainError) -> UInt256? {
        let found =
            if let (call, slot) = question.call {
                try answers.answer(slot).flatMap { answer in
                    // nil: no quote, or one that the pools' bound cut short
                    try? call.decode(answer).amount
                }
            } else {
                market.estimate(question.path, question.amount)
            }
        return found == .zero ? nil : found
    }

    private func leg(_ path: PoolPath, _ quoted: UInt256) -> PathSplit.Leg {
        switch amount {
        case .exactIn(let whole), .exactOut(let whole):
            PathSplit.Leg(path: path, amount: whole, quoted: quoted)
        }
    }

    private var revision: Revision {
        Revision.of(chain: deployment.chainID, time: market.block.timestamp)
    }

    private func route(_ legs: [PathSplit.Leg]) -> PoolRoute {
        PoolRoute(
            amount: amount,
            legs: legs,
            block: market.block.number,
            revision: revision,
            genuine: market.genuine
        )
    }

    // MARK: Splits

    /// The direct pools, and the most promising paths over a hub; none where there is one alone.
    private static func candidates(_ paths: [PoolPath]) -> [PoolPath] {
        let candidates =
            paths.filter { $0.pools.count == 1 }
            + paths.filter { $0.pools.count > 1 }.prefix(maximumHubPaths)
        return candidates.count > 1 ? candidates : []
    }

    /// nil for an amount without such a part.
    private var part: PoolAmount? {
        switch amount {
        case .exactIn(let whole):
            whole < Self.quotedPart ? nil : .exactIn(whole / Self.quotedPart)
        case .exactOut(let whole):
            whole < Self.quotedPart ? nil : .exactOut(whole / Self.quotedPart)
        }
    }

    /// Whether the walk through a path's ticks and the quoter say the same of the whole amount or of
    /// its part, and nothing different of the other: else one of them is wrong.
    private func agrees(_ path: PoolPath, whole: UInt256?, part: UInt256?) -> Bool {
        let pairs = [(amount, whole), (self.part, part)].map { amount, quoted in
            (walked: amount.flatMap { walk(path, $0) }, quoted: quoted)
        }
        return pairs.contains { $0.walked != nil && $0.walked == $0.quoted }
            && !pairs.contains { $0.walked != nil && $0.walked != $0.quoted }
    }

    /// nil where the pools cannot trade the amount, or where their ticks were not read.
    private func walk(_ path: PoolPath, _ amount: PoolAmount) -> UInt256? {
        // nil: no amount to compare
        guard let quote = try? path.quote(amount, depths) else { return nil }
        let walked =
            switch amount {
            case .exactIn: quote.amountOut
            case .exactOut: quote.amountIn
            }
        return walked == .zero ? nil : walked
    }

    /// The best split of the amount over two or three paths; nil where none can be had, or where
    /// nothing says what the gas of a further path costs.
    private var split: PoolRoute? {
        guard let first = divisible.first, gasValue([first]) != nil else { return nil }
        let found = PathSplit.best(amount, over: divisible, depths) { gasValue($0) ?? .zero }
        return found.map { split in route(split.legs.sorted { $0.amount > $1.amount }) }
    }

    // MARK: Choice

    /// The route that leaves most after gas, or that costs least with it; nil without any.
    ///
    /// A split is taken where it is better, not where it is as good.
    var best: PoolRoute? {
        let whole = routes.max { isBetter($1, than: $0) }
        guard let split else { return whole }
        guard let whole else { return split }
        return isBetter(split, than: whole) ? split : whole
    }

    private func isBetter(_ one: PoolRoute, than other: PoolRoute) -> Bool {
        let gas = [one, other].map { gasValue($0.legs.map(\.path)) ?? .zero }
        return switch amount {
        case .exactIn:
            one.quoted.addingSaturating(gas[1]) > other.quoted.addingSaturating(gas[0])
        case .exactOut:
            one.quoted.addingSaturating(gas[0]) < other.quoted.addingSaturating(gas[1])
        }
    }

    /// A trade's gas in base units of what is bought for an exact amount in, of what is sold for an
    /// exact amount out, by the pools that were read; nil without a price.
    private func gasValue(_ paths: [PoolPath]) -> UInt256? {
        guard let price = market.gasPrice, let wrapped = deployment.wrapped,
            let cost = Wei(price).multiplied(by: UInt256(PoolRoute.gas(paths, revision)))?.rawValue
        else { return nil }
        guard cost != .zero else { return .zero }
        let token =
            switch amount {
            case .exactIn: market.candidates.bought
            case .exactOut: market.candidates.sold
            }
        guard token != wrapped else { return cost }
        // The price of a pool of one cent is anybody's choice, and would choose the route.
        guard let pool = market.deepest(wrapped, token) else { return nil }
        return PoolPath([wrapped, token], [pool.kind])
            .flatMap { market.estimate($0, .exactIn(cost)) }
    }
}
