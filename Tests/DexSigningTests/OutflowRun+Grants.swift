import DexSigning
import DexTestSupport
import Ethereum

/// Messages that let others take tokens.
extension OutflowRun {
    /// A message of a random kind for a random spender; who has it uses it as long as it can.
    mutating func grant() async {
        let place = random.pick(places)
        let chain = place.scope.chainID
        let others = [Self.trusted, Bench.proxy, Bench.exchange]
        let spender = random.pick(Self.thieves + others + Self.open)
        let amounts = (0..<1 + random.below(4)).map { _ in random.below(Self.limit / 2) + 1 }
        let time = clock.seconds
        let deadline = time + UInt64(random.below(3 * 86_400))
        let message = random.below(7)
        let made: Message?
        switch message {
        case 0, 1: made = transfers(amounts, spender, deadline, chain)
        case 2, 3: made = allowances(amounts, spender, deadline, chain)
        case 4: made = permit(amounts[0], spender, place)
        case 5: made = permit(nil, spender, place)
        default: made = authorization(amounts[0], spender, deadline, chain)
        }
        guard let made, await sign(.typedData(made.data), place) else { return }
        grants += 1
        if Self.open.contains(spender), message != 4 { openGrants += 1 }
        model.place(made.taken, chains: [chain], expiry: made.expiry)
    }

    /// A message, what anyone can take with it, and until when.
    private struct Message {
        let data: TypedData
        let taken: Int
        let expiry: UInt64
    }

    private static func parts(_ amounts: [Int]) -> [(token: Address, amount: UInt256)] {
        amounts.map { (token: token, amount: UInt256(UInt64($0))) }
    }

    private mutating func transfers(
        _ amounts: [Int],
        _ spender: Address,
        _ deadline: UInt64,
        _ chain: UInt64
    ) -> Message? {
        let isBatch = random.chance(50)
        let data = try? TypedDataBench.transfers(
            Self.parts(amounts),
            to: spender,
            isBatch: isBatch,
            hasWitness: random.chance(50),
            deadline: deadline,
            chainID: chain
        )
        let taken = isBatch ? amounts.reduce(0, +) : amounts[0]
        return data.map { Message(data: $0, taken: taken, expiry: deadline + 1) }
    }

    private mutating func allowances(
        _ amounts: [Int],
        _ spender: Address,
        _ deadline: UInt64,
        _ chain: UInt64
    ) -> Message? {
        let isBatch = random.chance(50)
        let end = random.chance(20) ? 0 : deadline + UInt64(random.below(2 * 86_400))
        let data = try? TypedDataBench.allowances(
            Self.parts(amounts),
            to: spender,
            isBatch: isBatch,
            expires: end,
            deadline: deadline,
            chainID: chain
        )
        let taken = isBatch ? amounts.reduce(0, +) : amounts[0]
        return data.map { Message(data: $0, taken: taken, expiry: max(end, deadline) + 1) }
    }

    /// EIP-2612 for an amount, or DAI's for everything.
    private func permit(_ amount: Int?, _ spender: Address, _ place: AgentGrant.Place) -> Message? {
        let isTrusted =
            place.scope.transferContracts.contains(spender)
            || place.policy.spenders?.contains(spender) == true
        let data = try? TypedDataBench.permit(
            of: Self.token,
            amount.map { UInt256(UInt64($0)) },
            to: spender,
            chainID: place.scope.chainID
        )
        let taken = amount.map { isTrusted ? 0 : $0 } ?? 1_000
        return data.map { Message(data: $0, taken: taken, expiry: .max) }
    }

    private mutating func authorization(
        _ amount: Int,
        _ receiver: Address,
        _ end: UInt64,
        _ chain: UInt64
    ) -> Message? {
        let data = try? TypedDataBench.authorization(
            of: Self.token,
            UInt256(UInt64(amount)),
            to: receiver,
            isReceivers: random.chance(50),
            before: end,
            chainID: chain
        )
        return data.map { Message(data: $0, taken: amount, expiry: end) }
    }
}
