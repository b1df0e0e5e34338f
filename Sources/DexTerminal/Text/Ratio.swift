package import Ethereum
package import ZeroEx

/// An exact number to show: numerator / denominator x 10^shift, in integers only.
package struct Ratio: Sendable {
    /// The rounding of a number with more digits than shown; always explicit.
    package enum Rounding: Sendable {
        /// Towards zero: amounts that the user gets or can fill.
        case down
        /// Away from zero: amounts that the user pays.
        case up
        /// Half up.
        case nearest
    }

    private let numerator: UInt256
    /// Never zero.
    private let denominator: UInt256
    private let shift: Int

    /// A price in human units, QUOTE per BASE; raw units if decimals are unknown.
    package init(_ price: Price, base: Token, quote: Token) {
        numerator = price.quote
        denominator = price.base
        shift = Int(base.decimals ?? 0) - Int(quote.decimals ?? 0)
    }

    /// An amount in human units; base units if the decimals are unknown.
    package init(_ raw: UInt256, decimals: UInt8?) {
        numerator = raw
        denominator = 1
        shift = -Int(decimals ?? 0)
    }

    /// The position of the first digit that is not zero: 2 for 123.4, -3 for 0.00123; nil for zero.
    package var exponent: Int? {
        guard numerator != .zero else { return nil }
        let whole = numerator / denominator
        if whole != .zero { return whole.description.count - 1 + shift }
        // The first non-zero decimal is within 78 digits, as 2^256 < 10^78.
        var rest = numerator % denominator
        var position = -1
        while position > -80 {
            let digit = Self.nextDigit(&rest, denominator)
            if digit != 0 { return position + shift }
            position -= 1
        }
        return nil
    }

    /// The number with exactly this many decimals.
    package func text(places: Int, rounding: Rounding) -> String {
        let places = max(0, places)
        let whole = numerator / denominator
        var rest = numerator % denominator
        var digits = whole.description.utf8.map { $0 - 0x30 }
        // One more digit than shown decides the rounding.
        let fraction = places + shift + 1
        if fraction > 0 {
            for _ in 0..<fraction { digits.append(Self.nextDigit(&rest, denominator)) }
        }
        let dropped = fraction > 0 ? 1 : 1 - fraction
        var isCut = rest != .zero
        var first: UInt8 = 0
        for _ in 0..<dropped {
            first = digits.popLast() ?? 0
            if first != 0 { isCut = true }
        }
        let increments =
            switch rounding {
            case .down: false
            case .up: isCut
            case .nearest: first >= 5
            }
        if increments { Self.increment(&digits) }
        return Self.layOut(digits, places: places)
    }

    /// The number with at most this many significant digits, half up, without trailing zeros.
    package func text(significant count: Int) -> String {
        guard let exponent else { return "0" }
        return shortened(places: max(0, count - 1 - exponent), rounding: .nearest)
    }

    /// The number with at most this many decimals, without trailing zeros.
    func shortened(places: Int, rounding: Rounding) -> String {
        var text = text(places: places, rounding: rounding)
        guard text.contains(".") else { return text }
        while text.last == "0" { text.removeLast() }
        if text.last == "." { text.removeLast() }
        return text
    }

    /// The number times 10^places as an integer; nil beyond 256 bits.
    package func scaled(places: Int, rounding: Rounding) -> UInt256? {
        let exponent = max(0, places) + shift
        guard let power = Self.power(exponent.magnitude) else { return nil }
        let value: (quotient: UInt256, remainder: UInt256)?
        let divisor: UInt256
        if exponent >= 0 {
            divisor = denominator
            value = UInt256.mulDiv(numerator, power, divisor)
        } else {
            let (product, overflow) = denominator.multipliedReportingOverflow(by: power)
            guard !overflow else { return nil }
            divisor = product
            value = numerator.quotientAndRemainder(dividingBy: product)
        }
        guard let value else { return nil }
        let increments =
            switch rounding {
            case .down: false
            case .up: value.remainder != .zero
            case .nearest: value.remainder >= divisor - value.remainder
            }
        guard increments else { return value.quotient }
        let (sum, overflow) = value.quotient.addingReportingOverflow(1)
        return overflow ? nil : sum
    }

    /// nil beyond 256 bits.
    static func power(_ exponent: UInt) -> UInt256? {
        powers.indices.contains(Int(clamping: exponent)) ? powers[Int(exponent)] : nil
    }

    private static let powers: [UInt256] = (0..<77).reduce(into: [1]) { powers, index in
        powers.append(powers[index] * 10)
    }

    private static func nextDigit(_ rest: inout UInt256, _ denominator: UInt256) -> UInt8 {
        let product = rest.multipliedFullWidth(by: 10)
        if product.high == .zero {
            // Subtraction finds a digit faster than a division of 256 bits.
            var digit: UInt8 = 0
            rest = product.low
            while rest >= denominator {
                rest = rest &- denominator
                digit += 1
            }
            return digit
        }
        let (digit, remainder) = denominator.dividingFullWidth((product.high, product.low))
        rest = remainder
        return UInt8(truncatingIfNeeded: digit.w0)
    }

    private static func increment(_ digits: inout [UInt8]) {
        var index = digits.count - 1
        while index >= 0 {
            if digits[index] < 9 {
                digits[index] += 1
                return
            }
            digits[index] = 0
            index -= 1
        }
        digits.insert(1, at: 0)
    }

    private static func layOut(_ digits: [UInt8], places: Int) -> String {
        var text = Array(digits.drop { $0 == 0 })
        if text.count < places + 1 {
            text.insert(contentsOf: repeatElement(0, count: places + 1 - text.count), at: 0)
        }
        var bytes = text.map { $0 + 0x30 }
        if places > 0 { bytes.insert(UInt8(ascii: "."), at: bytes.count - places) }
        return String(decoding: bytes, as: UTF8.self)
    }
}
