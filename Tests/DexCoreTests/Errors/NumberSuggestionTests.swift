import Ethereum
import Testing

@testable import DexCore
@testable import DexCoreTestSupport

@Suite("The amount that was probably meant")
struct NumberSuggestionTests {
    @Test(
        "a mistyped number finds what it may mean",
        arguments: [
            ("1,5", ["1.5"]), ("0,500", ["0.500"]), ("1,500", ["1500", "1.500"]),
            ("1,234.5", ["1234.5"]), ("1.234,5", ["1234.5"]), ("1,234,567", ["1234567"]),
            ("1e3", ["1000"]), ("1.5E3", ["1500"]), ("1e-3", ["0.001"]), ("25e-1", ["2.5"]),
            ("5.", ["5"]), ("1K", ["1k"]), ("1,5k", ["1.5k"]), ("50 %", ["50%"]), ("+5", ["5"]),
            ("1_000", ["1000"]), ("$5", ["5"]), ("100ZRX", ["100"]), ("MAX", ["max"]),
            ("all", ["max"]),
        ]
    )
    func meant(text: String, expected: [String]) {
        #expect(NumberSuggestion.meant(by: text) == expected)
        #expect(expected.allSatisfy(NumberSuggestion.isAmount))
    }

    @Test(
        "an amount, and what is near to none, has no suggestion",
        arguments: [
            "1.5", ".5", "1k", "max", "50%", "much", "", "-1", "1e999", "1e", "e3", "1.2e3.4",
        ]
    )
    func nothing(text: String) {
        #expect(NumberSuggestion.meant(by: text).isEmpty)
        #expect(NumberSuggestion.question(text) == nil)
    }

    @Test("an error of an amount asks for it")
    func hint() {
        #expect(DexError(DecimalTextError.malformed("1,5")).hint == "Did you mean 1.5?")
        #expect(InputError.badPercent("1,5").hint?.hasPrefix("Did you mean 1.5?") == true)
    }
}
