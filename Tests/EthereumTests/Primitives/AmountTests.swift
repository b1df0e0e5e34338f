import DexTestSupport
import Ethereum
import Testing

@Suite("Amounts")
struct AmountTests {
    @Test(
        "decimal texts become base units exactly",
        arguments: [
            ("1.5", 18, "1500000000000000000"), ("0", 18, "0"), ("0.0", 0, "0"),
            ("1", 0, "1"), ("1.000", 0, "1"), ("007.50", 1, "75"), ("0.000001", 6, "1"),
            ("0.1", 255, nil), ("0", 255, "0"),
            (
                "115792089237316195423570985008687907853269984665640564039457.584007913129639935",
                18,
                "115792089237316195423570985008687907853269984665640564039457584007913129639935"
            ),
            ("0." + String(repeating: "0", count: 254) + "1", 255, "1"),
            ("123456.789", 3, "123456789"),
        ]
    )
    func parse(text: String, decimals: UInt8, raw: String?) throws {
        guard let raw else {
            #expect(throws: DecimalTextError.tooLarge(text)) {
                try DecimalText.parse(text, decimals: decimals)
            }
            return
        }
        #expect(try DecimalText.parse(text, decimals: decimals).description == raw)
    }

    @Test(
        "texts that are no plain decimal number are refused",
        arguments: [
            "", ".", "1.", ".5", "1.2.3", "-1", "+1", "1e18", "1,5", "1 000", " 1", "1 ", "1_0",
            "0x1", "NaN", "inf", "１", "1.٥", "1\u{0}", "½",
        ]
    )
    func malformed(text: String) {
        for decimals in [0, 18, 255] as [UInt8] {
            #expect(throws: DecimalTextError.malformed(text)) {
                try DecimalText.parse(text, decimals: decimals)
            }
        }
    }

    @Test("more digits than the token has are an error, never a rounding")
    func tooManyDigits() throws {
        #expect(throws: DecimalTextError.tooManyDigits("0.1", decimals: 0)) {
            try DecimalText.parse("0.1", decimals: 0)
        }
        #expect(throws: DecimalTextError.tooManyDigits("1.2345678", decimals: 6)) {
            try DecimalText.parse("1.2345678", decimals: 6)
        }
        #expect(try DecimalText.parse("1.2345670", decimals: 6) == 1_234_567)
    }

    @Test("amounts beyond 256 bits are an error")
    func tooLarge() {
        for (text, decimals) in [
            ("115792089237316195423570985008687907853269984665640564039457.584007913129639936", 18),
            (String(repeating: "9", count: 100_000), 0), ("1", 78),
        ] as [(String, UInt8)] {
            #expect(throws: DecimalTextError.tooLarge(text)) {
                try DecimalText.parse(text, decimals: decimals)
            }
        }
    }

    @Test(
        "base units are written as the shortest exact decimal text",
        arguments: [
            (UInt256(0), 18, "0"), (1, 18, "0.000000000000000001"), (1, 0, "1"),
            (1_500_000_000_000_000_000, 18, "1.5"), (100, 2, "1"), (101, 2, "1.01"),
            (10, 2, "0.1"), (120_000, 0, "120000"),
            (
                .max, 18,
                "115792089237316195423570985008687907853269984665640564039457.584007913129639935"
            ),
        ] as [(UInt256, UInt8, String)]
    )
    func format(value: UInt256, decimals: UInt8, text: String) throws {
        #expect(DecimalText.format(value, decimals: decimals) == text)
        #expect(try DecimalText.parse(text, decimals: decimals) == value)
    }

    @Test("what is written is read back, for every number of decimals")
    func roundTrip() throws {
        var generator = SeededGenerator(seed: 51)
        for decimals in UInt8.min...UInt8.max {
            let value =
                UInt256(
                    w0: generator.next(),
                    w1: generator.next(),
                    w2: generator.next(),
                    w3: generator.next()
                ) >> Int(generator.next() % 256)
            let text = DecimalText.format(value, decimals: decimals)
            #expect(try DecimalText.parse(text, decimals: decimals) == value)
            #expect(!text.hasPrefix(".") && !text.hasSuffix("."))
        }
    }

    @Test("token amounts use the token's decimals, base units where they are unknown")
    func tokens() throws {
        let zrx = Token(address: .zero, symbol: "ZRX", name: "0x", decimals: 18)
        let unknown = Token(address: .zero, symbol: "???", name: "", decimals: nil)
        #expect(try TokenAmount("1.5", of: zrx).raw == 1_500_000_000_000_000_000)
        #expect(TokenAmount(raw: 5, token: zrx).value == "0.000000000000000005")
        #expect(try TokenAmount("15", of: unknown).raw == 15)
        #expect(TokenAmount(raw: 15, token: unknown).value == "15")
        #expect(throws: DecimalTextError.tooManyDigits("1.5", decimals: 0)) {
            try TokenAmount("1.5", of: unknown)
        }
    }

    @Test("sums, differences and products of wei report what does not fit")
    func wei() {
        let maximum = Wei(.max)
        #expect(Wei(2).adding(Wei(3)) == Wei(5))
        #expect(maximum.adding(Wei(1)) == nil)
        #expect(maximum.adding(.zero) == maximum)
        #expect(Wei(3).subtracting(Wei(2)) == Wei(1))
        #expect(Wei(2).subtracting(Wei(3)) == nil)
        #expect(Wei(21_000).multiplied(by: 2) == Wei(42_000))
        #expect(maximum.multiplied(by: 2) == nil)
        #expect(Wei(1) < Wei(2))
        #expect("\(Wei(20_000_000_000))" == "20000000000")
    }

    @Test("each error is a sentence")
    func sentences() {
        #expect(
            "\(DecimalTextError.malformed("1,5"))"
                == "\"1,5\" is not an amount: digits with at most one point are expected, "
                + "such as 1.5."
        )
        #expect(
            "\(DecimalTextError.tooManyDigits("0.1", decimals: 0))"
                == "0.1 has more digits behind the point than the token's 0; "
                + "amounts are never rounded."
        )
        #expect(
            "\(DecimalTextError.tooLarge("9"))"
                == "9 is more than any token amount can be (2^256 - 1 base units)."
        )
    }
}
