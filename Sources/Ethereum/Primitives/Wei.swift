/// An amount of ether, or a price of gas, in wei (10^-18 ether).
public struct Wei: Hashable, Sendable {
    /// The number of wei.
    public let rawValue: UInt256

    /// No wei.
    public static let zero = Wei(0)

    /// An amount in wei.
    public init(_ rawValue: UInt256) {
        self.rawValue = rawValue
    }

    /// The sum; nil if it exceeds 256 bits.
    ///
    /// Example: `Wei(3).adding(Wei(4))` is `Optional(7)`.
    public func adding(_ other: Wei) -> Wei? {
        let (sum, overflow) = rawValue.addingReportingOverflow(other.rawValue)
        return overflow ? nil : Wei(sum)
    }

    /// The difference; nil if it would be negative.
    ///
    /// Example: `Wei(3).subtracting(Wei(4))` is `nil`.
    public func subtracting(_ other: Wei) -> Wei? {
        let (difference, overflow) = rawValue.subtractingReportingOverflow(other.rawValue)
        return overflow ? nil : Wei(difference)
    }

    /// The product, such as a gas price times an amount of gas; nil if it exceeds 256 bits.
    ///
    /// Example: `Wei(2_000_000_000).multiplied(by: 21_000)` is `Optional(42000000000000)`.
    public func multiplied(by factor: UInt256) -> Wei? {
        let (product, overflow) = rawValue.multipliedReportingOverflow(by: factor)
        return overflow ? nil : Wei(product)
    }
}

extension Wei: Comparable {
    /// Orders amounts by size.
    public static func < (left: Wei, right: Wei) -> Bool {
        left.rawValue < right.rawValue
    }
}

extension Wei: CustomStringConvertible {
    /// The number of wei in decimal digits.
    public var description: String {
        rawValue.description
    }
}
