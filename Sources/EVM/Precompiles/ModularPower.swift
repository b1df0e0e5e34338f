import Ethereum
import OpenSSL

/// base^exponent modulo a modulus, with their lengths in front.
///
/// Source: EIP-198, EIP-2565, and from Osaka on EIP-7823 and EIP-7883.
struct ModularPower {
    private let input: [UInt8]
    private let base: Int
    private let exponent: Int
    private let modulus: Int
    /// Known before any of the numbers is read.
    let price: Int64

    /// The longest number since Osaka, in bytes.
    private static let maximumBytes: UInt256 = 1_024
    /// Longer ones cost more than any transaction has.
    private static let maximumPayable: UInt256 = 1 << 28
    private static let headBytes = 32
    private static let lengthBytes = 96

    /// nil for lengths that fail whatever the gas.
    init?(_ input: [UInt8], _ revision: Revision, _ prices: GasPrices.Power) {
        func length(_ index: Int) -> UInt256 { UInt256(input.word(at: 32 * index)) }
        let (bases, exponents, moduli) = (length(0), length(1), length(2))
        let isBounded = revision >= .osaka
        guard max(bases, moduli) <= (isBounded ? Self.maximumBytes : Self.maximumPayable) else {
            return nil
        }
        self.input = input
        base = Int(bases.w0)
        modulus = Int(moduli.w0)
        if !isBounded, base == 0, modulus == 0 {
            // The exponent does not count, however long it says it is.
            (exponent, price) = (0, prices.minimum)
            return
        }
        guard exponents <= (isBounded ? Self.maximumBytes : Self.maximumPayable) else { return nil }
        exponent = Int(exponents.w0)
        price = Self.price(
            prices,
            longest: Int64(max(base, modulus)),
            head: input.padded(
                from: Self.lengthBytes + base,
                count: min(Self.headBytes, exponent)
            ),
            beyond: Int64(max(0, exponent - Self.headBytes))
        )
    }

    private static func price(
        _ prices: GasPrices.Power,
        longest: Int64,
        head: [UInt8],
        beyond: Int64
    ) -> Int64 {
        let words = (longest + 7) / 8
        let isShort = longest <= Int64(headBytes)
        let complexity = isShort ? prices.short ?? words * words : prices.square * words * words
        let bits = Int64(255 - (UInt256(bigEndian: head) ?? .zero).leadingZeroBitCount)
        let iterations = max(1, prices.exponentByte * beyond + max(0, bits))
        let (product, overflow) = complexity.multipliedReportingOverflow(by: iterations)
        return overflow ? .max : max(prices.minimum, product / prices.divisor)
    }

    /// As many bytes as the modulus has.
    func run() -> [UInt8] {
        guard modulus > 0 else { return [] }
        let first = Self.lengthBytes
        return BigNumber.power(
            input.padded(from: first, count: base),
            input.padded(from: first + base, count: exponent),
            modulo: input.padded(from: first + base + exponent, count: modulus)
        )
    }
}
