import BigInt
import DexTerminal
import ZeroEx

@testable import Ethereum

extension FuzzTarget {
    /// 256-bit arithmetic, prices and the arithmetic of fills against attaswift's BigInt.
    static let integers = FuzzTarget(
        "integers",
        maximumLength: 160,
        seeds: NumberTarget.integerSeeds
    ) { input in
        var reader = InputReader(input)
        let numbers = (0..<4).map { _ in reader.uint256() }
        try NumberTarget.checkArithmetic(numbers[0], numbers[1], numbers[2], shift: reader.byte())
        try NumberTarget.checkFills(numbers[0], numbers[1], numbers[2])
        try NumberTarget.checkPrices(numbers)
    }

    /// Amounts as people write them: read and shown exactly, in agreement with BigInt; what is
    /// shown rounded is the exact number rounded.
    static let amounts = FuzzTarget(
        "amounts",
        maximumLength: 320,
        seeds: NumberTarget.amountSeeds
    ) { input in
        var reader = InputReader(input)
        let decimals = reader.byte()
        let places = Int(reader.byte() % 100)
        var rest = reader
        try NumberTarget.checkText(String(decoding: reader.rest(), as: UTF8.self), decimals)
        let raw = rest.uint256()
        try NumberTarget.checkAmount(raw, decimals)
        try NumberTarget.checkRounding(raw, rest.uint256(), decimals, rest.byte(), places)
    }
}

/// What the targets about numbers have in common.
enum NumberTarget {
    private static let limit = BigUInt(1) << 256

    private static func big(_ value: UInt256) -> BigUInt {
        BigUInt(words: value.words.map { BigUInt.Word($0) })
    }

    private static func same(
        _ value: UInt256?,
        _ expected: BigUInt?,
        _ what: @autoclosure () -> String
    ) throws {
        try requireEqual(value.map(big), expected, what())
    }

    // MARK: Integers

    static func checkArithmetic(
        _ a: UInt256,
        _ b: UInt256,
        _ c: UInt256,
        shift: UInt8
    ) throws {
        let (x, y, z) = (big(a), big(b), big(c))
        let sum = a.addingReportingOverflow(b)
        try same(sum.partialValue, (x + y) % limit, "a sum")
        try requireEqual(sum.overflow, x + y >= limit, "a sum's overflow")
        let difference = a.subtractingReportingOverflow(b)
        try same(difference.partialValue, (x + limit - y) % limit, "a difference")
        try requireEqual(difference.overflow, x < y, "a difference's overflow")
        let product = a.multipliedReportingOverflow(by: b)
        try same(product.partialValue, (x * y) % limit, "a product")
        try requireEqual(product.overflow, x * y >= limit, "a product's overflow")
        let wide = a.multipliedFullWidth(by: b)
        try requireEqual(big(wide.high) << 256 | big(wide.low), x * y, "a wide product")
        if b != .zero {
            try same(a / b, x / y, "a quotient")
            try same(a % b, x % y, "a remainder")
        }
        if c != .zero {
            let scaled = UInt256.mulDiv(a, b, c)
            let fits = x * y / z < limit
            try same(scaled?.quotient, fits ? x * y / z : nil, "a scaled quotient")
            try same(scaled?.remainder, fits ? x * y % z : nil, "a scaled remainder")
            if wide.high < c {
                let (quotient, remainder) = c.dividingFullWidth((wide.high, wide.low))
                try same(quotient, x * y / z, "a wide quotient")
                try same(remainder, x * y % z, "a wide remainder")
            }
        }
        try same(a << Int(shift), (x << Int(shift)) % limit, "a shift to the left")
        try same(a >> Int(shift), x >> Int(shift), "a shift to the right")
        try requireEqual(a < b, x < y, "an order of numbers")
        try requireEqual(a == b, x == y, "an equality of numbers")
        try requireEqual(256 - a.leadingZeroBitCount, x.bitWidth, "a number's bits")
        try requireEqual(a.description, x.description, "a number's digits")
        try requireEqual(a.quantity, "0x" + String(x, radix: 16), "a quantity")
        try same(UInt256(decimal: a.description), x, "digits that are read")
        try same(UInt256(quantity: a.quantity), x, "a quantity that is read")
        try same(UInt256(a.word), x, "a word")
    }

    /// The contract's own definitions, over numbers without bounds.
    static func checkFills(_ fill: UInt256, _ takerAmount: UInt256, _ makerAmount: UInt256) throws {
        let (f, t, m) = (big(fill), big(takerAmount), big(makerAmount))
        let paid = FillMathV1.partialAmount(
            numerator: fill,
            denominator: takerAmount,
            target: makerAmount
        )
        try same(paid, f * m < limit && t > 0 ? f * m / t : nil, "a payout")
        let isError = FillMathV1.isRoundingError(
            numerator: fill,
            denominator: takerAmount,
            target: makerAmount
        )
        let remainder = t > 0 ? f * m % t : 0
        if remainder == 0 {
            try requireEqual(isError, false, "nothing is rounded")
        } else if f * m < limit, remainder * 1_000_000 < limit {
            try requireEqual(
                isError,
                remainder * 1_000_000 / (f * m) > 1_000,
                "a rounding error"
            )
        } else {
            try requireEqual(isError, nil, "an overflow of the rounding rule")
        }
        try checkSearches(fill, takerAmount, makerAmount)
        try checkFillsV4(fill, takerAmount, makerAmount)
    }

    /// v4's amounts have 128 bits; the low halves of the numbers are such.
    private static func checkFillsV4(
        _ fill: UInt256,
        _ takerAmount: UInt256,
        _ makerAmount: UInt256
    ) throws {
        let amounts = [fill, takerAmount, makerAmount].map { UInt128($0.w1) << 64 | UInt128($0.w0) }
        let (part, whole, target) = (amounts[0], amounts[1], amounts[2])
        let (p, w, t) = (BigUInt(part), BigUInt(whole), BigUInt(target))
        let down = w > 0 ? p * t / w : nil
        let up = w > 0 ? (p * t + w - 1) / w : nil
        let maximum = BigUInt(UInt128.max)
        try requireEqual(
            FillMathV4.partialAmount(part: part, of: whole, target: target).map { BigUInt($0) },
            down.flatMap { $0 <= maximum ? $0 : nil },
            "a payout of v4"
        )
        try requireEqual(
            FillMathV4.partialAmountRoundedUp(part: part, of: whole, target: target)
                .map { BigUInt($0) },
            up.flatMap { $0 <= maximum ? $0 : nil },
            "an amount of v4 rounded up"
        )
        let fillable = FillMathV4.fillableTakerAmount(
            orderMakerAmount: target,
            orderTakerAmount: whole,
            filled: part,
            makerFunds: fill
        )
        let left = w > p ? w - p : 0
        let payout = w > 0 ? min(left * t / w, big(fill)) : 0
        try requireEqual(
            BigUInt(fillable),
            t > 0 ? (payout * w + t - 1) / t : 0,
            "what is fillable of an order of v4"
        )
    }

    private static func checkSearches(
        _ wanted: UInt256,
        _ takerAmount: UInt256,
        _ makerAmount: UInt256
    ) throws {
        func payout(_ fill: UInt256) -> UInt256? {
            FillMathV1.partialAmount(
                numerator: fill,
                denominator: takerAmount,
                target: makerAmount
            )
        }
        func passes(_ fill: UInt256) -> Bool {
            FillMathV1.isRoundingError(
                numerator: fill,
                denominator: takerAmount,
                target: makerAmount
            ) == false
        }
        let minimum = FillMathV1.takerAmount(
            orderMakerAmount: makerAmount,
            orderTakerAmount: takerAmount,
            for: wanted
        )
        if let minimum {
            try require(passes(minimum), "the least fill is refused by the contract")
            try require((payout(minimum) ?? 0) >= wanted, "the least fill pays too little")
            if takerAmount <= 2_000, minimum > 0 {
                let smaller = (0..<minimum.w0).first {
                    let fill = UInt256($0)
                    return passes(fill) && (payout(fill) ?? 0) >= max(wanted, 1)
                }
                try requireEqual(smaller, nil, "there is a lesser fill")
            }
        }
        let largest = FillMathV1.largestFill(
            orderMakerAmount: makerAmount,
            orderTakerAmount: takerAmount,
            upTo: wanted
        )
        if let largest {
            try require(passes(largest), "the largest fill is refused by the contract")
            try require(largest <= min(wanted, takerAmount), "the largest fill is too large")
        }
        guard takerAmount <= 2_000, makerAmount > 0, takerAmount > 0 else { return }
        let from = largest ?? 0
        let larger = (from.w0...min(wanted, takerAmount).w0).dropFirst().first {
            passes(UInt256($0)) && (payout(UInt256($0)) ?? 0) > 0
        }
        try requireEqual(larger, nil, "there is a larger fill")
    }

    static func checkPrices(_ numbers: [UInt256]) throws {
        guard let left = Price(quote: numbers[0], base: numbers[1]),
            let right = Price(quote: numbers[2], base: numbers[3])
        else {
            try require(numbers[1] == .zero || numbers[3] == .zero, "a price was refused")
            return
        }
        let a = big(numbers[0]) * big(numbers[3])
        let b = big(numbers[2]) * big(numbers[1])
        try requireEqual(left < right, a < b, "an order of prices")
        try requireEqual(left == right, a == b, "an equality of prices")
        try requireEqual(left > right, a > b, "an order of prices backwards")
    }

    // MARK: Amounts

    /// The number of a text by its grammar, with BigInt.
    private static func reference(_ text: String, _ decimals: UInt8) -> BigUInt? {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        let isPlain = parts.allSatisfy { part in
            !part.isEmpty && part.unicodeScalars.allSatisfy { ("0"..."9").contains($0) }
        }
        guard isPlain, parts.count <= 2, let whole = BigUInt(parts[0]) else { return nil }
        let scale = BigUInt(10).power(Int(decimals))
        guard parts.count == 2 else { return whole * scale < limit ? whole * scale : nil }
        guard let fraction = BigUInt(parts[1]) else { return nil }
        let (quotient, remainder) = (fraction * scale)
            .quotientAndRemainder(dividingBy: BigUInt(10).power(parts[1].utf8.count))
        let value = whole * scale + quotient
        return remainder == 0 && value < limit ? value : nil
    }

    static func checkText(_ text: String, _ decimals: UInt8) throws {
        let value = try? DecimalText.parse(text, decimals: decimals)
        try same(value, reference(text, decimals), "the amount of \"\(text)\"")
        if let value {
            let shown = DecimalText.format(value, decimals: decimals)
            try require(
                shown.utf8.count <= max(text.utf8.count, 1),
                "\"\(shown)\" is not the shortest text of \"\(text)\""
            )
        }
        try same(
            UInt256(decimal: text),
            text.utf8.contains(UInt8(ascii: ".")) ? nil : reference(text, 0),
            "the digits \"\(text)\""
        )
        let quantity = UInt256(quantity: text)
        if let quantity {
            try same(quantity, BigUInt(text.dropFirst(2), radix: 16), "the quantity \"\(text)\"")
        }
    }

    static func checkAmount(_ raw: UInt256, _ decimals: UInt8) throws {
        let text = DecimalText.format(raw, decimals: decimals)
        let again = try DecimalText.parse(text, decimals: decimals)
        try requireEqual(again, raw, "an amount that is shown is read again")
        let token = Token(address: .zero, symbol: "T", name: "T", decimals: decimals)
        let amount = TokenAmount(raw: raw, token: token)
        try requireEqual(try TokenAmount(amount.value, of: token), amount, "an amount of a token")
        try require(
            !text.hasSuffix(".") && (!text.contains(".") || !text.hasSuffix("0"))
                && (!text.hasPrefix("0") || text == "0" || text.hasPrefix("0.")),
            "\"\(text)\" is not the shortest text"
        )
    }

    static func checkRounding(
        _ quote: UInt256,
        _ base: UInt256,
        _ quoteDecimals: UInt8,
        _ baseDecimals: UInt8,
        _ places: Int
    ) throws {
        guard let price = Price(quote: quote, base: base) else { return }
        let tokens = [baseDecimals, quoteDecimals].map {
            Token(address: .zero, symbol: "T", name: "T", decimals: $0)
        }
        let ratio = Ratio(price, base: tokens[0], quote: tokens[1])
        let numerator = big(quote) * BigUInt(10).power(Int(baseDecimals) + places)
        let denominator = big(base) * BigUInt(10).power(Int(quoteDecimals))
        let (quotient, remainder) = numerator.quotientAndRemainder(dividingBy: denominator)
        let cases: [(Ratio.Rounding, BigUInt)] = [
            (.down, quotient),
            (.up, remainder == 0 ? quotient : quotient + 1),
            (.nearest, remainder * 2 >= denominator ? quotient + 1 : quotient),
        ]
        for (rounding, expected) in cases {
            let text = ratio.text(places: places, rounding: rounding)
            let digits = text.filter { $0 != "." }
            try requireEqual(BigUInt(digits), expected, "a price rounded \(rounding) as \(text)")
            let behind = text.split(separator: ".").dropFirst().first?.utf8.count ?? 0
            try requireEqual(behind, places, "the digits behind the point of \(text)")
        }
    }
}
