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
    /// What its data do by position, also inside of wrappers and behind the arguments; nil for the
    /// usual encoding of a function that calls nothing else.
    package let effects: CallEffects?
    /// The tokens of these effects.
    package let tokens: [Address: Token]
    /// The coin of its network, which effects may send.
    package let coin: CoinSymbol

    package init(
        contract: Address,
        function: String?,
        selector: [UInt8],
        size: Int,
        action: Action,
        effects: CallEffects? = nil,
        tokens: [Address: Token] = [:],
        coin: CoinSymbol
    ) {
        self.contract = contract
        self.function = function
        self.selector = selector
        self.size = size
        self.action = action
        self.effects = effects
        self.tokens = tokens
        self.coin = coin
    }
}

extension TransactionCall {
    /// The call of a transaction; nil without call data and for one that creates a contract.
    ///
    /// Data in another encoding than the usual one are read as contracts read them: a byte behind
    /// the arguments hides nothing. Only tokens of the map have decimals: no request is made.
    ///
    /// - Parameter sender: of the transaction; nil if it is not known.
    init?(to contract: Address?, value: Wei, data: [UInt8], by sender: Address?, session: Session) {
        guard let contract, !data.isEmpty else { return nil }
        let function: String?
        let action: Action
        var effects: CallEffects?
        if contract == session.network.exchange, session.network.hasExchange {
            let read = session.exchangeProtocol.effects(of: data)
            function = read?.function ?? session.exchangeProtocol.functionName(of: data)
            action = read.map { Self.action($0, session) } ?? .other
            if read == nil { effects = Self.read(data, of: contract, by: sender, session) }
        } else if let swap = Self.swap(SwapCall(to: contract, data: data, value: value), session) {
            function = swap.function
            action = Self.action(swap, value: value, session)
        } else if let call = TokenCall(data: data),
            let usual = Self.action(call, of: contract, value: value, session)
        {
            function = call.function
            action = usual
        } else {
            let read = Self.read(data, of: contract, by: sender, session)
            effects = read
            function = Self.function(read)
            action = Self.action(read, of: contract, value: value, by: sender, session)
        }
        self.init(
            contract: contract,
            function: function,
            selector: Array(data.prefix(4)),
            size: data.count,
            action: action,
            effects: effects,
            tokens: (effects?.list ?? []).flatMap { [$0.contract, $0.token] }.compactMap(\.self)
                .reduce(into: [:]) { tokens, address in
                    tokens[address] = session.tokens.known(address)
                },
            coin: session.network.coin
        )
    }

    private static func read(
        _ data: [UInt8],
        of contract: Address,
        by sender: Address?,
        _ session: Session
    ) -> CallEffects {
        CallDecoder.effects(of: data, to: contract, by: sender ?? .zero, on: session.network)
    }

    /// nil if the contract may have another function of this name.
    private static func function(_ effects: CallEffects) -> String? {
        let isUnread = effects.list.contains {
            if case .unread = $0.action { $0.place == .call } else { false }
        }
        return isUnread ? nil : effects.signature?.function.name
    }

    /// The one thing that the called function does with the called token; else `other`.
    private static func action(
        _ effects: CallEffects,
        of contract: Address,
        value: Wei,
        by sender: Address?,
        _ session: Session
    ) -> Action {
        let own = effects.list.filter { $0.place == .call }
        guard let effect = own.first, own.count == 1 else { return .other }
        let token = session.tokens.token(at: contract)
        func amount(_ raw: UInt256) -> TokenAmount { TokenAmount(raw: raw, token: token) }
        func other(_ owner: Address) -> Address? { owner == sender ?? .zero ? nil : owner }
        if contract == session.network.weth, case .nothing = effect.action {
            switch (effects.signature?.function.name, effects.arguments.first?.value) {
            case ("deposit", _): return .wrap(amount(value.rawValue))
            case ("withdraw", .uint(let raw)): return .unwrap(amount(raw))
            default: return .other
            }
        }
        guard effect.token == contract else { return .other }
        switch effect.action {
        case .move(let raw, let owner, let to):
            return .transfer(amount(raw), owner: other(owner), to: to)
        case .allow(let raw, let owner, let spender, _):
            return .approve(amount(raw), owner: other(owner), spender: spender)
        case .raise(let raw, let owner, let spender) where other(owner) == nil:
            return .increaseAllowance(amount(raw), spender: spender)
        case .lower(let raw, let owner, let spender) where other(owner) == nil:
            return .decreaseAllowance(amount(raw), spender: spender)
        default: return .other
        }
    }

    /// What a call of a venue's own contracts asks for; nil for any other call.
    private static func swap(_ call: SwapCall, _ session: Session) -> SwapEffects? {
        guard session.network.swapContracts.contains(call.to) else { return nil }
        return session.network.rules(of: call)?.effects(of: call)
    }

    private static func action(
        _ effects: SwapEffects,
        value: Wei,
        _ session: Session
    ) -> Action {
        // The coin sent along pays in place of its wrapped token.
        let pays = effects.pays.filter { token, amount in
            token != session.network.weth || amount > value.rawValue
        }
        let bought: Token =
            switch effects.bought {
            case .native: .nativeCoin(session.network.coin)
            case .token(let address): session.tokens.token(at: address)
            }
        return .fill(pays: amounts(pays, session), receives: [bought])
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

extension TransactionCall {
    /// The tokens whose amounts it names, also inside of wrappers.
    var tokenAddresses: Set<Address> {
        let own: Set<Address>
        switch action {
        case .transfer(let amount, _, _), .approve(let amount, _, _),
            .increaseAllowance(let amount, _), .decreaseAllowance(let amount, _), .wrap(let amount),
            .unwrap(let amount):
            own = [amount.token.address]
        case .fill(let pays, let receives):
            own = Set(pays.map(\.token.address) + receives.map(\.address))
        case .cancel, .other: own = []
        }
        return own.union(tokens.keys)
    }

    /// The same of a transaction's parts; none without a call.
    static func tokens(
        to contract: Address?,
        value: Wei,
        data: [UInt8],
        _ session: Session
    ) -> Set<Address> {
        TransactionCall(to: contract, value: value, data: data, by: nil, session: session)?
            .tokenAddresses ?? []
    }
}
