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
            return effects(of: bytes, to: contract, by: account)
        case .relayedCall:
            guard let target = member("to"), let bytes = bytes.first else { return nil }
            // A Safe calls itself; of a forwarder the sender is in the message.
            let sender = member("from") ?? data.domain.verifyingContract ?? account
            return bytes.isEmpty ? nil : effects(of: bytes, to: target, by: sender)
        default: return found
        }
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

    /// An address among the members of the message.
    private func member(_ name: String) -> Address? {
        guard
            let index = data.types[data.primaryType]?.members.firstIndex(where: { $0.name == name }
            ),
            case .tuple(let values) = data.message, index < values.count,
            case .address(let address) = values[index]
        else { return nil }
        return address
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
