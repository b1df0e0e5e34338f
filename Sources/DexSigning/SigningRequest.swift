package import Ethereum
package import Uniswap
package import ZeroEx

/// The network of a signature, with the data needed to determine a call's effects.
package struct SigningScope: Sendable {
    /// The network's name in the settings.
    package let network: String
    package let chainID: UInt64
    package let exchangeProtocol: any ExchangeProtocol
    package let exchange: Address
    /// Wrapped ether; nil if the network has none.
    package let weth: Address?
    /// The token of maker and taker fees, if known.
    package var feeToken: Address?
    /// The bundled exchanges' contracts on this chain that receive allowances.
    ///
    /// They move only what a signed order, a fill, a swap or a permit says. Those of a swap venue
    /// are among them.
    package let transferContracts: Set<Address>
    /// What reads the calls of 0x's Swap API; nil without it.
    package let swap: (any LiquidityRules)?
    /// What reads the calls of Uniswap's router; nil on a chain without pools.
    package let pools: PoolRules?

    package init(
        network: String,
        chainID: UInt64,
        exchangeProtocol: any ExchangeProtocol,
        exchange: Address,
        weth: Address?,
        feeToken: Address?,
        transferContracts: Set<Address> = [],
        swap: (any LiquidityRules)? = nil,
        pools: UniswapDeployment? = nil
    ) {
        self.network = network
        self.chainID = chainID
        self.exchangeProtocol = exchangeProtocol
        self.exchange = exchange
        self.weth = weth
        self.feeToken = feeToken
        self.swap = swap
        self.pools = pools.map { PoolRules($0) }
        let venues = Self.venues(swap, self.pools)
        self.transferContracts = transferContracts.union(venues.flatMap(\.spenders))
    }

    /// What reads the calls of the venues beside the book.
    package var venues: [any LiquidityRules] { Self.venues(swap, pools) }

    private static func venues(
        _ swap: (any LiquidityRules)?,
        _ pools: PoolRules?
    ) -> [any LiquidityRules] {
        let all: [(any LiquidityRules)?] = [swap, pools]
        return all.compactMap(\.self)
    }
}

/// Terms of a plan that the signed bytes do not contain.
package struct SigningTerms: Hashable, Sendable {
    /// Its purpose, such as `fill`, for the log.
    package var purpose: String
    /// The maximum deviation from the quote, in hundredths of a percent; nil without a quote.
    package var slippage: UInt64?
    /// The fee token, as the exchange names it.
    package var feeToken: Address?
    /// The genuine contracts of the swap venue, as its registry names them.
    ///
    /// Only the chain knows them, and no rule reads a chain: the caller is believed.
    package var genuine: Set<Address>
    /// The signed number of the guard that fires by it; nil without one.
    ///
    /// The log keeps it, so that the guard never fires again, whatever the journal says.
    package var firedGuard: Bytes32?
    /// The most that a rollup takes beside the gas, by its oracle, in wei.
    ///
    /// No field of a transaction bounds it, and no rule reads a chain: the caller is believed.
    package var rollupFee: Wei
    /// The plan of `dex mcp` that it is for; nil without one.
    ///
    /// Only the signer sets it, for every signature of its own.
    var origin: PlanOrigin?

    package init(
        purpose: String,
        slippage: UInt64? = nil,
        feeToken: Address? = nil,
        genuine: Set<Address> = [],
        firedGuard: Bytes32? = nil,
        rollupFee: Wei = .zero
    ) {
        self.purpose = purpose
        self.slippage = slippage
        self.feeToken = feeToken
        self.genuine = genuine
        self.firedGuard = firedGuard
        self.rollupFee = rollupFee
    }
}

/// A complete request for a signature, from which policy and signer read its effects.
package struct SigningRequest: Sendable {
    package enum Content: Hashable, Sendable {
        case transaction(Transaction)
        case order(OrderDraft)
        /// A message of EIP-191, before its prefix and hash.
        case message([UInt8])
        /// A message for Permit2: a contract may take a token once.
        case permit(SwapPermit)
        /// Typed data of EIP-712 that another program made.
        case typedData(TypedData)
    }

    /// The first line of the message that confirms a guard; no other message may begin with it.
    package static let guardPrefix = "dex guard\n"

    package private(set) var content: Content
    package let account: Address
    package let scope: SigningScope
    package let terms: SigningTerms

    package init(content: Content, account: Address, scope: SigningScope, terms: SigningTerms) {
        self.content = content
        self.account = account
        self.scope = scope
        self.terms = terms
    }

    /// `transaction`, `order`, `message`, `permit` or `typed-data`.
    package var kind: String {
        switch content {
        case .transaction: "transaction"
        case .order: "order"
        case .message: "message"
        case .permit: "permit"
        case .typedData: "typed-data"
        }
    }

    /// The 32 bytes that the key signs.
    package var digest: Bytes32 {
        switch content {
        case .transaction(let transaction): transaction.signingHash
        case .order(let draft): scope.exchangeProtocol.digest(of: draft)
        case .message(let bytes): EthereumMessage.hash(bytes)
        case .permit(let permit): permit.hash
        case .typedData(let data): data.digest
        }
    }

    /// The account and nonce of a transaction: only one can be mined; nil for anything else.
    var slot: String? {
        guard case .transaction(let transaction) = content else { return nil }
        return Self.slot(account.checksummed, nonce: String(transaction.nonce))
    }

    /// The same with a nonce of its own, where plans do not have one yet: each counts.
    func planned(_ index: Int) -> SigningRequest {
        guard case .transaction(var transaction) = content else { return self }
        transaction.nonce = .max - UInt64(index)
        var request = self
        request.content = .transaction(transaction)
        return request
    }

    static func slot(_ account: String, nonce: String) -> String {
        "\(account)/\(nonce)"
    }

    /// Possible fee tokens: the network's own, and the node's where it differs.
    ///
    /// A lying node must not move a fee to a token without a limit.
    var feeTokens: Set<Address> {
        Set([scope.feeToken, terms.feeToken].compactMap(\.self))
    }

    /// The exchanges of several chains would take this order.
    var holdsOnEveryChain: Bool {
        guard case .order = content else { return false }
        return !scope.exchangeProtocol.ordersNameChain
    }

    /// The call of a venue beside the book in a transaction, with the genuine contracts only.
    package var swap: SwapEffects? {
        guard case .transaction(let transaction) = content, let to = transaction.to,
            to != scope.exchange
        else { return nil }
        let call = SwapCall(to: to, data: transaction.data, value: transaction.value)
        return scope.venues.lazy.compactMap { $0.effects(of: call) }.first
            .flatMap { $0.operators.isSubset(of: terms.genuine) ? $0 : nil }
    }
}
