import Ethereum
import Testing

@Suite("UInt256")
struct UInt256Tests {
    private static let highest =
        "115792089237316195423570985008687907853269984665640564039457584007913129639935"

    @Test("literals from 0 to 2^256 - 1 are exact")
    func literals() {
        let all: UInt256 = 0xFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFF
        #expect(all == .max)
        let limbs: UInt256 = 0x0000000000000004_0000000000000003_0000000000000002_0000000000000001
        #expect(limbs == UInt256(w0: 1, w1: 2, w2: 3, w3: 4))
        let top: UInt256 = 0x8000000000000000000000000000000000000000000000000000000000000000
        #expect(top == UInt256(1) << 255)
        #expect((0 as UInt256) == .zero)
        let decimal: UInt256 = 1_000_000_000_000_000_000_000
        #expect(decimal.description == "1000000000000000000000")
    }

    @Test("overflow of the trapping operators stops the program")
    func traps() async {
        await #expect(processExitsWith: .failure) {
            _ = UInt256.max + UInt256(truncatingIfNeeded: 1)
        }
        await #expect(processExitsWith: .failure) {
            _ = UInt256.zero - UInt256(truncatingIfNeeded: 1)
        }
        await #expect(processExitsWith: .failure) {
            _ = UInt256.max * UInt256(truncatingIfNeeded: 2)
        }
        await #expect(processExitsWith: .failure) { _ = UInt256.max / UInt256.zero }
        await #expect(processExitsWith: .failure) { _ = UInt256.max % UInt256.zero }
        await #expect(processExitsWith: .failure) {
            _ = UInt256.max.dividingFullWidth((high: .max, low: .zero))
        }
        await #expect(processExitsWith: .failure) { _ = UInt64(UInt256.max) }
    }

    @Test("reporting forms of a division by zero give the number back")
    func divisionByZero() {
        let quotient = UInt256(5).dividedReportingOverflow(by: 0)
        #expect(quotient.partialValue == 5)
        #expect(quotient.overflow)
        let remainder = UInt256(5).remainderReportingOverflow(dividingBy: 0)
        #expect(remainder.partialValue == 5)
        #expect(remainder.overflow)
        #expect(UInt256.mulDiv(1, 1, 0) == nil)
        #expect(UInt256.mulDiv(.max, .max, .max).map(\.quotient) == .max)
        #expect(UInt256.mulDiv(.max, 2, 1) == nil)
    }

    @Test("other integers convert exactly, clamped or truncated")
    func conversions() {
        #expect(UInt256(exactly: -1) == nil)
        #expect(UInt256(exactly: Int.max) == UInt256(UInt64(Int.max)))
        #expect(UInt256(clamping: -5) == .zero)
        #expect(UInt256(clamping: UInt64.max) == UInt256(UInt64.max))
        #expect(UInt256(truncatingIfNeeded: -1) == .max)
        #expect(UInt256(truncatingIfNeeded: Int64.min) == UInt256.max << 63)
        #expect(UInt256(truncatingIfNeeded: UInt8.max) == 255)
        #expect(UInt256(truncatingIfNeeded: UInt256.max) == .max)
        #expect(UInt64(exactly: UInt256(1) << 64) == nil)
        #expect(UInt64(exactly: UInt256(UInt64.max)) == .max)
        #expect(Int(exactly: UInt256(1) << 63) == nil)
        #expect(Int(exactly: UInt256(7)) == 7)
        #expect(UInt64(clamping: UInt256.max) == .max)
        #expect(Int(clamping: UInt256.max) == .max)
        #expect(UInt8(clamping: UInt256(256)) == 255)
        #expect(UInt64(truncatingIfNeeded: UInt256.max << 32) == UInt64.max << 32)
        #expect(UInt256(w0: 9, w1: 0, w2: 0, w3: 0).uint64 == 9)
        for shift in [64, 128, 192] { #expect((UInt256(1) << shift).uint64 == nil) }
    }

    @Test("numbers compare and add with those of other types")
    func mixedTypes() {
        #expect(UInt256(5) == 5 as Int)
        #expect(UInt256(5) > -1 as Int)
        #expect(UInt256.max > UInt64.max)
        #expect(UInt64.max < UInt256(1) << 64)
        #expect([UInt256(3), 1, 2].sorted() == [1, 2, 3])
        #expect([UInt256(3), 1, 2].reduce(0, +) == 6)
    }

    @Test("wrapping arithmetic wraps, compound assignment assigns")
    func wrapping() {
        #expect(UInt256.max &+ 1 == .zero)
        #expect(UInt256.zero &- 1 == .max)
        #expect(UInt256.max &* 2 == UInt256.max - 1)
        var value: UInt256 = 10
        value += 5
        value -= 3
        value *= 6
        value /= 5
        value %= 10
        #expect(value == 4)
        value <<= 255
        #expect(value == 0)
        value |= 12
        value &= 10
        value ^= 1
        value >>= 1
        #expect(value == 4)
    }

    @Test("shifts by all bits or more, and by negative amounts, follow Swift's integers")
    func shifts() {
        #expect(UInt256.max << 256 == 0)
        #expect(UInt256.max >> 256 == 0)
        #expect(UInt256.max << 1000 == 0)
        #expect(UInt256.max &<< 256 == .max)
        #expect(UInt256.max &>> 257 == UInt256.max >> 1)
        #expect(UInt256(1) << -1 == 0)
        #expect(UInt256(1) >> -4 == 16)
        #expect(UInt256(1) << UInt256.max == 0)
    }

    @Test("bits are counted and bytes swapped over all four limbs")
    func bits() {
        #expect(UInt256.zero.leadingZeroBitCount == 256)
        #expect(UInt256.zero.trailingZeroBitCount == 256)
        for bit in 0..<256 {
            let value = UInt256(1) << bit
            #expect(value.leadingZeroBitCount == 255 - bit)
            #expect(value.trailingZeroBitCount == bit)
            #expect(value.nonzeroBitCount == 1)
            #expect(value.byteSwapped.byteSwapped == value)
        }
        #expect(UInt256(1).byteSwapped == UInt256(1) << 248)
        #expect(Array(UInt256(w0: 1, w1: 2, w2: 3, w3: 4).words) == [1, 2, 3, 4])
        #expect(UInt256.bitWidth == 256)
    }

    @Test("decimal texts are digits only, up to 2^256 - 1")
    func decimalTexts() {
        #expect(UInt256(decimal: Self.highest) == .max)
        #expect(UInt256.max.description == Self.highest)
        #expect(UInt256(decimal: "0") == 0)
        #expect(UInt256(decimal: String(repeating: "0", count: 500) + "42") == 42)
        #expect(UInt256(Self.highest) == .max)
        let beyond = String(Self.highest.dropLast()) + "6"
        for text in [
            beyond, Self.highest + "0", String(repeating: "9", count: 79),
            String(repeating: "9", count: 10_000), "", "-1", "+1", "1.0", "1e3", " 1", "1 ",
            "0x1", "1_000", "１", "1\u{0}",
        ] {
            #expect(UInt256(decimal: text) == nil, "\(text.prefix(20))")
            #expect(UInt256(text) == nil)
        }
    }

    @Test("powers of ten keep their zeros")
    func zerosWithin() {
        var text = "1"
        for _ in 0..<77 {
            text += "0"
            #expect(UInt256(decimal: text)?.description == text)
        }
        #expect(UInt256.zero.description == "0")
        #expect(UInt256(10_000_000_000_000_000_000 as UInt64).description.count == 20)
    }

    @Test("quantities are 0x and 1 to 64 digits")
    func quantities() {
        #expect(UInt256(quantity: "0x0") == 0)
        #expect(UInt256(quantity: "0x00") == 0)
        #expect(UInt256(quantity: "0x0123") == 0x123 && UInt256(quantity: "0X0123") == 0x123)
        #expect(UInt256(quantity: "0xaBcD") == 0xABCD)
        #expect(UInt256(quantity: "0x" + String(repeating: "f", count: 64)) == .max)
        #expect(UInt256(quantity: "0x" + String(repeating: "0", count: 63) + "1") == 1)
        for text in [
            "", "0", "0x", "x1", "1", "X1", "0x" + String(repeating: "1", count: 65), "0xg",
            "0x-1", "0x+1", "0x 1", "0x1\n", "0x１", " 0x1",
        ] {
            #expect(UInt256(quantity: text) == nil, "\(text)")
        }
        #expect(UInt256.zero.quantity == "0x0")
        #expect(UInt256(16).quantity == "0x10")
        #expect(UInt256.max.quantity == "0x" + String(repeating: "f", count: 64))
    }

    @Test("big-endian bytes go both ways, at most 32 of them")
    func bytes() {
        let value: UInt256 = 0x0102030405060708090A0B0C0D0E0F101112131415161718191A1B1C1D1E1F20
        #expect(value.bigEndianBytes == Array(1...32))
        #expect(UInt256(bigEndian: Array(1...32) as [UInt8]) == value)
        #expect(UInt256(bigEndian: [1, 0]) == 256)
        #expect(UInt256(bigEndian: []) == 0)
        #expect(UInt256(bigEndian: [UInt8](repeating: 0, count: 33)) == nil)
        #expect(UInt256(value.word) == value)
        #expect(value.word.bytes == value.bigEndianBytes)
    }
}
