import Ethereum

/// A set of block numbers as ascending ranges that neither overlap nor touch.
package struct BlockSpans: Hashable, Sendable {
    package private(set) var ranges: [ClosedRange<UInt64>] = []

    package init() {}

    /// - Parameter ranges: in any order; they may overlap.
    package init(_ ranges: [ClosedRange<UInt64>]) {
        for range in ranges { insert(range) }
    }

    package var isEmpty: Bool { ranges.isEmpty }

    /// The number of blocks; the largest number if there are more.
    package var count: UInt64 {
        ranges.reduce(0) { sum, range in
            sum.addingSaturating((range.upperBound - range.lowerBound).addingSaturating(1))
        }
    }

    package func contains(_ block: UInt64) -> Bool {
        ranges.contains { $0.contains(block) }
    }

    package mutating func insert(_ range: ClosedRange<UInt64>) {
        var merged = range
        var others: [ClosedRange<UInt64>] = []
        for other in ranges {
            let isApart =
                other.upperBound.addingSaturating(1) < merged.lowerBound
                || merged.upperBound.addingSaturating(1) < other.lowerBound
            if isApart {
                others.append(other)
            } else {
                merged =
                    min(
                        merged.lowerBound,
                        other.lowerBound
                    )...max(
                        merged.upperBound,
                        other.upperBound
                    )
            }
        }
        ranges = (others + [merged]).sorted { $0.lowerBound < $1.lowerBound }
    }

    package mutating func remove(_ range: ClosedRange<UInt64>) {
        ranges = ranges.flatMap { known -> [ClosedRange<UInt64>] in
            guard known.overlaps(range) else { return [known] }
            var rest: [ClosedRange<UInt64>] = []
            if known.lowerBound < range.lowerBound {
                rest.append(known.lowerBound...(range.lowerBound - 1))
            }
            if known.upperBound > range.upperBound {
                rest.append((range.upperBound + 1)...known.upperBound)
            }
            return rest
        }
    }

    /// The blocks that are not in another set.
    package func subtracting(_ others: BlockSpans) -> BlockSpans {
        var rest = self
        for range in others.ranges { rest.remove(range) }
        return rest
    }

    /// The blocks that are also in a range.
    package func clamped(to range: ClosedRange<UInt64>) -> BlockSpans {
        BlockSpans(ranges.filter { $0.overlaps(range) }.map { $0.clamped(to: range) })
    }
}
