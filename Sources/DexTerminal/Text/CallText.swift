package import DexCore
import Ethereum

/// What a transaction asks for, in words.
package enum CallText {
    /// The exact amount; of a token outside the map base units and the whole address.
    static func amount(_ amount: TokenAmount) -> String {
        guard amount.token.decimals == nil else { return NumberText.amount(amount) }
        return "\(amount.raw) base units of \(amount.token.address.checksummed)"
    }

    /// `transfer of 5 ZRX to 0x…`, or an unknown function's selector and size.
    static func sentence(_ call: TransactionCall) -> String {
        main(call) + encoding(call.effects)
    }

    private static func main(_ call: TransactionCall) -> String {
        let function = TerminalText.clean(call.function ?? "")
        switch call.action {
        case .transfer(let moved, let owner, let to):
            return "\(function) of \(amount(moved))" + party(" from ", owner)
                + " to \(to.checksummed)"
        case .approve(let allowed, let owner, let spender):
            return party("", owner, " ") + (owner == nil ? "let" : "lets")
                + " \(spender.checksummed) take \(allowance(allowed)) (\(function))"
        case .increaseAllowance(let change, let spender):
            return "let \(spender.checksummed) take \(amount(change)) more (\(function))"
        case .decreaseAllowance(let change, let spender):
            return "let \(spender.checksummed) take \(amount(change)) less (\(function))"
        case .wrap(let moved):
            return "wrap \(call.coin.noun) into \(amount(moved)) (\(function))"
        case .unwrap(let moved):
            return "unwrap \(amount(moved)) into \(call.coin.noun) (\(function))"
        case .fill(let pays, let receives):
            let tokens = receives.map { PlainText.name($0.symbol) }.joined(separator: ", ")
            let maximum = pays.map { amount($0) }.joined(separator: ", ")
            // Without a token the transaction's value pays.
            return "\(function): "
                + (pays.isEmpty ? "a trade for \(tokens)" : "pays at most \(maximum) for \(tokens)")
        case .cancel: return "\(function): cancels orders"
        case .other:
            let size = "\(call.size) \(call.size == 1 ? "byte" : "bytes")"
            return call.function == nil
                ? "unknown function \(Hex.encode(call.selector)), \(size)" : "\(function), \(size)"
        }
    }

    /// How the data differ from the usual encoding; contracts read them all the same.
    private static func encoding(_ effects: CallEffects?) -> String {
        guard let effects else { return "" }
        var parts: [String] = []
        if effects.extraBytes > 0 {
            parts.append("\(NumberText.count(effects.extraBytes, "byte")) behind its arguments")
        }
        if effects.missingBytes > 0 {
            parts.append("\(NumberText.count(effects.missingBytes, "byte")) of them missing")
        }
        if effects.isDirty { parts.append("a value too wide for its type") }
        if effects.isIrregular { parts.append("not in the usual encoding") }
        return parts.isEmpty ? "" : "; " + parts.joined(separator: ", ")
    }

    /// What the sentence does not say: calls inside, and what the data hide; one line each.
    package static func details(_ call: TransactionCall) -> [String] {
        guard let effects = call.effects else { return [] }
        let isSaid = call.action != .other
        let lines = effects.list.compactMap { effect -> String? in
            if effect.place == .call {
                switch effect.action {
                case .unread, .nothing: return nil
                default: if isSaid { return nil }
                }
            }
            return place(effect.place) + words(effect, call)
        }
        return lines + (effects.isTooLong ? ["more calls than are read"] : [])
    }

    private static func place(_ place: CallEffect.Place) -> String {
        switch place {
        case .call: ""
        case .inside(let path): path.map { String($0) }.joined(separator: ".") + ": "
        case .found(let byte): "at byte \(byte) of the data: "
        }
    }

    private static func words(_ effect: CallEffect, _ call: TransactionCall) -> String {
        let tokens = call.tokens
        func name(_ address: Address?) -> String {
            guard let address else { return "a contract" }
            let symbol = tokens[address].map { PlainText.name($0.symbol) + " " }
            return (symbol ?? "") + address.checksummed
        }
        func sum(_ raw: UInt256) -> String {
            guard let address = effect.token else { return "\(raw) base units of a token" }
            let token =
                tokens[address]
                ?? Token(address: address, symbol: address.checksummed, name: "", decimals: nil)
            return allowance(TokenAmount(raw: raw, token: token))
        }
        let function = TerminalText.clean(effect.function)
        switch effect.action {
        case .move(let raw, let owner, let to):
            return "moves \(sum(raw)) of \(owner.checksummed) to \(to.checksummed)"
        case .moveItems(let owner, let to):
            return "moves items of \(name(effect.contract)) of \(owner.checksummed) to "
                + to.checksummed
        case .allow(let raw, let owner, let spender, _):
            return "lets \(spender.checksummed) take \(sum(raw)) of \(owner.checksummed)"
        case .raise(let raw, let owner, let spender):
            return "lets \(spender.checksummed) take \(sum(raw)) more of \(owner.checksummed)"
        case .lower(let raw, let owner, let spender):
            return "lets \(spender.checksummed) take \(sum(raw)) less of \(owner.checksummed)"
        case .operate(let owner, let spender, let isAllowed):
            return "lets \(spender.checksummed) \(isAllowed ? "" : "no longer ")move all that "
                + "\(owner.checksummed) has in \(name(effect.contract))"
        case .lend(let raw, let owner, let spender):
            return "lets \(spender.checksummed) take \(sum(raw)) of \(owner.checksummed) in this "
                + "transaction"
        case .control(let control, let by):
            return "changes the \(control.rawValue) of \(name(effect.contract)): "
                + (by?.checksummed ?? "nobody")
        case .ether(let raw, let to):
            return "sends \(NumberText.ether(Wei(raw), call.coin)) to \(to.checksummed)"
        case .unread(let bytes):
            return "unknown function \(function) of \(name(effect.contract)), "
                + NumberText.count(bytes, "byte")
        case .nothing: return "\(function) of \(name(effect.contract))"
        }
    }

    private static func party(_ before: String, _ address: Address?, _ after: String = "") -> String
    {
        address.map { before + $0.checksummed + after } ?? ""
    }

    private static func allowance(_ allowed: TokenAmount) -> String {
        let token = allowed.token
        guard NumberText.isUnlimited(allowed.raw) else { return amount(allowed) }
        let name =
            token.decimals == nil ? token.address.checksummed : PlainText.name(token.symbol)
        return "unlimited \(name)"
    }

    /// The amount in a column: 8 significant digits, rounded up.
    static func column(_ subject: TransactionSubject) -> String {
        guard let raw = subject.amount else { return "" }
        let symbol = PlainText.name(subject.currency.symbol)
        if subject.isAllowance, NumberText.isUnlimited(raw) { return "unlimited \(symbol)" }
        guard subject.currency.decimals != nil else { return "\(raw) of \(symbol)" }
        return NumberText.listValue(raw, subject.currency.decimals) + " \(symbol)"
    }

    /// A name, else a shortened address.
    static func party(_ name: String?, _ address: Address?) -> String {
        name.map { name in
            // The article of a contract's name has no place in a column.
            TerminalText.clean(name.hasPrefix("the ") ? String(name.dropFirst(4)) : name)
        } ?? address?.shortened ?? ""
    }
}
