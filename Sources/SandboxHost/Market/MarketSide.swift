import Ethereum

/// The prices and sizes of one side of a book, from the best price outward.
struct MarketSide: Sendable {
    struct Level: Hashable, Sendable {
        /// Quote base units for one whole base token.
        let price: UInt64
        /// Base units of the base token.
        let amount: UInt256
    }

    let levels: [Level]

    /// The maximum number of distinct prices of a side; more orders share prices.
    private static let maximumPrices = 400

    /// Creates this many orders; gaps widen and sizes grow outward, as on a live book.
    init(_ pair: MarketPair, isAsk: Bool, count: Int, random: inout MarketRandom) {
        let prices = min(max(count, 1), Self.maximumPrices)
        // Gaps rise evenly, so the sum of `prices` of them is half of prices squared.
        let unit = 2 * MarketPair.reach * 1_000 / UInt64(prices * prices)
        var distance = (pair.halfSpread + random.number(in: 0...pair.halfSpread / 4)) * 1_000
        var distances: [UInt64] = []
        for index in 0..<prices {
            distances.append(distance)
            distance += random.number(in: unit / 2...unit * UInt64(index + 1) * 3 / 2 + unit)
        }
        var levels: [Level] = []
        for index in 0..<count {
            let offset = Self.offset(of: pair.mid, distances[index * prices / count])
            let price = isAsk ? pair.mid + offset : pair.mid - min(offset, pair.mid / 2)
            let rest = price % pair.tick
            let rounded = price - rest + (isAsk && rest > 0 ? pair.tick : 0)
            levels.append(Level(price: rounded, amount: Self.amount(of: pair, &random)))
        }
        self.levels = levels
    }

    /// A share of the middle price; the distance is in thousandths of a millionth.
    private static func offset(of mid: UInt64, _ distance: UInt64) -> UInt64 {
        let product = mid.multipliedFullWidth(by: distance)
        return UInt64(1_000_000_000).dividingFullWidth(product).quotient
    }

    /// Many small orders, some medium ones, few large ones.
    private static func amount(of pair: MarketPair, _ random: inout MarketRandom) -> UInt256 {
        let lots =
            switch random.number(in: 1...100) {
            case 1...50: random.number(in: 2...20)
            case 51...85: random.number(in: 21...90)
            default: random.number(in: 10...40) * 10
            }
        return pair.lot * UInt256(lots)
    }
}
