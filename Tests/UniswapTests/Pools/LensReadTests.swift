import Ethereum
import Testing

@testable import Uniswap

@Suite("The lens that reads a word of a v3 pool's ticks")
struct LensReadTests {
    private let pool = Address(truncating: UInt256(0xabcd).word)

    private func words(_ numbers: Int128...) -> [UInt8] {
        numbers.flatMap { UInt256(truncatingIfNeeded: $0).bigEndianBytes }
    }

    /// An answer of rows: tick, net, gross.
    private func answer(_ rows: [(Int128, Int128, Int128)]) -> [UInt8] {
        words(32, Int128(rows.count)) + rows.flatMap { words($0, $1, $2) }
    }

    private func read(word: Int16 = -1, spacing: Int32 = 60) -> ContractRead<[InitialisedTick]> {
        .populatedTicks(of: pool, word: word, spacing: spacing)
    }

    private func isMalformed(
        _ rows: [(Int128, Int128, Int128)],
        word: Int16 = -1,
        spacing: Int32 = 60
    ) -> Bool {
        do {
            _ = try read(word: word, spacing: spacing).decode(answer(rows))
            return false
        } catch {
            return error == .malformed
        }
    }

    @Test("the call names the pool and the word, sign-extended")
    func call() {
        let expected = words(0xabcd, -3_466)
        #expect(read(word: -3_466).data == [0x35, 0x1f, 0xb4, 0x78] + expected)
    }

    @Test("the highest tick comes first, and the ticks are ascending here")
    func order() throws {
        let found = try read().decode(answer([(-60, -7, 7), (-120, 5, 9), (-15_360, 2, 2)]))
        #expect(
            found == [
                InitialisedTick(tick: -15_360, liquidityNet: 2),
                InitialisedTick(tick: -120, liquidityNet: 5),
                InitialisedTick(tick: -60, liquidityNet: -7),
            ]
        )
        #expect(try read().decode(answer([])) == [])
        // A tick where as much begins as ends is initialised all the same.
        #expect(try read().decode(answer([(-60, 0, 4)])).map(\.liquidityNet) == [0])
    }

    @Test("no contract and an answer that is cut, longer or of other words are no ticks")
    func encoding() throws {
        #expect(throws: ContractReadError.noContract) { try read().decode([]) }
        let good = answer([(-60, -7, 7), (-120, 5, 9)])
        for length in [1, 31, 32, 63, good.count - 32, good.count - 1] {
            #expect(throws: ContractReadError.malformed) {
                try read().decode(Array(good.prefix(length)))
            }
        }
        #expect(throws: ContractReadError.malformed) {
            try read().decode(good + [UInt8](repeating: 0, count: 32))
        }
        // Padding of the tick, of the net and of the gross liquidity.
        for place in [64, 96, 128] {
            var dirty = good
            dirty[place] ^= 1
            #expect(throws: ContractReadError.malformed, "\(place)") { try read().decode(dirty) }
        }
    }

    @Test("a list in another order, twice the same tick, or ticks of another word are refused")
    func places() {
        #expect(isMalformed([(-120, 5, 9), (-60, -7, 7)]))
        #expect(isMalformed([(-60, 5, 9), (-60, -7, 7)]))
        #expect(isMalformed([(0, 5, 9)]))
        #expect(isMalformed([(-15_420, 5, 9)]))
        #expect(isMalformed([(-61, 5, 9)]))
        #expect(isMalformed([(-8_388_608, 5, 9)], word: -32_768, spacing: 1))
        #expect(isMalformed([(887_273, 5, 9)], word: 3_465, spacing: 1))
        #expect(!isMalformed([(887_272, 5, 9)], word: 3_465, spacing: 1))
    }

    @Test("liquidity that no tick has is refused: none, or more net than gross")
    func liquidity() {
        #expect(isMalformed([(-60, 0, 0)]))
        #expect(isMalformed([(-60, 8, 7)]))
        #expect(isMalformed([(-60, -8, 7)]))
        #expect(isMalformed([(-60, .min, .max)]))
        #expect(!isMalformed([(-60, .max, .max)]))
        #expect(!isMalformed([(-60, -7, 7)]))
    }

    @Test("a word has 256 ticks at most, and a spacing that no pool has reads none")
    func tooMany() throws {
        let all = (0..<256).reversed().map { (Int128($0), Int128(1), Int128(1)) }
        #expect(try read(word: 0, spacing: 1).decode(answer(all)).count == 256)
        let more = (0..<257).reversed().map { (Int128($0), Int128(1), Int128(1)) }
        #expect(isMalformed(more, word: 0, spacing: 1))
        for spacing: Int32 in [.min, -1, 0, 16_384] {
            #expect(isMalformed([(0, 1, 1)], word: 0, spacing: spacing))
        }
    }
}
