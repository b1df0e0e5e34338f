import DexCore
import Ethereum

/// What a transaction asks for, in words.
enum CallText {
    static func ether(_ wei: Wei) -> String {
        NumberText.amount(wei.rawValue, Currency.ether)
    }

    /// The exact amount; of a token outside the map base units and the whole address.
    static func amount(_ amount: TokenAmount) -> String {
        guard amount.token.decimals == nil else { return NumberText.amount(amount) }
        return "\(amount.raw) base units of \(amount.token.address.checksummed)"
    }

    /// `transfer of 5 ZRX to 0x…`, or an unknown function's selector and size.
    static func sentence(_ call: TransactionCall) -> String {
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
        case .wrap(let moved): return "wrap ether into \(amount(moved)) (\(function))"
        case .unwrap(let moved): return "unwrap \(amount(moved)) into ether (\(function))"
        case .fill(let pays, let receives):
            let tokens = receives.map { TerminalText.clean($0.symbol) }.joined(separator: ", ")
            let most = pays.map { amount($0) }.joined(separator: ", ")
            // Without a token the transaction's value pays.
            return "\(function): "
                + (pays.isEmpty ? "a trade for \(tokens)" : "pays at most \(most) for \(tokens)")
        case .cancel: return "\(function): cancels orders"
        case .other:
            let size = "\(call.size) \(call.size == 1 ? "byte" : "bytes")"
            return call.function == nil
                ? "unknown function \(Hex.encode(call.selector)), \(size)" : "\(function), \(size)"
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
            token.decimals == nil ? token.address.checksummed : TerminalText.clean(token.symbol)
        return "unlimited \(name)"
    }

    /// The amount in a column: 8 significant digits, rounded up.
    static func column(_ subject: TransactionSubject) -> String {
        guard let raw = subject.amount else { return "" }
        let symbol = TerminalText.clean(subject.currency.symbol)
        if subject.isAllowance, NumberText.isUnlimited(raw) { return "unlimited \(symbol)" }
        guard subject.currency.decimals != nil else { return "\(raw) of \(symbol)" }
        return NumberText.briefValue(raw, subject.currency.decimals, .up) + " \(symbol)"
    }

    /// A name, else a shortened address.
    static func party(_ name: String?, _ address: Address?) -> String {
        name.map { TerminalText.clean($0) } ?? address?.shortened ?? ""
    }
}
