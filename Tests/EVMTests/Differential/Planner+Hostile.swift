import DexTestSupport
import Ethereum
import ZeroEx

extension Planner {
    /// The call with call data, ether or a selector that no honest client sends.
    mutating func corrupt(_ call: PlannedCall) -> PlannedCall {
        var call = call
        call.kind = "hostile exchange"
        for _ in 0..<(random.chance(75) ? 1 : 2) { corrupt(&call) }
        return call
    }

    private mutating func corrupt(_ call: inout PlannedCall) {
        switch random.below(11) {
        case 0:
            call.data.removeLast(random.below(call.data.count))
        case 1:
            // At the end of a word.
            let words = call.data.count / 32
            call.data = Array(call.data.prefix(4 + 32 * random.below(words + 1)))
        case 2:
            call.data += random.bytes(1 + random.below(70))
        case 3, 4:
            set(argument: random.below(16), of: &call.data, to: oddNumber())
        case 5:
            // Bits above an address, a number of 8 bits or a boolean, which are dropped.
            let argument = random.below(16)
            guard let word = word(argument, of: call.data) else { return }
            let dirt = UInt256(random.next()) << random.pick([160, 192])
            set(argument: argument, of: &call.data, to: word | dirt)
        case 6, 7, 8:
            lie(in: &call.data)
        case 9:
            call.value = UInt256(UInt64(random.pick([1, 1_000_000])))
        default:
            let selector = random.bytes(4)
            call.data = selector + call.data.dropFirst(4)
        }
    }

    /// Lets an array begin elsewhere or be longer or shorter than it is.
    private mutating func lie(in data: inout [UInt8]) {
        let pointers = Self.pointers(data)
        guard !pointers.isEmpty else { return }
        let argument = random.pick(pointers)
        guard let offset = word(argument, of: data)?.uint64 else { return }
        let size = UInt256(UInt64(data.count))
        if random.chance(50) {
            let other = word(random.pick(pointers), of: data) ?? 0
            let offsets: [UInt256] = [
                0, 1, 4, 31, 32, size, size - 4, size - 36, other, other + 32, 1 << 64, 1 << 255,
                .max, .max - 1, .max - 3, .max - 4, .max - 35, .max - 67,
            ]
            set(argument: argument, of: &data, to: random.pick(offsets))
        } else {
            // Lengths that memory could hold cost gas for it in neither; so small ones, or beyond.
            let length = word(at: 4 + Int(offset), of: data) ?? 0
            let lengths: [UInt256] = [
                0, length &+ 1, length &+ 2, length &- 1, 1 << 32, 1 << 64, 1 << 251, 1 << 255,
                .max,
            ]
            set(wordAt: 4 + Int(offset), of: &data, to: random.pick(lengths))
        }
    }

    /// The arguments of a function that point to arrays.
    private static func pointers(_ data: [UInt8]) -> [Int] {
        guard data.count >= 4 else { return [] }
        let selector = data[0..<4].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
        switch ExchangeCallV1.Function(rawValue: selector) {
        case .fillOrdersUpTo: return [0, 1, 4, 5, 6]
        case .batchFillOrders: return [0, 1, 2, 4, 5, 6]
        case .batchFillOrKillOrders: return [0, 1, 2, 3, 4, 5]
        case .batchCancelOrders: return [0, 1, 2]
        default: return []
        }
    }

    func word(_ argument: Int, of data: [UInt8]) -> UInt256? {
        word(at: 4 + 32 * argument, of: data)
    }

    func word(at offset: Int, of data: [UInt8]) -> UInt256? {
        guard offset >= 0, offset + 32 <= data.count else { return nil }
        return UInt256(bigEndian: data[offset..<offset + 32])
    }

    func set(argument: Int, of data: inout [UInt8], to value: UInt256) {
        set(wordAt: 4 + 32 * argument, of: &data, to: value)
    }

    func set(wordAt offset: Int, of data: inout [UInt8], to value: UInt256) {
        guard offset >= 0, offset + 32 <= data.count else { return }
        data.replaceSubrange(offset..<offset + 32, with: value.word.bytes)
    }

    /// A call that no contract has a function for, or that only the exchange may make.
    mutating func oddCall() -> PlannedCall {
        let token = random.pick(palette)
        let payee = account()
        let choices: [PlannedCall] = [
            PlannedCall(
                kind: "hostile proxy",
                sender: trader(),
                to: World.proxy,
                data: ERC20.call(
                    "transferFrom(address,address,address,uint256)",
                    token.word,
                    world.traders[0].address.word,
                    payee.word,
                    amount(of: token).word
                )
            ),
            PlannedCall(
                kind: "hostile proxy",
                sender: trader(),
                to: World.proxy,
                data: random.bytes(random.below(80)),
                value: random.chance(30) ? 1 : 0
            ),
            PlannedCall(
                kind: "hostile token",
                sender: trader(),
                to: token,
                data: random.bytes(random.below(80)),
                value: random.chance(30) ? 5 : 0
            ),
            PlannedCall(
                kind: "hostile token",
                sender: trader(),
                to: token,
                data: ERC20.call("withdraw(uint256)", amount(of: token).word)
            ),
            PlannedCall(
                kind: "hostile token",
                sender: trader(),
                to: token,
                data: ERC20.call("deposit()"),
                value: random.chance(50) ? 7 : 0
            ),
            // Ether with a function of wrapped ether or of ZRX, which take none.
            PlannedCall(
                kind: "hostile token",
                sender: trader(),
                to: token,
                data: ERC20.transfer(to: payee, amount: 1),
                value: 3
            ),
            PlannedCall(
                kind: "hostile token",
                sender: trader(),
                to: token,
                data: ERC20.approve(spender: payee, amount: 1),
                value: 3
            ),
        ]
        return random.pick(choices)
    }
}
