import Ethereum

/// The sizes at which a market order may be divided: what the book takes of it, ascending.
///
/// They are the ends of the book's orders, best first, and even steps within large ones. What a trade
/// costs over them falls and then rises, since each next order is worse and each unit less elsewhere
/// is cheaper there; so a few points and the range beside the best of them find the best.
struct SplitSizes {
    /// Base units, in the unit of the order's size.
    let sizes: [UInt256]

    /// A part below this share of the order is not split off: a thousandth.
    static let smallest: UInt256 = 1000
    /// An order above this share of the whole is divided into steps: a twentieth.
    static let step: UInt256 = 20
    /// How many sizes are priced at the same time.
    static let points = 4

    /// - Parameters:
    ///   - orders: what each order of the book takes, in the order in which they are filled.
    ///   - whole: the order's size, in the same unit.
    init(of orders: [UInt256], whole: UInt256) {
        var sizes: [UInt256] = []
        var begin = UInt256.zero
        let step = max(whole / Self.step, 1)
        let minimum = max(whole / Self.smallest, 1)
        for order in orders {
            let end = begin.addingSaturating(order)
            var next = begin.addingSaturating(step)
            while next < end, next < whole {
                sizes.append(next)
                next = next.addingSaturating(step)
            }
            sizes.append(end)
            begin = end
            guard end < whole else { break }
        }
        self.sizes = sizes.filter { $0 >= minimum && $0 < whole && whole - $0 >= minimum }
    }

    /// The indices of a range that are priced first: its ends and even steps between them.
    static func grid(_ range: ClosedRange<Int>) -> [Int] {
        guard range.count > points else { return Array(range) }
        return (0..<points).map {
            range.lowerBound + (range.count - 1) * $0 / (points - 1)
        }
    }

    /// The range between the neighbours of the best index of a grid.
    static func range(beside best: Int, in grid: [Int]) -> ClosedRange<Int> {
        guard let position = grid.firstIndex(of: best) else { return best...best }
        let lower = position > 0 ? grid[position - 1] + 1 : best
        let upper = position + 1 < grid.count ? grid[position + 1] - 1 : best
        return lower...max(lower, upper)
    }
}
