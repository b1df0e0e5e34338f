import DexSigning
package import Ethereum
import ZeroEx

/// A transaction's call data, as far as their function is known.
///
/// They say what was asked for. What happened is in the receipt.
package struct TransactionCall: Hashable, Sendable {
    package enum Action: Hashable, Sendable {
        /// A token's `transfer`; with an owner its `transferFrom`.
        case transfer(TokenAmount, owner: Address?, to: Address)
        /// The spender may take this much; with an owner it is an EIP-2612 `permit`.
        case approve(TokenAmount, owner: Address?, spender: Address)
        case increaseAllowance(TokenAmount, spender: Address)
        case decreaseAllowance(TokenAmount, spender: Address)
        /// Ether, the transaction's value, becomes this much wrapped ether.
        case wrap(TokenAmount)
        case unwrap(TokenAmount)
        /// A trade, at the exchange or the swap venue: the most that it pays, and the tokens that come in.
        case fill(pays: [TokenAmount], receives: [Token])
        /// A cancel of orders.
        case cancel
        /// Any other call.
        case other
    }

    package let contract: Address
    /// The contract function; nil if it is not known.
    package let function: String?
    /// The first four bytes of the data, fewer if there are not as many.
    package let selector: [UInt8]
    /// Bytes of the data.
    package let size: Int
    package let action: Action
}

extension TransactionCall {
    /// The call of a transaction; nil without call data and for one that creates a contract.
    ///
    /// Only tokens of the map have decimals: no request is made.
    init?(to contract: Address?, value: Wei, data: [UInt8], session: Session) {
        guard let contract, !data.isEmpty else { return nil }
        self.contract = contract
        selector = Array(data.prefix(4))
        size = data.count
        if contract == session.network.exchange, session.network.hasExchange {
            let effects = session.exchangeProtocol.effects(of: data)
            function = effects?.function ?? session.exchangeProtocol.functionName(of: data)
            action = effects.map { Self.action($0, session) } ?? .other
        } else if let swap = Self.swap(SwapCall(to: contract, data: data, value: value), session) {
            function = swap.function
            action = Self.action(swap, session)
        } else if let call = TokenCall(data: data),
            let action = Self.action(call, of: contract, value: value, session)
        {
            function = call.function
            self.action = action
        } else {
            function = nil
            action = .other
        }
    }

    /// What a call of the swap venue's own contracts asks for; nil for any other call.
    private static func swap(_ call: SwapCall, _ session: Session) -> SwapEffects? {
        guard session.network.swapContracts.contains(call.to) else { return nil }
        return Protocols.swapRules(chainID: session.network.chainID).effects(of: call)
    }

    private static func action(_ effects: SwapEffects, _ session: Session) -> Action {
        let bought: Token =
            switch effects.bought {
            case .native: .nativeCoin
            case .token(let address): session.tokens.token(at: address)
            }
        return .fill(pays: amounts(effects.pays, session), receives: [bought])
    }

    private static func amounts(_ pays: [Address: UInt256], _ session: Session) -> [TokenAmount] {
        pays.sorted { $0.key < $1.key }.map { address, raw in
            TokenAmount(raw: raw, token: session.tokens.token(at: address))
        }
    }

    private static func action(_ effects: ExchangeCallEffects, _ session: Session) -> Action {
        if effects.isCancel { return .cancel }
        guard !effects.pays.isEmpty || !effects.receives.isEmpty else { return .other }
        return .fill(
            pays: amounts(effects.pays, session),
            receives: effects.receives.sorted().map { session.tokens.token(at: $0) }
        )
    }

    /// nil for a function of wrapped ether at another contract: any contract may have one.
    private static func action(
        _ call: TokenCall,
        of contract: Address,
        value: Wei,
        _ session: Session
    ) -> Action? {
        let token = session.tokens.token(at: contract)
        func amount(_ raw: UInt256) -> TokenAmount { TokenAmount(raw: raw, token: token) }
        switch call {
        case .transfer(let to, let raw): return .transfer(amount(raw), owner: nil, to: to)
        case .transferFrom(let owner, let to, let raw):
            return .transfer(amount(raw), owner: owner, to: to)
        case .approve(let spender, let raw):
            return .approve(amount(raw), owner: nil, spender: spender)
        case .permit(let owner, let spender, let raw):
            return .approve(amount(raw), owner: owner, spender: spender)
        case .increaseAllowance(let spender, let raw):
            return .increaseAllowance(amount(raw), spender: spender)
        case .decreaseAllowance(let spender, let raw):
            return .decreaseAllowance(amount(raw), spender: spender)
        case .deposit:
            return contract == session.network.weth ? .wrap(amount(value.rawValue)) : nil
        case .withdraw(let raw):
            return contract == session.network.weth ? .unwrap(amount(raw)) : nil
        }
    }
}
