import DexCore
import DexTestSupport
import Ethereum
import ZeroEx

/// One market order against a book that honest and hostile makers share, made from a seed.
///
/// The honest part serves the whole amount at a price within 0.3 % of the reference. A token is
/// worth what `value` says; nobody else has to agree.
struct HostileScenario: Sendable {
    /// What the honest makers ask beyond the reference, in hundredths of a percent.
    static let honestSpread: UInt64 = 30

    let seed: UInt64
    let side: TradeSide
    let base: EVMToken
    let quote: EVMToken
    /// Base units of BASE.
    let amount: UInt256
    private(set) var orders: [ScenarioOrder] = []
    /// The hostile maker's funds go right before the fill is mined.
    let drains: Bool
    private var random: SeededGenerator
    private let isV4: Bool

    /// Wei that a whole token is worth.
    static func value(of token: EVMToken) -> UInt256 {
        switch token {
        case .weth: 1_000_000_000_000_000_000
        case .zrx: 1_000_000_000_000_000
        default: 500_000_000_000_000
        }
    }

    init(seed: UInt64, isV4: Bool) {
        self.seed = seed
        self.isV4 = isV4
        random = SeededGenerator(seed: seed)
        side = random.chance(50) ? .buy : .sell
        (base, quote) = random.pick([
            (EVMToken.zrx, EVMToken.weth), (EVMToken.dai, EVMToken.weth),
            (EVMToken.dai, EVMToken.weth), (EVMToken.zrx, EVMToken.dai),
        ])
        drains = random.chance(25)
        // Between 0.02 and 1 ether, with digits down to the last.
        let marketValue = UInt256(20 + UInt64(random.below(980))) * 1_000_000_000_000_000
        amount =
            Self.times(marketValue, Self.unit, Self.value(of: base))
            + UInt256(UInt64(random.below(999)))
        addHonest()
        for _ in 0..<(1 + random.below(10)) { add(random.pick(HostileTrick.allCases)) }
        orders.shuffle(using: &random)
    }

    private static let unit: UInt256 = 1_000_000_000_000_000_000

    /// a x b / c, rounded down.
    static func times(_ a: UInt256, _ b: UInt256, _ c: UInt256) -> UInt256 {
        UInt256.mulDiv(a, b, c)?.quotient ?? .max
    }

    /// QUOTE for so much BASE at a share of the reference price, in hundredths of a percent of it.
    ///
    /// More than 10,000 is better for the maker, on either side.
    private func quote(for base: UInt256, at points: UInt64) -> UInt256 {
        let value = Self.times(base, Self.value(of: self.base), Self.value(of: quote))
        let (up, down) = side == .buy ? (points, 10_000) : (10_000, points)
        return max(Self.times(value, UInt256(up), UInt256(down)), 1)
    }

    private func part(_ thousandths: Int) -> UInt256 {
        max(Self.times(amount, UInt256(UInt64(thousandths)), 1_000), 1)
    }

    // MARK: Honest

    private mutating func addHonest() {
        for index in 0..<(3 + random.below(4)) {
            let base = part(450 + random.below(500))
            let spread = UInt64(random.below(Int(Self.honestSpread)))
            orders.append(
                ScenarioOrder(
                    terms: HostileTerms(
                        maker: index % 2 == 0 ? .bob : .carol,
                        base: base,
                        quote: quote(for: base, at: 10_000 + spread),
                        salt: salt()
                    )
                )
            )
        }
    }

    private mutating func honest() -> HostileTerms {
        random.pick(orders.filter { $0.trick == nil }.map(\.terms))
    }

    private mutating func salt() -> UInt64 { random.next() >> 8 }

    // MARK: Tricks

    private mutating func add(_ trick: HostileTrick) {
        let base = part(100 + random.below(900))
        var terms = HostileTerms(
            maker: .dave,
            base: base,
            quote: quote(for: base, at: 9_000),
            salt: salt()
        )
        var signed: HostileTerms?
        switch trick {
        case .crumb:
            // At most four thousandths of what is wanted: several are still crumbs.
            terms.base = max(part(1 + random.below(4)) >> random.below(40), 1)
            terms.quote = quote(for: terms.base, at: UInt64(10 + random.below(6_000)))
        case .absurdRatio:
            terms.maker = .relay
            (terms.base, terms.quote) = absurd()
        case .takerFee:
            // Not so cheap that the rest of the book is over 20 % worse: that is refused, and rightly,
            // where it is more than a crumb.
            terms.quote = quote(for: base, at: UInt64(8_500 + random.below(1_400)))
            terms.takerFee = fee(for: base)
        case .roundingTrap:
            terms = trap(terms)
        case .expiry:
            terms.expires = random.pick([-100_000, -10, 1, 30, 90])
        case .unfunded:
            terms.maker = .coinbase
        case .forgedSignature, .copy:
            terms = honest()
        case .forgedTerms:
            let original = honest()
            terms = original
            terms.quote = quote(for: terms.base, at: 5_000)
            signed = original
        case .otherTaker:
            terms.taker = .bob
        case .overpriced:
            terms.quote = quote(for: base, at: 100_000)
        case .drained:
            terms.quote = quote(for: base, at: 9_800 + UInt64(random.below(200)))
        case .sharedFunds:
            terms.quote = quote(for: base, at: UInt64(9_700 + random.below(300)))
            terms.base = terms.base << 6
            terms.quote = terms.quote << 6
        }
        orders.append(ScenarioOrder(terms: terms, trick: trick, signed: signed))
    }

    private mutating func absurd() -> (UInt256, UInt256) {
        let maximum = isV4 ? 127 : 255
        let high = maximum - random.below(60)
        let low = random.chance(50) ? high - 11 : random.below(maximum)
        let (large, small) = (UInt256(1) << high, UInt256(1) << low)
        return random.chance(70) == (side == .buy) ? (large, small) : (small, large)
    }

    /// In base units of ZRX on v1, of what the taker pays on v4; from a hundredth of what is traded
    /// to ten times as much.
    private mutating func fee(for base: UInt256) -> UInt256 {
        let marketValue = Self.times(base, Self.value(of: self.base), Self.unit)
        let token: EVMToken = isV4 ? (side == .buy ? quote : self.base) : .zrx
        let whole = Self.times(marketValue, Self.unit, Self.value(of: token))
        return Self.times(whole, UInt256(UInt64(1 + random.below(1_000))), 100)
    }

    /// Few units of one token for many of the other: most parts cannot be paid out evenly.
    private mutating func trap(_ terms: HostileTerms) -> HostileTerms {
        var trap = terms
        let few = UInt256(UInt64(1 + random.below(2_000)))
        if side == .buy {
            trap.quote = few
            trap.base = few * UInt256(UInt64(1 + random.below(5_000)))
        } else {
            trap.base = few
            trap.quote = max(few / UInt256(UInt64(1 + random.below(5_000))), 1)
        }
        return trap
    }
}
