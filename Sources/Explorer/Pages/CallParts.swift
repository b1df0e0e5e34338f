import DexCore
import DexTerminal
import Ethereum

/// What a transaction asks for, as a sentence with links.
struct CallParts {
    private let call: TransactionCall
    private let name: (Address) -> NamedAddress

    /// - Parameter name: what an address is called.
    init(_ call: TransactionCall, name: @escaping (Address) -> NamedAddress) {
        self.call = call
        self.name = name
    }

    var sentence: HTML { "\(function) of \(party(call.contract))\(action)\(extra)" }

    /// What the sentence does not say: calls inside of it, and what its data hide.
    var details: [String] { CallText.details(call) }

    private var extra: HTML? {
        guard let effects = call.effects, effects.extraBytes > 0 else { return nil }
        return "; \(NumberText.count(effects.extraBytes, "byte")) behind its arguments"
    }

    private var function: HTML {
        "<span class=\"method\">\(call.function ?? Hex.encode(call.selector))</span>"
    }

    /// Nothing for a call that is not known.
    private var action: HTML? {
        switch call.action {
        case .transfer(let amount, let owner, let to):
            let from: HTML? = owner.map { " from \(party($0))" }
            return ": \(Parts.amount(amount))\(from) to \(party(to))"
        case .approve(let amount, let owner, let spender):
            let whose: HTML? = owner.map { " of \(party($0))" }
            return ": \(party(spender)) may take \(EventParts.allowance(amount))\(whose)"
        case .increaseAllowance(let amount, let spender):
            return ": \(party(spender)) may take \(Parts.amount(amount)) more"
        case .decreaseAllowance(let amount, let spender):
            return ": \(party(spender)) may take \(Parts.amount(amount)) less"
        case .wrap(let amount): return ": wraps \(call.coin.noun) into \(Parts.amount(amount))"
        case .unwrap(let amount): return ": unwraps \(Parts.amount(amount)) into \(call.coin.noun)"
        case .fill(let pays, let receives):
            let tokens = receives.map(Parts.token).joined(by: ", ")
            let maximum = pays.map(Parts.amount).joined(by: ", ")
            // Without a token the transaction's value pays.
            return pays.isEmpty
                ? ": a trade for \(tokens)" : ": pays at most \(maximum) for \(tokens)"
        case .cancel: return ": cancels orders"
        case .other: return nil
        }
    }

    private func party(_ address: Address) -> HTML { Parts.address(name(address)) }
}
