import Ethereum
import Testing

@testable import Uniswap

@Suite("Reads of pools and factories")
struct ContractReadTests {
    private let pool = Address(truncating: UInt256(0xabcd).word)

    /// Numbers as the words of an answer; negative ones as two's complement.
    private func words(_ numbers: Int128...) -> [UInt8] {
        numbers.flatMap { UInt256(truncatingIfNeeded: $0).bigEndianBytes }
    }

    /// An answer has its value; none, a cut one, a longer one and one with dirty padding have not.
    private func check<Value: Equatable>(
        _ read: ContractRead<Value>,
        _ answer: [UInt8],
        _ value: Value,
        dirty: [Int]
    ) throws {
        #expect(try read.decode(answer) == value)
        #expect(throws: ContractReadError.noContract) { try read.decode([]) }
        for length in [1, 31, answer.count - 32, answer.count - 1] where length > 0 {
            #expect(throws: ContractReadError.malformed) {
                try read.decode(Array(answer.prefix(length)))
            }
        }
        for extra in [1, 32] {
            #expect(throws: ContractReadError.malformed) {
                try read.decode(answer + [UInt8](repeating: 0, count: extra))
            }
        }
        for place in dirty {
            var bytes = answer
            bytes[place] ^= 1
            #expect(throws: ContractReadError.malformed, "byte \(place)") {
                try read.decode(bytes)
            }
        }
    }

    @Test("the call data: selectors, and arguments of which negative ones are sign-extended")
    func calls() {
        let (a, b) = (Address(truncating: UInt256(1).word), Address(truncating: UInt256(2).word))
        let id = PoolID(b, a, .v3(fee: 3_000))
        let calls: [([UInt8], String, [Int128])] = [
            (ContractRead.reserves.data, "0902f1ac", []),
            (ContractRead.slot.data, "3850c7bd", []),
            (ContractRead.liquidity.data, "1a686502", []),
            (ContractRead.tick(-60).data, "f30dba93", [-60]),
            (ContractRead.bitmap(word: -3_466).data, "5339c296", [-3_466]),
            (ContractRead.observe(secondsAgo: [600, 0]).data, "883bdbfd", [32, 2, 600, 0]),
            (ContractRead.tickSpacing(fee: 500).data, "22afcccb", [500]),
            (ContractRead.getPool(b, a, fee: 3_000).data, "1698ee82", [2, 1, 3_000]),
            (ContractRead.getPair(b, a).data, "e6a43905", [2, 1]),
            (id.map { ContractRead.pool($0).data } ?? [], "1698ee82", [1, 2, 3_000]),
            (PoolID(b, a, .v2).map { ContractRead.pool($0).data } ?? [], "e6a43905", [1, 2]),
            (ContractRead.factory.data, "c45a0155", []),
            (ContractRead.factoryV2.data, "68e0d4e1", []),
            (ContractRead.wrapped.data, "4aa4a4fc", []),
        ]
        for (data, selector, arguments) in calls {
            let expected = arguments.flatMap { UInt256(truncatingIfNeeded: $0).bigEndianBytes }
            #expect(Hex.encode(data.prefix(4)) == "0x" + selector)
            #expect(Array(data.dropFirst(4)) == expected, "\(selector)")
        }
    }

    @Test("reserves and liquidity")
    func amounts() throws {
        let pair = try #require(PairState(reserve0: PairMath.maximumReserve, reserve1: 0))
        let maximum = Int128(1) << 112 - 1
        try check(.reserves, words(maximum, 0, 1_700_000_000), pair, dirty: [17, 49, 91])
        let answer = [UInt8](repeating: 0, count: 16) + [UInt8](repeating: 0xff, count: 16)
        try check(.liquidity, answer, UInt128.max, dirty: [15])
        #expect(try ContractRead.liquidity.decode(words(0)) == 0)
    }

    @Test("slot0: the price, or none before the pool has one")
    func slot() throws {
        let price = TickMath.one.bigEndianBytes
        let slot = PoolSlot(sqrtPrice: TickMath.one, tick: 0, observations: 3)
        let rest = words(0, 2, 3, 4, 0x44, 1)
        let dirty = [11, 32, 60, 93, 125, 157, 190, 222]
        try check(.slot, price + rest, slot, dirty: dirty)
        let none = words(0, 0, 0, 0, 0, 0, 0)
        #expect(try ContractRead.slot.decode(none) == PoolSlot?.none)
        for place in 1..<7 {
            var bytes = none
            bytes[32 * place + 31] = 1
            #expect(throws: ContractReadError.malformed) { try ContractRead.slot.decode(bytes) }
        }
        // A price out of range, and a tick that is not the price's.
        for bytes in [words(1) + rest, price + words(1, 2, 3, 4, 0, 1)] {
            #expect(throws: ContractReadError.malformed) { try ContractRead.slot.decode(bytes) }
        }
        let falling = try ContractRead.slot.decode(price + words(-1, 2, 3, 4, 0, 1))
        #expect(falling?.tick == -1)
    }

    @Test("a tick's liquidity, negative too; nil for a tick that is not initialised")
    func tick() throws {
        let tick = InitialisedTick(tick: -60, liquidityNet: -5)
        let answer = words(7, -5, 8, 9, -1, 10, 11, 1)
        try check(.tick(-60), answer, tick, dirty: [15, 32, 47, 128, 171, 219, 254, 255])
        let none = try ContractRead.tick(0).decode(words(0, 0, 0, 0, 0, 0, 0, 0))
        #expect(none == InitialisedTick?.none)
        for bytes in [
            words(7, -8, 0, 0, 0, 0, 0, 1), words(0, 0, 0, 0, 0, 0, 0, 1),
            words(7, 0, 0, 0, 0, 0, 0, 0), words(7, .min, 0, 0, 0, 0, 0, 1),
        ] {
            #expect(throws: ContractReadError.malformed) { try ContractRead.tick(0).decode(bytes) }
        }
    }

    @Test("a word of the bitmap; the words of two tick cumulatives")
    func others() throws {
        try check(.bitmap(word: 0), UInt256.max.bigEndianBytes, UInt256.max, dirty: [])
        let observed = words(64, 160, 2, -1_000, 2_000, 2, 5, 6)
        try check(
            .observe(secondsAgo: [600, 0]),
            observed,
            [-1_000, 2_000],
            dirty: [31, 63, 95, 96, 120, 191, 203]
        )
        // One value for two times.
        let short = words(64, 128, 1, 5, 1, 6)
        #expect(throws: ContractReadError.malformed) {
            try ContractRead.observe(secondsAgo: [600, 0]).decode(short)
        }
        let edge = Int64(1) << 55
        #expect(
            try ContractRead.observe(secondsAgo: [0]).decode(
                words(64, 128, 1, Int128(-edge), 1, 6)
            ) == [-edge]
        )
    }

    @Test("factories: an address, or none where it is zero; a tick spacing, or none for no tier")
    func factories() throws {
        let answer = pool.word.bytes
        try check(.getPool(pool, pool, fee: 1), answer, Optional(pool), dirty: [0, 11])
        try check(.getPair(pool, pool), words(0), nil, dirty: [11])
        try check(.factory, answer, pool, dirty: [11])
        try check(.wrapped, words(0), Address.zero, dirty: [11])
        try check(.factoryV2, answer, pool, dirty: [0])
        try check(.tickSpacing(fee: 3_000), words(60), Optional(60), dirty: [0, 28, 29])
        #expect(try ContractRead.tickSpacing(fee: 7).decode(words(0)) == Int32?.none)
        for spacing: Int128 in [-1, 16_384, 1 << 23, 1 << 40] {
            #expect(throws: ContractReadError.malformed) {
                try ContractRead.tickSpacing(fee: 7).decode(words(spacing))
            }
        }
    }
}
