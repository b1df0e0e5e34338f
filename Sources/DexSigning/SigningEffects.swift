package import Ethereum
import ZeroEx

/// The most that a request can do, read from its own bytes.
package struct SigningEffects: Hashable, Sendable {
    package struct Approval: Hashable, Sendable {
        /// Who can draw it.
        package enum Kind: String, Hashable, Sendable {
            /// Its spender alone: `approve`, EIP-2612. A trusted spender draws only what was
            /// counted, or what its owner lets it draw.
            case allowance
            /// Whoever has the signature and can make the spender act: no trust in it helps.
            case grant
        }

        package let token: Address
        package let spender: Address
        /// Base units.
        package let amount: UInt256
        /// When it can no longer be used, in seconds since 1970; nil for one that stays.
        package internal(set) var expires: UInt256?
        package internal(set) var kind = Kind.allowance
    }

    /// The contract function, or `(data)` if unknown; of typed data its kind; else nil.
    package private(set) var function: String?
    /// Payments in base units, without gas.
    package private(set) var paid: [Asset: UInt256] = [:]
    /// The tokens that come in.
    package private(set) var received: Set<Address> = []
    package private(set) var approvals: [Approval] = []
    /// Receivers of ether or tokens.
    package private(set) var recipients: Set<Address> = []
    /// The called contract, unless it is a token, or Permit2 that only takes allowances away; for a
    /// trade at the swap venue, the venue's fixed contract that bounds it.
    package private(set) var contract: Address?
    /// No other effect on the account's assets is possible.
    package private(set) var isUnderstood = true
    /// There are fees in an unnamed token.
    package private(set) var hasUnknownFee = false
    /// The most that gas may cost, and a rollup's fee beside it; nil for what is no transaction.
    package private(set) var maximumFee: Wei?
    /// What a unit of gas may pay to those who make blocks; nil for what is no transaction.
    private(set) var tip: TipLimit.Offer?
    /// Base units of a fee in the exchange's own token.
    private(set) var fee = UInt256.zero
    /// Of an order or a transfer as typed data: when it can no longer be used, in seconds since
    /// 1970.
    private(set) var expiry: UInt256?
    private let feeTokens: Set<Address>

    /// The effects of a request.
    ///
    /// - Parameter other: the chain of an order without one, with another network's fees.
    package init(of request: SigningRequest, on other: OtherChain? = nil) {
        feeTokens = other.map { Set([$0.feeToken].compactMap(\.self)) } ?? request.feeTokens
        switch request.content {
        case .transaction(let transaction): add(transaction, request)
        case .order(let draft): add(draft, request)
        case .message: break
        case .permit(let permit):
            contract = permit.contract
            pay(.token(permit.token), permit.amount)
        case .typedData(let data): add(data, request)
        }
    }

    /// The effects of the order of a guard, which fires later.
    init(of terms: GuardConfirmation) {
        feeTokens = []
        contract = terms.exchange
        pay(.token(terms.pays.token), terms.pays.amount)
        received = [terms.receives]
    }

    // MARK: Transactions

    private mutating func add(_ transaction: Transaction, _ request: SigningRequest) {
        let price = transaction.maximumGasPrice
        let product = price.multiplied(by: UInt256(transaction.gasLimit))
        maximumFee = product?.adding(request.terms.rollupFee) ?? Wei(.max)
        tip = TipLimit.Offer(transaction.fee)
        let ether = transaction.value.rawValue
        pay(.ether, ether)
        guard let to = transaction.to, transaction.authorizations.isEmpty else {
            function = transaction.to == nil ? "(creation)" : "(authorization)"
            isUnderstood = false
            return
        }
        // The contract gets the ether of every call. Only WETH and the swap venue return something
        // for it, and the exchange returns what its own fee does not need.
        let isDeposit =
            TokenCall(data: transaction.data) == .deposit && to == request.scope.weth
        let swap = request.swap
        if ether > .zero, !isDeposit, swap == nil, !isProtocolFee(transaction, request) {
            recipients.insert(to)
        }
        if transaction.data.isEmpty {
            // An empty transfer to oneself only uses up a nonce.
            if to != request.account || ether > .zero { recipients.insert(to) }
        } else if to == request.scope.exchange {
            contract = to
            addExchangeCall(transaction.data, request)
        } else if let swap {
            add(swap, request)
        } else if to == ZeroExSwapContracts.permit2,
            let revocation = Permit2Revocation(data: transaction.data)
        {
            // Like `approve` of zero in a token: it only takes away.
            function = revocation.function
        } else if let call = TokenCall(data: transaction.data) {
            add(call, of: to, request)
        } else {
            contract = to
            function = "(data)"
            isUnderstood = false
        }
    }

    private func isProtocolFee(
        _ transaction: Transaction,
        _ request: SigningRequest
    ) -> Bool {
        let known = request.scope.transferContracts
        guard let to = transaction.to, to == request.scope.exchange,
            // On a chain of the bundled list, an unlisted exchange has no fee of its own.
            known.isEmpty || known.contains(to),
            let call = request.scope.exchangeProtocol.effects(of: transaction.data)
        else { return false }
        return call.protocolFeeOrders > 0
    }

    private mutating func addExchangeCall(_ data: [UInt8], _ request: SigningRequest) {
        guard let call = request.scope.exchangeProtocol.effects(of: data) else {
            function = "(data)"
            isUnderstood = false
            return
        }
        function = call.function
        for (token, amount) in call.pays { pay(.token(token), amount) }
        received = call.receives
        addFee(call.fees)
    }

    /// A signed message pays a call that pays nothing itself: it was counted when it was signed.
    private mutating func add(_ swap: SwapEffects, _ request: SigningRequest) {
        contract = swap.contract
        function = swap.function
        for (token, amount) in swap.pays { pay(.token(token), amount) }
        guard swap.recipient == request.account else {
            recipients.insert(swap.recipient)
            return
        }
        if case .token(let token) = swap.bought { received.insert(token) }
    }

    private mutating func add(_ call: TokenCall, of token: Address, _ request: SigningRequest) {
        let weth = request.scope.weth
        function = call.function
        switch call {
        case .transfer(let to, let amount):
            pay(.token(token), amount)
            recipients.insert(to)
        case .transferFrom(let owner, let to, let amount):
            // A draw from another account does not affect this one.
            guard owner == request.account else { break }
            pay(.token(token), amount)
            recipients.insert(to)
        case .approve(let spender, let amount), .increaseAllowance(let spender, let amount):
            approvals.append(Approval(token: token, spender: spender, amount: amount))
        case .decreaseAllowance(let spender, _):
            approvals.append(Approval(token: token, spender: spender, amount: .zero))
        case .permit(let owner, let spender, let amount):
            guard owner == request.account else { break }
            approvals.append(Approval(token: token, spender: spender, amount: amount))
        case .deposit where token == weth: received.insert(token)
        case .withdraw(let amount) where token == weth: pay(.token(token), amount)
        case .deposit, .withdraw:
            // Any contract may have such a function.
            contract = token
            isUnderstood = false
        }
    }

    // MARK: Orders

    private mutating func add(_ draft: OrderDraft, _ request: SigningRequest) {
        contract = draft.exchange
        pay(.token(draft.makerToken), draft.makerAmount)
        received.insert(draft.takerToken)
        isUnderstood = draft.exchange == request.scope.exchange
        if draft.fees.recipient != .zero { addFee(draft.fees.makerFee) }
    }

    // MARK: Typed data

    /// A known kind counts as what it allows; everything else is not understood.
    ///
    /// Nor is one for another account, whose contract may take this account's signature, or one
    /// without a chain, which may hold on all of them.
    private mutating func add(_ data: TypedData, _ request: SigningRequest) {
        guard let grant = TypedGrant(data), grant.namesChain,
            grant.owner.map({ $0 == request.account }) ?? true
        else {
            contract = data.domain.verifyingContract
            function = "(typed data)"
            isUnderstood = false
            return
        }
        function = grant.kind.rawValue
        if grant.kind == .transferAuthorization {
            for part in grant.parts { pay(.token(part.token), part.amount) }
            recipients.insert(grant.spender)
            expiry = grant.deadline
            return
        }
        guard let order = grant.receives else {
            approvals = grant.parts.map {
                Approval(
                    token: $0.token,
                    spender: grant.spender,
                    amount: $0.amount,
                    expires: $0.expires,
                    kind: grant.isAllowance ? .allowance : .grant
                )
            }
            return
        }
        let exchange = grant.contract
        contract = exchange
        isUnderstood =
            exchange == request.scope.exchange || request.scope.transferContracts.contains(exchange)
        for part in grant.parts { pay(.token(part.token), part.amount) }
        received.insert(order.token)
        expiry = grant.deadline
    }

    private mutating func addFee(_ amount: UInt256) {
        guard amount > .zero else { return }
        fee = amount
        hasUnknownFee = feeTokens.isEmpty
        for token in feeTokens { pay(.token(token), amount) }
    }

    private mutating func pay(_ asset: Asset, _ amount: UInt256) {
        guard amount > .zero else { return }
        // A sum that saturates at 2^256 - 1 is above any limit.
        paid[asset] = (paid[asset] ?? .zero).addingSaturating(amount)
    }
}
