import Ethereum

extension ZeroExSwapRules {
    /// The most that a call of the AllowanceHolder or of a Settler can take from its sender.
    ///
    /// nil for every other function and for bytes that do not say who gets what is bought. So is a
    /// call that has a value and may also take a token: no trade pays with both.
    ///
    /// Source: docs/protocol/swap-v2.md, "What proves a quote genuine".
    public func effects(of call: SwapCall) -> SwapEffects? {
        guard call.to == spender(.allowance) else {
            guard let outcome = SettlerOutcome(call.data[...]) else { return nil }
            return SwapEffects(
                function: "execute",
                // Settler's address changes; a signed message of Permit2 pays it.
                contract: spender(.permit),
                pays: [:],
                bought: asset(outcome.bought),
                recipient: outcome.recipient,
                operators: [call.to]
            )
        }
        guard call.data.selector == HolderCall.selector,
            let exec = try? HolderCall(call.data),  // nil: not in the one encoding
            exec.operator == exec.target, let settler = Address(ifWord: exec.target),
            let token = Address(ifWord: exec.token),
            let outcome = SettlerOutcome(exec.data)
        else { return nil }
        var pays: [Address: UInt256] = [:]
        if token == .zero || asset(token) == .native {
            guard call.value > .zero else { return nil }
        } else {
            guard call.value == .zero || exec.amount == .zero else { return nil }
            guard outcome.sold == nil || outcome.sold == token else { return nil }
            if exec.amount > .zero { pays[token] = exec.amount }
        }
        return SwapEffects(
            function: "exec",
            contract: call.to,
            pays: pays,
            bought: asset(outcome.bought),
            recipient: outcome.recipient,
            operators: [settler]
        )
    }

    private func asset(_ address: Address) -> SwapAsset {
        ZeroExSwapContracts.addresses(of: .native, chainID: chainID).contains(address)
            ? .native : .token(address)
    }
}

/// Who gets what by a call of Settler.
private struct SettlerOutcome {
    let recipient: Address
    let bought: Address
    /// nil where the actions alone say it.
    var sold: Address?

    /// nil for another function, and for a head that sends nothing anywhere.
    init?(_ callData: ArraySlice<UInt8>) {
        guard Array(callData.prefix(4)).selector == SettlerCall.selector,
            let call = try? SettlerCall(callData)  // nil: cut, or in another encoding
        else { return nil }
        let words: (recipient: Bytes32, bought: Bytes32)
        if call.recipient == .zero, call.buyToken == .zero, call.minimum == .zero {
            // Settler checks nothing here; the one action that checks for itself can be read.
            guard let action = try? call.onlyAction(),  // nil: several, or in another encoding
                let swap = try? DirectPoolAction(action)  // nil: another action
            else { return nil }
            words = (swap.recipient, swap.bought)
            guard let token = Address(ifWord: swap.token) else { return nil }
            sold = token
        } else {
            words = (call.recipient, call.buyToken)
        }
        guard let recipient = Address(ifWord: words.recipient), recipient != .zero,
            let bought = Address(ifWord: words.bought), bought != .zero
        else { return nil }
        self.recipient = recipient
        self.bought = bought
    }
}
