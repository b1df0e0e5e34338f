import DexTestSupport
import Ethereum
import ZeroEx

extension Planner {
    /// A call of v4 with call data, ether or a selector that no honest client sends.
    ///
    /// Its gas is not compared: Vyper reads a function's arguments before it looks whether the
    /// function is registered, so what is malformed costs less there.
    mutating func corruptNative(_ call: PlannedCall) -> PlannedCall {
        var call = call
        call.kind = "hostile exchange of v4"
        for _ in 0..<(random.chance(75) ? 1 : 2) { corruptNative(&call) }
        return call
    }

    private mutating func corruptNative(_ call: inout PlannedCall) {
        switch random.below(10) {
        case 0:
            call.data.removeLast(random.below(call.data.count))
        case 1:
            // At the end of a word.
            let words = call.data.count / 32
            call.data = Array(call.data.prefix(4 + 32 * random.below(words + 1)))
        case 2: call.data += random.bytes(1 + random.below(70))
        case 3, 4: set(argument: random.below(18), of: &call.data, to: oddNumber())
        case 5:
            // Bits above an address or a number of fewer bits, which are refused.
            let argument = random.below(18)
            guard let word = word(argument, of: call.data) else { return }
            let dirt = UInt256(random.next()) << random.pick([8, 64, 128, 160, 192])
            set(argument: argument, of: &call.data, to: word | dirt)
        case 6, 7: lieNative(in: &call.data)
        case 8: call.value = UInt256(UInt64(random.pick([1, 1_000_000])))
        default:
            let selector = random.bytes(4)
            call.data = selector + call.data.dropFirst(4)
        }
    }

    /// Lets an array begin elsewhere or be longer or shorter than it is.
    private mutating func lieNative(in data: inout [UInt8]) {
        let count = Self.nativeArrays(data)
        guard count > 0 else { return }
        let argument = random.below(count)
        guard let offset = word(argument, of: data)?.uint64, offset <= UInt64(data.count) else {
            return
        }
        let size = UInt256(UInt64(data.count))
        if random.chance(50) {
            let other = word(random.below(count), of: data) ?? 0
            let offsets: [UInt256] = [
                0, 1, 4, 31, 32, size, size - 4, size - 36, other, other &+ 32, 1 << 63, 1 << 64,
                1 << 255, .max, .max - 3, .max - 35,
            ]
            set(argument: argument, of: &data, to: random.pick(offsets))
        } else {
            let length = word(at: 4 + Int(offset), of: data) ?? 0
            let lengths: [UInt256] = [
                0, length &+ 1, length &- 1, 1 << 32, 1 << 63, 1 << 64, 1 << 251, .max,
            ]
            set(wordAt: 4 + Int(offset), of: &data, to: random.pick(lengths))
        }
    }

    /// How many of a function's first arguments point to arrays.
    private static func nativeArrays(_ data: [UInt8]) -> Int {
        guard data.count >= 36 else { return 0 }
        let selector = data[0..<4].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
        let function = ExchangeFunctionV4(rawValue: selector)
        return switch function?.orderCall?.verb {
        case .batchFill, .batchCancelPair: 3
        case .batchRelevantStates: 2
        case .batchCancel: 1
        default: function == .registerAllowedRfqOrigins ? 1 : 0
        }
    }
}
