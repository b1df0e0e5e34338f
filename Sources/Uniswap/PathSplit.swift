public import Ethereum

/// A trade divided among paths that share no pool, by the exact walk through their pools.
public struct PathSplit: Hashable, Sendable {
    /// What one path trades.
    public struct Leg: Hashable, Sendable {
        public let path: PoolPath
        /// Above 0; of what is sold for an exact amount in, of what is bought for an exact amount
        /// out; base units.
        public let amount: UInt256
        /// What it buys or costs, above 0; base units.
        public let quoted: UInt256

        public init(path: PoolPath, amount: UInt256, quoted: UInt256) {
            self.path = path
            self.amount = amount
            self.quoted = quoted
        }
    }

    /// Two or three; their amounts add up to the trade's exactly.
    public let legs: [Leg]

    /// What all legs buy or cost; base units.
    public var quoted: UInt256 {
        legs.reduce(.zero) { $0.addingSaturating($1.quoted) }
    }

    /// The most paths of one trade.
    public static let maximumLegs = 3
    /// Amounts below it are not divided; base units.
    public static let minimumAmount: UInt256 = 1_024

    /// The best division of an amount, after what its legs cost; nil where none can be had.
    ///
    /// What a path buys grows ever slower with the amount, and what it costs ever faster, so that
    /// the best division is where no part is better off at another path. It is found to a
    /// 16-millionth of the amount: first over all sets of paths in 64 parts, then finer for the
    /// sets that are best so far.
    ///
    /// - Parameters:
    ///   - depths: the states of the paths' pools, all at one block; a path is used as far as their
    ///     ticks reach.
    ///   - cost: of a trade through these paths, in base units of what is bought for an exact amount
    ///     in, of what is sold for an exact amount out.
    public static func best(
        _ amount: PoolAmount,
        over paths: [PoolPath],
        _ depths: [PoolID: PoolDepth],
        cost: ([PoolPath]) -> UInt256
    ) -> PathSplit? {
        var search = SplitSearch(amount, paths, depths)
        guard search.whole >= minimumAmount else { return nil }
        let sets = search.sets.compactMap { set in
            search.coarse(set).map { parts in
                let judged = search.judge(set, parts, cost)
                return (set: set, parts: parts, judged: judged)
            }
        }
        let promising = sets.sorted { search.isBetter($0.judged, $1.judged) }
        var best: (split: PathSplit, judged: SplitSearch.Judged)?
        for (set, parts, _) in promising.prefix(SplitSearch.refinedSets) {
            let parts = search.refined(set, parts)
            let judged = search.judge(set, parts, cost)
            guard let split = search.split(set, parts),
                best.map({ search.isBetter(judged, $0.judged) }) ?? true
            else { continue }
            best = (split, judged)
        }
        return best?.split
    }
}

/// What the division of one trade has computed so far.
private struct SplitSearch {
    let whole: UInt256
    let isExactIn: Bool
    private let paths: [PoolPath]
    private let depths: [PoolID: PoolDepth]
    /// What paths buy or cost for parts; nil where a path cannot trade the part.
    private var known: [[UInt256: UInt256?]]

    /// In how many parts all sets of paths are compared.
    static let coarseParts: UInt64 = 64
    /// How many sets are divided more finely.
    static let refinedSets = 8
    /// The finest part is the amount divided by two to this power.
    private static let fineness = 24

    /// What a division gives and takes beside its amount.
    typealias Judged = (gained: UInt256, lost: UInt256)

    init(_ amount: PoolAmount, _ paths: [PoolPath], _ depths: [PoolID: PoolDepth]) {
        switch amount {
        case .exactIn(let amount): (whole, isExactIn) = (amount, true)
        case .exactOut(let amount): (whole, isExactIn) = (amount, false)
        }
        self.paths = paths
        self.depths = depths
        known = paths.map { _ in [:] }
    }

    /// Two or three paths that share no pool.
    var sets: [[Int]] {
        let pairs = paths.indices.flatMap { first in
            paths.indices.filter { $0 > first && isDisjoint([first, $0]) }.map { [first, $0] }
        }
        let triples = pairs.flatMap { pair in
            paths.indices.filter { $0 > pair[1] && isDisjoint(pair + [$0]) }.map { pair + [$0] }
        }
        return pairs + triples
    }

    private func isDisjoint(_ set: [Int]) -> Bool {
        let pools = set.flatMap { paths[$0].pools }
        return Set(pools).count == pools.count
    }

    /// What a path buys or costs for a part; nil where it cannot, or where its ticks end.
    private mutating func quoted(_ path: Int, _ part: UInt256) -> UInt256? {
        if part == .zero { return .zero }
        if let known = known[path][part] { return known }
        let quoted: UInt256?
        do throws(PoolError) {
            let quote = try paths[path].quote(
                isExactIn ? .exactIn(part) : .exactOut(part),
                depths
            )
            quoted = isExactIn ? quote.amountOut : quote.amountIn
        } catch .noOutput {
            quoted = isExactIn ? .zero : nil
        } catch {
            quoted = nil
        }
        known[path][part] = quoted
        return quoted
    }

    // MARK: Comparison

    /// What a path gains or costs more from one part to a larger one; nil where it cannot.
    private mutating func difference(
        _ path: Int,
        from part: UInt256,
        to larger: UInt256
    ) -> UInt256? {
        guard let before = quoted(path, part), let after = quoted(path, larger) else { return nil }
        // Rounding may let a little more in cost a unit less.
        return after.subtracting(before) ?? .zero
    }

    /// The path that trades one part more to the best advantage; nil where none can.
    private mutating func next(_ set: [Int], _ parts: [UInt256], _ part: UInt256) -> Int? {
        var best: (place: Int, change: UInt256)?
        for (place, path) in set.enumerated() {
            let larger = parts[place].addingSaturating(part)
            guard let change = difference(path, from: parts[place], to: larger) else { continue }
            if best.map({ isExactIn ? change > $0.change : change < $0.change }) ?? true {
                best = (place, change)
            }
        }
        return best?.place
    }

    func isBetter(_ one: Judged, _ other: Judged) -> Bool {
        // gained - lost against gained - lost, without negative numbers.
        one.gained.addingSaturating(other.lost) > other.gained.addingSaturating(one.lost)
    }

    mutating func judge(
        _ set: [Int],
        _ parts: [UInt256],
        _ cost: ([PoolPath]) -> UInt256
    ) -> Judged {
        var sum = UInt256.zero
        for (place, path) in set.enumerated() {
            sum = sum.addingSaturating(quoted(path, parts[place]) ?? .zero)
        }
        let used = set.indices.filter { parts[$0] != .zero }.map { paths[set[$0]] }
        let cost = cost(used)
        return isExactIn ? (sum, cost) : (.zero, sum.addingSaturating(cost))
    }

    // MARK: Division

    /// The best division in 64 parts; nil where the paths cannot trade the amount together.
    mutating func coarse(_ set: [Int]) -> [UInt256]? {
        let (part, rest) = whole.quotientAndRemainder(dividingBy: UInt256(Self.coarseParts))
        var parts = set.map { _ in UInt256.zero }
        for _ in 0..<Self.coarseParts {
            guard let place = next(set, parts, part) else { return nil }
            parts[place] = parts[place].addingSaturating(part)
        }
        if rest != .zero {
            guard let place = next(set, parts, rest) else { return nil }
            parts[place] = parts[place].addingSaturating(rest)
        }
        return parts
    }

    /// A division in which ever smaller parts have gone where they are better off.
    mutating func refined(_ set: [Int], _ coarse: [UInt256]) -> [UInt256] {
        var parts = coarse
        var part = (whole / UInt256(Self.coarseParts)) >> 1
        let finest = max(whole >> Self.fineness, 1)
        while part >= finest {
            // From one size to half of it no path's part moves by more than a few.
            for _ in 0..<2 * set.count {
                guard let (from, to) = exchange(set, parts, part) else { break }
                parts[from] = parts[from] - part
                parts[to] = parts[to].addingSaturating(part)
            }
            part = part >> 1
        }
        return parts
    }

    /// The exchange of a part that brings most; nil where none brings anything.
    private mutating func exchange(
        _ set: [Int],
        _ parts: [UInt256],
        _ part: UInt256
    ) -> (from: Int, to: Int)? {
        var best: (from: Int, to: Int, gain: UInt256)?
        for (from, giver) in set.enumerated() where parts[from] >= part {
            let smaller = parts[from] - part
            guard let less = difference(giver, from: smaller, to: parts[from]) else { continue }
            for (to, taker) in set.enumerated() where to != from {
                let larger = parts[to].addingSaturating(part)
                guard let more = difference(taker, from: parts[to], to: larger) else { continue }
                let (high, low) = isExactIn ? (more, less) : (less, more)
                guard let gain = high.subtracting(low), gain > best?.gain ?? .zero else { continue }
                best = (from, to, gain)
            }
        }
        return best.map { ($0.from, $0.to) }
    }

    /// nil where a path has no part, or gives nothing for it: that is another set's division.
    mutating func split(_ set: [Int], _ parts: [UInt256]) -> PathSplit? {
        var legs: [PathSplit.Leg] = []
        for (place, path) in set.enumerated() {
            guard parts[place] != .zero, let quoted = quoted(path, parts[place]), quoted != .zero
            else { return nil }
            legs.append(PathSplit.Leg(path: paths[path], amount: parts[place], quoted: quoted))
        }
        return PathSplit(legs: legs)
    }
}
