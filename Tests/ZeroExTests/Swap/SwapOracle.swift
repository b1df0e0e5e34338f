import Ethereum

@testable import ZeroEx

/// Says what the worst actions could do with a quote, by a reader of its own.
///
/// It knows the contracts' behaviour (docs/protocol/swap-v2.md) and none of the rules:
/// AllowanceHolder lends a token to an operator and calls a target, Settler enforces a minimum.
/// Addresses are cut to 20 bytes and offsets followed, as a contract that checks nothing would.
struct SwapOracle {
    let terms: SwapTerms

    /// How the account could lose more than its terms allow; nil if it cannot.
    func harm(_ quote: SwapQuote) -> String? {
        let call = quote.call
        let maximumValue = terms.request.sell == .native ? terms.maximum : 0
        if call.value.rawValue > maximumValue { return "value" }
        if call.to == terms.wrapped { return harmOfWrapping(call) }
        if call.to == ZeroExSwapContracts.allowanceHolder { return harmOfHolder(call) }
        guard terms.genuine.contains(call.to) else { return "a call of another contract" }
        if let permit = quote.permit, let harm = harmOfPermit(permit) { return harm }
        return harmOfSettler(call.data, value: call.value.rawValue)
    }

    private func harmOfWrapping(_ call: SwapCall) -> String? {
        switch Hex.encode(call.data.prefix(4)) {
        case "0xd0e30db0":
            guard terms.request.sell == .native else { return "wraps" }
            return call.value.rawValue >= terms.minimum ? nil : "wraps too little"
        case "0x2e1a7d4d":
            guard terms.request.buy == .native, let amount = word(call.data, 4) else {
                return "unwraps"
            }
            return amount >= terms.minimum && amount <= terms.maximum
                ? nil : "unwraps another amount"
        default: return "another function of the wrapped coin"
        }
    }

    private func harmOfHolder(_ call: SwapCall) -> String? {
        guard Hex.encode(call.data.prefix(4)) == "0x2213bc0b" else { return "another function" }
        guard let `operator` = address(call.data, 4), let token = address(call.data, 36),
            let amount = word(call.data, 68), let target = address(call.data, 100),
            let offset = word(call.data, 132)?.uint64, offset < 1 << 30,
            let length = word(call.data, 4 + Int(offset))?.uint64,
            length <= UInt64(max(0, call.data.count - 36 - Int(offset)))
        else { return "no arguments" }
        guard terms.genuine.contains(`operator`) else { return "lends to another contract" }
        guard terms.genuine.contains(target) else { return "calls another contract" }
        if amount > 0, hasCode(token) {
            guard terms.request.sell == .token(token) else { return "lends another token" }
            guard amount <= terms.maximum else { return "lends too much" }
        }
        let start = 36 + Int(offset)
        return harmOfSettler(
            Array(call.data[start..<start + Int(length)]),
            value: call.value.rawValue
        )
    }

    /// The addresses that stand for the native coin or for nothing are no contracts.
    private func hasCode(_ token: Address) -> Bool {
        token != .zero && token != ZeroExSwapContracts.nativeCoin
    }

    private func harmOfPermit(_ permit: SwapPermit) -> String? {
        guard terms.request.sell == .token(permit.token) else { return "permits another token" }
        guard permit.amount <= terms.maximum else { return "permits too much" }
        guard terms.genuine.contains(permit.spender) else { return "permits another spender" }
        guard permit.contract == ZeroExSwapContracts.permit2, permit.chainID == 1 else {
            return "a message for another contract"
        }
        return permit.deadline <= UInt256(terms.now + 600) ? nil : "permits for long"
    }

    private func harmOfSettler(_ data: [UInt8], value: UInt256) -> String? {
        guard Hex.encode(data.prefix(4)) == "0x1fff991f" else { return "another function" }
        guard let recipient = address(data, 4), let token = address(data, 36),
            let minimum = word(data, 68)
        else { return "no arguments" }
        if token == .zero, minimum == 0 { return harmOfActions(data) }
        guard recipient == terms.account else { return "pays somebody else" }
        let native = token == ZeroExSwapContracts.nativeCoin
        guard terms.request.buy == (native ? .native : .token(token)) else {
            return "buys another token"
        }
        return minimum >= terms.minimum ? nil : "buys too little"
    }

    /// Settler does not check the outcome: only a single action that does so itself protects.
    private func harmOfActions(_ data: [UInt8]) -> String? {
        guard let list = offset(data, 4, 100), word(data, list) == 1,
            let start = offset(data, list + 32, list + 32), let length = word(data, start)?.uint64,
            length <= UInt64(max(0, data.count - start - 32))
        else { return "no minimum" }
        let action = Array(data[start + 32..<start + 32 + Int(length)])
        guard Hex.encode(action.prefix(4)) == "0x3036d6a6" else { return "no minimum" }
        guard address(action, 4) == terms.account else { return "pays somebody else" }
        guard let path = offset(action, 4, 4 + 5 * 32), let count = word(action, path)?.uint64,
            count >= 64, (count - 64) % 44 == 0, count <= UInt64(action.count - path - 32)
        else { return "no path" }
        let last = action[path + 32 + Int(count) - 20..<path + 32 + Int(count)]
        guard let bought = Address(bytes: last), terms.request.buy == .token(bought) else {
            return "buys another token"
        }
        guard let minimum = word(action, 4 + 7 * 32), minimum >= terms.minimum else {
            return "buys too little"
        }
        return nil
    }

    /// Where an offset leads that is counted from a base.
    private func offset(_ data: [UInt8], _ base: Int, _ position: Int) -> Int? {
        guard let offset = word(data, position)?.uint64, offset < 1 << 30 else { return nil }
        return base + Int(offset)
    }

    private func word(_ data: [UInt8], _ position: Int) -> UInt256? {
        guard position >= 0, position + 32 <= data.count else { return nil }
        return UInt256(bigEndian: data[position..<position + 32])
    }

    private func address(_ data: [UInt8], _ position: Int) -> Address? {
        word(data, position).map { Address(truncating: $0.word) }
    }
}
