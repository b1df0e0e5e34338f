import Ethereum
import Testing

@testable import DexCore
@testable import DexCoreTestSupport

@Suite("Amounts as traders type them")
struct AmountExpressionTests {
    @Test(
        "numbers are read exactly",
        arguments: [
            ("1", 18, "1000000000000000000"), ("1.5", 18, "1500000000000000000"),
            (".5", 18, "500000000000000000"), ("0.5", 6, "500000"), ("1k", 6, "1000000000"),
            ("1.5k", 0, "1500"), (".5k", 0, "500"), ("1.2345k", 1, "12345"), ("007", 0, "7"),
            ("1.500", 1, "15"), ("0.001k", 0, "1"),
        ] as [(String, UInt8, String)]
    )
    func numbers(text: String, decimals: UInt8, units: String) throws {
        guard case .number(let number) = try AmountExpression(text) else {
            Issue.record("\(text) is no number")
            return
        }
        #expect(try number.units(decimals: decimals).description == units)
        let token = Token(address: .zero, symbol: "T", name: "", decimals: decimals)
        #expect(try TokenAmount.positive(text, of: token).description == units)
    }

    @Test(
        "everything else is refused as before, with exit 2",
        arguments: [
            "", " ", ".", "k", ".k", "1,5", "1.5.", "5.", "5.k", "1 k", "1K", "1kk", "1m", "1e3",
            "-1", "+1", "0x10", "١", "1_000", "1.2.3", "..5", " 1", "1 ", "MAX", "Max", "max ",
            "all",
            "half", "0", "0.0", "0k", ".0", "1.23456789", "1.2345678912k", "max", "50%",
            String(repeating: "9", count: 90),
        ]
    )
    func refused(text: String) {
        let token = Token(address: .zero, symbol: "T", name: "", decimals: 6)
        let error = #expect(throws: DexError.self) { try TokenAmount.positive(text, of: token) }
        #expect(
            error?.code == "bad-amount" && error?.exit == .usage,
            "\(String(describing: error))"
        )
    }

    @Test(
        "parts of what can be spent",
        arguments: [
            ("max", 10_000), ("100%", 10_000), ("50%", 5_000), ("0.01%", 1), (".5%", 50),
            ("33.33%", 3_333), ("1.50%", 150),
        ] as [(String, UInt64)]
    )
    func shares(text: String, share: UInt64) throws {
        #expect(try AmountExpression(text) == .share(share))
    }

    @Test(
        "a percentage of nothing, of more than all, or too exact is refused with exit 2",
        arguments: [
            "%", "0%", "0.00%", "0.001%", "100.01%", "101%", "1k%", "-5%", "5,5%", "5%%", "max%",
            "1e1%",
        ]
    )
    func badShares(text: String) {
        let error = #expect(throws: DexError.self) { try AmountExpression(text) }
        #expect(error?.code == "bad-amount" && error?.exit == .usage)
    }

    @Test("a part is never more than its share, and less by under one unit, in 2,000 cases")
    func partsRoundDown() {
        var random = SystemRandom(seed: 5)
        for _ in 0..<2_000 {
            let share = random.next(in: 1...10_000)
            let amount =
                UInt256(random.next(in: 0...UInt64.max - 1)) << Int(random.next(in: 0...190))
            let part = AmountExpression.part(share, of: amount)
            let exact = ExactProduct([amount, UInt256(share)])
            #expect(part <= amount)
            #expect(ExactProduct([part, 10_000]) <= exact)
            #expect(ExactProduct([part + 1, 10_000]) > exact)
        }
        #expect(AmountExpression.part(10_000, of: .max) == .max)
        #expect(AmountExpression.part(5_000, of: 1) == 0)
    }
}
