import DexSigning
package import Ethereum
package import Uniswap
package import ZeroEx

/// A chain with its node, relay and 0x deployment, from the bundled list, config.toml and flags.
package struct Network: Hashable, Sendable {
    package var name: String
    package var chainID: UInt64
    /// Node URLs, tried in turn; empty without configuration.
    package var rpc: [String]
    /// How many of the nodes must agree on what a signature rests on; 1 asks one at a time.
    package var quorum: UInt64
    /// The state that a signature rests on is proven; nil: where several nodes must agree.
    package var proofs: Bool?
    /// The one endpoint that signed transactions are sent to; nil sends them to the nodes of `rpc`.
    package var privateRPC: String?
    /// The relays, whose books are merged; empty without configuration.
    package var relays: [RelayEndpoint]
    /// The venue beside the relay's book; nil if there is none.
    package var swap: SwapSettings?
    /// Uniswap's contracts on the chain, which need a node alone; nil if there are none.
    package var pools: UniswapDeployment?
    package var protocolVersion: ProtocolVersion
    /// The zero address on a chain without a 0x exchange, where only the swap API trades.
    package var exchange: Address
    /// The bundled contract for allowances; nil for a network of the settings, where a node names
    /// it.
    package var transferContract: Address?
    /// How our own orders are signed.
    package var orderSigning: OrderSigning
    /// Wrapped ether; nil if the network has none.
    package var weth: Address?
    /// The coin that pays for gas.
    package var coin: CoinSymbol
    /// A file in the Token Lists standard that adds to the bundled tokens.
    package var tokenList: String?
    /// Milliseconds between blocks.
    package var blockMilliseconds: UInt64
    /// Seconds: a latest block that is older is of a node that is behind, or of a chain that stands
    /// still.
    package var freshness: UInt64
    /// Blocks, with its own, after which a transaction is not undone as a rule.
    package var confirmations: UInt64
    /// How the chain prices, charges and limits transactions.
    package var fees: FeeRules
    /// The chain is `dex sandbox`'s: polled faster, named accounts allowed.
    package var isSandbox: Bool
    /// The live chain of which the sandbox is a fork; nil if it is none.
    package var fork: Fork?

    /// What a fork has of its live chain.
    package struct Fork: Hashable, Sendable {
        package let chainID: UInt64
        /// The first block that the fork has.
        package let block: UInt64

        package init(chainID: UInt64, block: UInt64) {
            (self.chainID, self.block) = (chainID, block)
        }
    }

    package init(
        name: String,
        chainID: UInt64,
        rpc: [String],
        quorum: UInt64 = 1,
        proofs: Bool? = nil,
        privateRPC: String? = nil,
        relay: String?,
        swap: SwapSettings? = nil,
        pools: UniswapDeployment? = nil,
        protocolVersion: ProtocolVersion,
        exchange: Address,
        transferContract: Address? = nil,
        orderSigning: OrderSigning = .ethSign,
        weth: Address?,
        coin: CoinSymbol = .ether,
        tokenList: String? = nil,
        blockMilliseconds: UInt64 = Self.usualBlock,
        freshness: UInt64? = nil,
        confirmations: UInt64 = 1,
        fees: FeeRules = FeeRules(),
        isSandbox: Bool = false
    ) {
        self.name = name
        self.chainID = chainID
        self.rpc = rpc
        self.quorum = quorum
        self.proofs = proofs
        self.privateRPC = privateRPC
        relays = relay.map { [RelayEndpoint(url: $0)] } ?? []
        self.swap = swap
        self.pools = pools
        self.protocolVersion = protocolVersion
        self.exchange = exchange
        self.transferContract = transferContract
        self.orderSigning = orderSigning
        self.weth = weth
        self.coin = coin
        self.tokenList = tokenList
        self.blockMilliseconds = blockMilliseconds
        self.freshness = freshness ?? Self.freshness(blockMilliseconds: blockMilliseconds)
        self.confirmations = confirmations
        self.fees = fees
        self.fees.chain = chainID
        self.isSandbox = isSandbox
    }

    /// Milliseconds between blocks of a chain of which nothing is known.
    package static let usualBlock: UInt64 = 12_000

    /// Seconds after which a latest block is old, where nothing else is known: ten blocks, at
    /// least 60 s.
    package static func freshness(blockMilliseconds: UInt64) -> UInt64 {
        max(60, blockMilliseconds / 100)
    }

    /// Whole seconds between blocks, rounded up; at least 1.
    package var blockSeconds: UInt64 {
        max(1, blockMilliseconds / 1_000 + (blockMilliseconds % 1_000 == 0 ? 0 : 1))
    }

    /// The state that a signature rests on is proven.
    package var provesState: Bool { proofs ?? (quorum > 1) }

    /// The most nodes that can be required to agree.
    package static let maximumQuorum: UInt64 = 9

    /// Its nodes, each once: a node cannot agree with itself.
    package var distinctNodes: [String] {
        var seen: Set<String> = []
        return rpc.filter { url in
            // A last slash changes nothing.
            seen.insert(url.hasSuffix("/") ? String(url.dropLast()) : url).inserted
        }
    }

    /// The first relay's base URL; setting it makes it the only one.
    package var relay: String? {
        get { relays.first?.url }
        set { relays = newValue.map { [RelayEndpoint(url: $0)] } ?? [] }
    }

    /// Orders can be traded here: there is a 0x exchange.
    package var hasExchange: Bool { exchange != .zero }

    /// What reads the calls of each venue beside the book, by venue.
    package var venueRules: [(venue: Venue, rules: any LiquidityRules)] {
        var rules: [(venue: Venue, rules: any LiquidityRules)] = []
        if swap != nil { rules.append((.swap, Protocols.swapRules(chainID: chainID))) }
        if let pools { rules.append((.pools, PoolRules(pools))) }
        return rules
    }

    /// The venues' contracts that receive allowances; empty without a venue beside the book.
    package var swapContracts: [Address] { venueRules.flatMap { $0.rules.spenders } }

    /// It can be traded here without a relay.
    package var tradesWithoutRelay: Bool { swap != nil || pools != nil }

    /// A call that a venue beside the book understands; nil for any other.
    func rules(of call: SwapCall) -> (any LiquidityRules)? {
        venueRules.first { $0.rules.effects(of: call) != nil }?.rules
    }

    /// The chain whose bundled tokens are those of this network.
    ///
    /// The contracts of a sandbox are the same under any chain id; those of a fork are the live chain's.
    package var tokenChain: UInt64 {
        fork?.chainID ?? (isSandbox ? Self.sandboxChain : chainID)
    }

    /// The chain id for which orders of v4 are signed: that of the chain where the contract was
    /// deployed.
    ///
    /// The sandbox's own contract takes that of its chain.
    package var orderChain: UInt64 {
        guard let fork, fork.chainID != Self.sandboxChain else { return chainID }
        return fork.chainID
    }

    /// Refuses to sign orders on a fork: they are valid on the live chain, since 0x v1 signs no chain
    /// id, and v4's contract keeps the one where it was deployed.
    ///
    /// - Throws: `DexError`, exit 6, `order-live-chain`.
    func refuseOrders() throws(DexError) {
        guard let fork, hasExchange, fork.chainID != Self.sandboxChain else { return }
        throw LimitError.validOnLiveChain(fork.chainID)
    }

    /// The first block that is of a sandbox's own chain.
    package var firstBlock: UInt64 { fork.map { $0.block + 1 } ?? 0 }

    /// Takes the contracts and rules of a live chain's network, for a fork of it.
    ///
    /// - Parameter live: what is known of the live chain; nil leaves a chain without an exchange and
    ///   without pools.
    package mutating func fork(_ live: Network?, at fork: Fork) {
        self.fork = fork
        relays = []
        swap = nil
        guard live?.isSandbox != true else { return }
        pools = live?.pools
        exchange = live?.exchange ?? .zero
        transferContract = live?.transferContract
        protocolVersion = live?.protocolVersion ?? protocolVersion
        orderSigning = live?.orderSigning ?? orderSigning
        weth = live?.weth
        tokenList = live?.tokenList ?? tokenList
    }

    /// The chain id of a sandbox that has no other.
    private static let sandboxChain: UInt64 = 1337

    /// The wei value of ether or wrapped ether.
    ///
    /// - Parameter token: nil for ether.
    /// - Returns: nil for any other token.
    func ether(_ amount: UInt256, of token: Address?) -> Wei? {
        guard let token, token != weth else { return Wei(amount) }
        return nil
    }
}
