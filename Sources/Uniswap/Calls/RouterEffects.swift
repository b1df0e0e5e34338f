public import Ethereum

/// What a call of SwapRouter02 can do to the balances of its sender, by its own bytes alone.
///
/// A sum above 256 bits is given as 2^256 - 1.
public struct RouterEffects: Hashable, Sendable {
    /// The most that the router takes of each token, by the sender's allowance, base units.
    ///
    /// It holds also the wrapped coin that `value` should pay for: with a wei too little of value,
    /// or a token that calls out in between, the router takes the wrapped coin instead.
    public var pays: [Address: UInt256]
    /// The ether that is sent along; none of it need come back.
    public var value: Wei
    /// What arrives at least, and where; what only stays in the router is not there.
    public var receives: [Receipt]

    /// One asset for one recipient.
    public struct Receipt: Hashable, Sendable {
        public var asset: RouterAsset
        public var recipient: Address
        /// The least that the call gives or else reverts; base units, before a fee that the token
        /// itself takes.
        public var minimum: UInt256

        public init(asset: RouterAsset, recipient: Address, minimum: UInt256) {
            self.asset = asset
            self.recipient = recipient
            self.minimum = minimum
        }
    }

    public init(pays: [Address: UInt256], value: Wei, receives: [Receipt]) {
        self.pays = pays
        self.value = value
        self.receives = receives
    }

    /// What the router takes by allowance if nothing interferes: ether of the full amount pays for
    /// the wrapped coin.
    ///
    /// - Parameter wrapped: the router's `WETH9()`; nil where it cannot wrap.
    public func paysByAllowance(wrapped: Address?) -> [Address: UInt256] {
        guard let wrapped, let amount = pays[wrapped], value.rawValue >= amount else { return pays }
        return pays.filter { $0.key != wrapped }
    }
}

extension RouterCall {
    /// The most that the call takes from its sender and the least that arrives.
    public var effects: RouterEffects {
        var effects = RouterEffects(pays: [:], value: value, receives: [])
        for swap in swaps {
            let paid = effects.pays[swap.path.sold] ?? 0
            effects.pays[swap.path.sold] = paid.addingSaturating(swap.maximum)
            guard swap.recipient != RouterSwap.inRouter else { continue }
            effects.add(.token(swap.path.bought), swap.recipient, swap.minimum)
        }
        if let unwrap { effects.add(.native, unwrap.recipient, unwrap.minimum) }
        return effects
    }
}

extension RouterEffects {
    fileprivate mutating func add(
        _ asset: RouterAsset,
        _ recipient: Address,
        _ minimum: UInt256
    ) {
        let place = receives.firstIndex { $0.asset == asset && $0.recipient == recipient }
        guard let place else {
            receives.append(Receipt(asset: asset, recipient: recipient, minimum: minimum))
            return
        }
        receives[place].minimum = receives[place].minimum.addingSaturating(minimum)
    }
}
