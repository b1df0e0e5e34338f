import Ethereum

extension ZeroExSwapRules {
    /// Checks a quote word by word; nothing of its JSON is trusted.
    ///
    /// - Throws: `QuoteFault`; its field is named as the API and the contracts name it.
    public func verify(_ quote: SwapQuote, _ terms: SwapTerms) throws(QuoteFault) -> SwapCall {
        if let spender = quote.namedSpender {
            try require(
                spender.word,
                isOneOf: ZeroExSwapContracts.spenders,
                "allowanceTarget"
            )
        }
        try checkValue(quote, terms)
        if let wrapping = Wrapping(terms) {
            try check(wrapping, quote.call, terms)
        } else if terms.request.payment == .permit {
            try require(quote.call.to.word, isOneOf: terms.genuine, "transaction.to")
            try checkSettlerCall(quote.call.data[...], "transaction.data", terms)
        } else {
            try checkHolderCall(quote.call, terms)
        }
        return quote.call
    }

    /// A native sell pays by the value, any other trade without one.
    private func checkValue(_ quote: SwapQuote, _ terms: SwapTerms) throws(QuoteFault) {
        let value = quote.call.value.rawValue
        guard terms.request.sell == .native else {
            return try require(value == 0, "transaction.value", "0", value.description)
        }
        let fixed =
            switch terms.request.amount {
            case .exactIn(let amount): amount
            case .exactOut: quote.price.maximumSold
            }
        try require(value == fixed, "transaction.value", fixed.description, value.description)
        try require(value, isAtMost: terms.maximum, "transaction.value")
    }

    private func checkHolderCall(_ call: SwapCall, _ terms: SwapTerms) throws(QuoteFault) {
        try require(call.to.word, isOneOf: [spender(.allowance)], "transaction.to")
        try requireSelector(HolderCall.selector, call.data[...], "transaction.data")
        let exec: HolderCall
        do throws(MalformedContractData) {
            exec = try HolderCall(call.data)
        } catch {
            throw Self.malformed("transaction.data", "exec", call.data.count)
        }
        try require(exec.operator, isOneOf: terms.genuine, "exec.operator")
        try require(
            exec.target == exec.operator,
            "exec.target",
            Self.text(exec.operator),
            Self.text(exec.target)
        )
        try checkAllowance(exec, terms)
        try checkSettlerCall(exec.data, "exec.data", terms)
    }

    /// What `exec` lets the operator move of what is approved to the AllowanceHolder.
    private func checkAllowance(_ exec: HolderCall, _ terms: SwapTerms) throws(QuoteFault) {
        var tokens = addresses(terms.request.sell)
        if terms.request.sell == .native {
            // It needs no allowance: any other token would open an older one to the actions.
            if exec.amount == 0 { return }
            tokens.append(.zero)
        }
        try require(exec.token, isOneOf: tokens, "exec.token")
        try require(exec.amount, isAtMost: terms.maximum, "exec.amount")
    }

    /// - Parameter field: what holds the call.
    private func checkSettlerCall(
        _ data: ArraySlice<UInt8>,
        _ field: String,
        _ terms: SwapTerms
    ) throws(QuoteFault) {
        try requireSelector(SettlerCall.selector, data, field)
        let execute: SettlerCall
        do throws(MalformedContractData) {
            execute = try SettlerCall(data)
        } catch {
            throw Self.malformed(field, "execute", data.count)
        }
        guard execute.minimum != 0 else {
            guard isProtectedByItsAction(execute, terms) else { throw .unprotected }
            return
        }
        try require(execute.recipient, isOneOf: [terms.account], "execute.recipient")
        let tokens = addresses(terms.request.buy)
        try require(execute.buyToken, isOneOf: tokens, "execute.buyToken")
        try require(
            execute.minimum >= terms.minimum,
            "execute.minAmountOut",
            "at least \(terms.minimum)",
            execute.minimum.description
        )
    }

    /// The one kind of call without a minimum of its own whose only action has one.
    private func isProtectedByItsAction(_ execute: SettlerCall, _ terms: SwapTerms) -> Bool {
        guard execute.recipient == .zero, execute.buyToken == .zero,
            case .token(let sold) = terms.request.sell,
            case .token(let bought) = terms.request.buy
        else { return false }
        do throws(MalformedContractData) {
            let action = try DirectPoolAction(try execute.onlyAction())
            return action.recipient == terms.account.word && action.token == sold.word
                && action.amount <= terms.maximum && action.bought == bought.word
                && action.minimum >= terms.minimum && action.minimum != 0
        } catch {
            return false
        }
    }

    func addresses(_ asset: SwapAsset) -> [Address] {
        ZeroExSwapContracts.addresses(of: asset, chainID: chainID)
    }
}

// MARK: Wrapping

/// A trade between the native coin and its token, by that token's own contract.
private struct Wrapping {
    let contract: Address
    let isUnwrap: Bool

    init?(_ terms: SwapTerms) {
        guard let wrapped = terms.wrapped else { return nil }
        switch (terms.request.sell, terms.request.buy) {
        case (.native, .token(wrapped)): isUnwrap = false
        case (.token(wrapped), .native): isUnwrap = true
        default: return nil
        }
        contract = wrapped
    }

    static let deposit: UInt32 = 0xd0e3_0db0
    static let withdraw: UInt32 = 0x2e1a_7d4d
}

extension ZeroExSwapRules {
    private func check(
        _ wrapping: Wrapping,
        _ call: SwapCall,
        _ terms: SwapTerms
    ) throws(QuoteFault) {
        try require(call.to.word, isOneOf: [wrapping.contract], "transaction.to")
        let selector = wrapping.isUnwrap ? Wrapping.withdraw : Wrapping.deposit
        try requireSelector(selector, call.data[...], "transaction.data")
        let size = wrapping.isUnwrap ? 36 : 4
        try require(
            call.data.count == size,
            "transaction.data",
            "\(size) bytes",
            "\(call.data.count) bytes"
        )
        var amount = call.value.rawValue
        var field = "transaction.value"
        if wrapping.isUnwrap {
            amount = UInt256(bigEndian: call.data.suffix(32)) ?? .zero
            field = "withdraw.wad"
            try require(amount, isAtMost: terms.maximum, field)
        }
        try require(amount >= terms.minimum, field, "at least \(terms.minimum)", amount.description)
    }
}

// MARK: Faults

extension ZeroExSwapRules {
    func require(
        _ holds: Bool,
        _ field: String,
        _ expected: @autoclosure () -> String,
        _ found: @autoclosure () -> String
    ) throws(QuoteFault) {
        guard holds else {
            throw .counterfeit(field: field, expected: expected(), found: found())
        }
    }

    func require(
        _ word: Bytes32,
        isOneOf addresses: [Address],
        _ field: String
    ) throws(QuoteFault) {
        let isOne = addresses.contains { $0.word == word }
        try require(isOne, field, Self.list(addresses), Self.text(word))
    }

    func require(
        _ amount: UInt256,
        isAtMost maximum: UInt256,
        _ field: String
    ) throws(QuoteFault) {
        try require(amount <= maximum, field, "at most \(maximum)", amount.description)
    }

    private func requireSelector(
        _ selector: UInt32,
        _ data: ArraySlice<UInt8>,
        _ field: String
    ) throws(QuoteFault) {
        let found = Array(data.prefix(4))
        try require(
            found.selector == selector,
            field,
            "a call of \(Self.hex(selector))",
            found.count < 4 ? "\(data.count) bytes" : "a call of \(Hex.encode(found))"
        )
    }

    private static func hex(_ selector: UInt32) -> String {
        Hex.encode(withUnsafeBytes(of: selector.bigEndian) { Array($0) })
    }

    private static func malformed(_ field: String, _ call: String, _ count: Int) -> QuoteFault {
        .counterfeit(
            field: field,
            expected: "a call of \(call) in the contract ABI's encoding",
            found: "\(count) bytes in another encoding"
        )
    }

    private static func list(_ addresses: [Address]) -> String {
        addresses.isEmpty ? "none" : addresses.map(\.checksummed).joined(separator: " or ")
    }

    /// The address in a word, or the word if it holds more.
    private static func text(_ word: Bytes32) -> String {
        Address(ifWord: word)?.checksummed ?? word.hex
    }
}
