import Ethereum

/// The calls that typed data carry in their bytes.
struct TypedDataCalls {
    let data: TypedData
    let kind: TypedDataKind
    let account: Address
    let network: Network

    /// The effects of the call that the message is about, or of calls found in its bytes.
    var effects: CallEffects? {
        switch kind {
        case .metaTransaction:
            guard let contract = data.domain.verifyingContract, let bytes = bytes.last else {
                return nil
            }
            var all = effects(of: bytes, to: contract, by: account)
            all.list += fees(of: contract)
            return all
        case .relayedCall:
            guard let target = data.address("to"), let bytes = bytes.first else { return nil }
            // A Safe calls itself; of a forwarder the sender is in the message.
            let sender = data.address("from") ?? data.domain.verifyingContract ?? account
            var all =
                bytes.isEmpty ? CallEffects() : effects(of: bytes, to: target, by: sender)
            if let value = data.number("value"), value != .zero {
                all.list.append(effect(of: target, .ether(value, to: target)))
            }
            // Safe's: anything but 0 runs the target's code as the Safe.
            if let operation = data.number("operation"), operation != .zero {
                all.list.append(
                    effect(of: data.domain.verifyingContract, .control(.code, by: target))
                )
                all.isUnread = true
            }
            // What it pays for its gas is known only afterwards.
            if let price = data.number("gasPrice"), price != .zero { all.isUnread = true }
            return all
        default: return found
        }
    }

    /// What a meta-transaction of 0x pays its senders, in the fee token.
    private func fees(of exchange: Address) -> [CallEffect] {
        guard let token = data.address("feeToken") else { return [] }
        var fees: [(to: Address, amount: UInt256)] = []
        if let amount = data.number("feeAmount") {
            fees = [(data.address("sender") ?? .zero, amount)]
        } else if case .array(let list) = data.member("fees") {
            fees = list.compactMap { fee in
                guard case .tuple(let values) = fee, values.count == 2,
                    case .address(let recipient) = values[0], case .uint(let amount) = values[1]
                else { return nil }
                return (recipient, amount)
            }
        }
        return fees.filter { $0.amount != .zero }.map { fee in
            effect(of: exchange, .move(fee.amount, owner: account, to: fee.to), token: token)
        }
    }

    private func effect(
        of contract: Address?,
        _ action: CallEffect.Action,
        token: Address? = nil
    ) -> CallEffect {
        CallEffect(
            place: .call,
            contract: contract,
            token: token,
            function: data.primaryType,
            action: action
        )
    }

    /// What bytes of an unknown message do if they are calls.
    private var found: CallEffects? {
        var all = CallEffects()
        for bytes in bytes where bytes.count >= 4 {
            let effects = effects(
                of: bytes,
                to: data.domain.verifyingContract ?? .zero,
                by: account
            )
            all.list += effects.list.filter { effect in
                switch effect.action {
                case .unread, .nothing: false
                default: true
                }
            }
            all.isTooLong = all.isTooLong || effects.isTooLong
        }
        return all.list.isEmpty && !all.isTooLong ? nil : all
    }

    private func effects(of bytes: [UInt8], to contract: Address, by sender: Address) -> CallEffects
    {
        CallDecoder.effects(of: bytes, to: contract, by: sender, on: network)
    }

    /// All byte strings of the message, in their order.
    private var bytes: [[UInt8]] {
        var found: [[UInt8]] = []
        func add(_ value: ABIValue) {
            switch value {
            case .bytes(let bytes): found.append(bytes)
            case .array(let values), .tuple(let values): values.forEach(add)
            default: break
            }
        }
        add(data.message)
        return found
    }
}

extension TypedData {
    /// A member of the message; nil if it has none of that name.
    func member(_ name: String) -> ABIValue? {
        guard
            let index = types[primaryType]?.members.firstIndex(where: { $0.name == name }),
            case .tuple(let values) = message, index < values.count
        else { return nil }
        return values[index]
    }

    /// An address among the members of the message.
    func address(_ name: String) -> Address? {
        if case .address(let address) = member(name) { address } else { nil }
    }

    /// A number among the members of the message.
    func number(_ name: String) -> UInt256? {
        if case .uint(let number) = member(name) { number } else { nil }
    }
}
