import DexSandbox
import DexTestSupport
import Ethereum

/// Calls of Permit2 about the allowances that it keeps itself.
extension Planner {
    mutating func permit2Call() -> PlannedCall {
        // Most often the first trader allows, and the second one takes.
        let kind = random.below(100)
        let takes = (45..<85).contains(kind)
        let isUsual = random.chance(85)
        let sender = isUsual ? (takes ? 1 : 0) : trader()
        let other = isUsual ? (takes ? 0 : 1) : trader()
        let token = random.chance(90) ? World.zrx : World.dai
        func call(_ kind: String, _ data: [UInt8]) -> PlannedCall {
            PlannedCall(kind: kind, sender: sender, to: GenesisSwap.permit2, data: data)
        }
        switch kind {
        case ..<45:
            let amount = random.pick(weighted: [
                (6, amount(of: token)), (2, (UInt256(1) << 160) &- 1), (1, .zero),
            ])
            // Not zero, which is the time of a block: see `deadline`.
            let end = random.chance(60) ? deadline() : .max >> 208
            return call(
                "Permit2's approve",
                SwapCalldata.call(
                    "approve(address,address,uint160,uint48)",
                    token.word,
                    world.traders[other].address.word,
                    amount.word,
                    end.word
                )
            )
        case ..<85:
            return call(
                "Permit2's transferFrom",
                SwapCalldata.call(
                    "transferFrom(address,address,uint160,address)",
                    world.traders[other].address.word,
                    account().word,
                    (random.chance(60) ? UInt256(UInt64(random.below(3_000))) : amount(of: token))
                        .word,
                    token.word
                )
            )
        default:
            let pairs = (0..<random.below(4)).flatMap { _ in
                token.word.bytes
                    + world.traders[random.chance(50) ? other : trader()].address.word.bytes
            }
            return call(
                "lockdown",
                SwapCalldata.call(
                    "lockdown((address,address)[])",
                    UInt256(32).word,
                    UInt256(UInt64(pairs.count / 64)).word
                ) + pairs
            )
        }
    }
}
