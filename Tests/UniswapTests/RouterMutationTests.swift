import DexTestSupport
import Ethereum
import Testing

@testable import Uniswap

@Suite("Changed calls of the router")
struct RouterMutationTests {
    /// Calls of each kind with their tightest terms, so that any loss is out of the terms.
    private func samples() throws -> [(call: RouterCall, terms: RouterTerms)] {
        let names = [
            "multicall with deadline, one swap", "split exact in: two v3 fees",
            "split exact in: v3 + v3 + v2", "split exact out: v3 + v2",
            "split exact in: direct and by a path", "split exact out: direct and by a path",
            "native in, exact out, refundETH", "native in, exact out path, refundETH",
            "native in, exact out split, refundETH", "native out, exact out",
            "native out, exact out path", "native out, exact out v2",
        ]
        return try names.map { name in
            let call = try ContractVectors.call(name).routerCall()
            let terms = try RouterTerms(of: call, account: RouterTerms.trader)
            try call.check(terms)
            return (call, terms)
        }
    }

    @Test(
        "1,000 random changes of each call: what still passes says the same bytes within the terms"
    )
    func random() throws {
        var random = SeededGenerator(seed: 45)
        var passed = 0
        for (call, terms) in try samples() {
            for _ in 0..<1_000 {
                let data = mutated(call.data, &random)
                if try passes(data, call, terms) { passed += 1 }
            }
        }
        // Another fee or middle token, an earlier deadline, a lower amount or a higher minimum.
        #expect(passed > 0 && passed < 1_000)
    }

    @Test("every word in turn: zero, all bits, the top bit, one more and one less, a stranger")
    func words() throws {
        for (call, terms) in try samples() {
            let data = call.data
            for start in stride(from: 4, to: data.count - 31, by: 4) {
                let word = try #require(UInt256(bigEndian: data[start..<start + 32]))
                let changed: [UInt256] = [
                    0, .max, UInt256(1) << 255, word &+ 1, word &- 1, word << 8,
                    UInt256(RouterTerms.stranger.word), 1, 2, 32, 64,
                    UInt256(UInt64(data.count)), UInt256(UInt64.max), UInt256(UInt64(Int.max)),
                ]
                for value in changed {
                    let bytes =
                        data.prefix(start) + value.bigEndianBytes + data.dropFirst(start + 32)
                    _ = try passes(Array(bytes), call, terms)
                }
            }
        }
    }

    @Test("every length: a call that is cut, or has bytes behind it, is no call")
    func lengths() throws {
        for (call, _) in try samples() {
            for count in 0..<call.data.count {
                #expect(throws: RouterFault.self) {
                    try RouterCall(data: Array(call.data.prefix(count)), value: call.value)
                }
            }
            for count in [1, 4, 31, 32, 33, 64] {
                for byte: UInt8 in [0, 255] {
                    let tail = Array(repeating: byte, count: count)
                    #expect(throws: RouterFault.malformed(.multicall)) {
                        try RouterCall(data: call.data + tail, value: call.value)
                    }
                }
            }
        }
    }

    @Test("offsets and lengths that overlap, point outside or are huge never pass")
    func hostile() throws {
        let call = try samples()[2].call.data
        let evil: [UInt256] = [
            0, 1, 31, 32, 33, 63, 65, 96, 128, UInt256(UInt64(call.count)), 1 << 31, 1 << 32,
            1 << 63,
            (1 << 64) - 1, 1 << 64, 1 << 255, .max, .max - 31,
        ]
        // The offset of the list, its length, the offsets and the lengths of its calls.
        for start in [36, 68, 100, 132, 164, 196] {
            let original = call[start..<start + 32]
            for value in evil where value.bigEndianBytes != Array(original) {
                let bytes = call.prefix(start) + value.bigEndianBytes + call.dropFirst(start + 32)
                #expect(throws: RouterFault.self) {
                    try RouterCall(data: Array(bytes), value: .zero)
                }
            }
        }
    }

    /// Whether changed bytes pass, and that they may.
    private func passes(
        _ data: [UInt8],
        _ original: RouterCall,
        _ terms: RouterTerms
    ) throws -> Bool {
        guard data != original.data else { return false }
        guard let call = try? RouterCall(data: data, value: original.value) else { return false }
        #expect(call.data == data)
        guard (try? call.check(terms)) != nil else { return false }
        // Said again, beside the rule: only who gets how much for how much, and until when.
        #expect(call.swaps.count == original.swaps.count)
        #expect(call.unwrap == original.unwrap && call.refunds == original.refunds)
        #expect((1_700_000_001...1_700_001_200).contains(call.deadline))
        for (swap, old) in zip(call.swaps, original.swaps) {
            #expect(swap.path.sold == old.path.sold && swap.path.bought == old.path.bought)
            #expect(swap.recipient == old.recipient && swap.isExactIn == old.isExactIn)
            #expect(swap.path.isV2 == old.path.isV2)
            #expect(swap.maximum > 0 && swap.minimum > 0)
        }
        #expect(call.swaps.reduce(0) { $0 + $1.maximum } <= terms.maximum)
        #expect(call.swaps.reduce(0) { $0 + $1.minimum } >= terms.minimum)
        let received = call.effects.receives
        #expect(received.count == 1 && received[0].recipient == RouterTerms.trader)
        #expect(received[0].asset == terms.bought)
        return true
    }

    private func mutated(_ data: [UInt8], _ random: inout SeededGenerator) -> [UInt8] {
        var data = data
        for _ in 0...random.below(2) {
            let start = 4 + 4 * random.below(max(1, (data.count - 36) / 4))
            switch random.below(7) {
            case 0: data[random.below(data.count)] ^= 1 << UInt8(random.below(8))
            case 1: data[random.below(data.count)] = UInt8(random.below(256))
            case 2: data.replaceSubrange(start..<start + 32, with: random.bytes(32))
            case 3:
                let other = 4 + 4 * random.below((data.count - 36) / 4)
                let word = Array(data[other..<other + 32])
                data.replaceSubrange(start..<start + 32, with: word)
            case 4: data.removeSubrange(start..<start + 32)
            case 5: data.insert(contentsOf: random.bytes(32), at: start)
            default: data[data.count - 1 - random.below(data.count - 4)] &-= 1
            }
        }
        return data
    }
}
