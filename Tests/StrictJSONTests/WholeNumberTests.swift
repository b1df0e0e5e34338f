import StrictJSON
import Testing

@Suite("Whole numbers in any notation")
struct WholeNumberTests {
    @Test(
        "a number that is exactly an integer gives its digits",
        arguments: [
            ("0", "0"), ("262144", "262144"), ("007", "7"), ("3.0", "3"),
            ("1.7e+21", "1700000000000000000000"), ("1e3", "1000"), ("1E3", "1000"),
            ("2500e-2", "25"),
            ("0.5e1", "5"), ("0e1000", "0"), ("0.000", "0"), ("100e-2", "1"), ("0.0e-5", "0"),
            ("1.23456789012345678901e20", "123456789012345678901"),
        ]
    )
    func whole(text: String, digits: String) {
        #expect(WholeNumber.digits(text) == digits)
    }

    @Test(
        "anything else gives nothing",
        arguments: [
            "", "-1", "-0", "+1", "1.5", "1.7e0", "25e-2", "1e", "1e+", "1e1.0", "e5", ".5", "5.",
            "1 ", "0x10", "1e79", "1e9999999999999999999999", "1e-9999999999999999999999", "1_000",
            "NaN", "1e1e1", "1.0.0",
        ]
    )
    func none(text: String) {
        #expect(WholeNumber.digits(text) == nil)
    }

    @Test("the bound counts the digits of the result")
    func bound() {
        #expect(WholeNumber.digits("1e77")?.count == 78)
        #expect(WholeNumber.digits("100", maximum: 2) == nil)
        #expect(WholeNumber.digits("00099", maximum: 2) == "99")
    }
}
