package import Ethereum
package import ZeroEx

/// A chain with its node, relay and 0x deployment, from the bundled list, config.toml and flags.
package struct Network: Hashable, Sendable {
    package var name: String
    package var chainID: UInt64
    /// Node URLs, tried in turn; empty without configuration.
    package var rpc: [String]
    /// How many of the nodes must agree on what a signature rests on; 1 asks one at a time.
    package var quorum: UInt64
    /// The relays, whose books are merged; empty without configuration.
    package var relays: [RelayEndpoint]
    /// The venue beside the relay's book; nil if there is none.
    package var swap: SwapSettings?
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
    /// Seconds between blocks.
    package var blockTime: UInt64
    /// The chain is `dex sandbox`'s: polled faster, named accounts allowed.
    package var isSandbox: Bool
    /// The chain no longer runs; kept to read old data.
    package var isHistorical: Bool

    package init(
        name: String,
        chainID: UInt64,
        rpc: [String],
        quorum: UInt64 = 1,
        relay: String?,
        swap: SwapSettings? = nil,
        protocolVersion: ProtocolVersion,
        exchange: Address,
        transferContract: Address? = nil,
        orderSigning: OrderSigning = .ethSign,
        weth: Address?,
        coin: CoinSymbol = .ether,
        tokenList: String? = nil,
        blockTime: UInt64 = 12,
        isSandbox: Bool = false,
        isHistorical: Bool = false
    ) {
        self.name = name
        self.chainID = chainID
        self.rpc = rpc
        self.quorum = quorum
        relays = relay.map { [RelayEndpoint(url: $0)] } ?? []
        self.swap = swap
        self.protocolVersion = protocolVersion
        self.exchange = exchange
        self.transferContract = transferContract
        self.orderSigning = orderSigning
        self.weth = weth
        self.coin = coin
        self.tokenList = tokenList
        self.blockTime = blockTime
        self.isSandbox = isSandbox
        self.isHistorical = isHistorical
    }

    /// The most nodes that can be required to agree.
    package static let mostQuorum: UInt64 = 9

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

    /// The swap venue's contracts that receive allowances; empty without a venue.
    package var swapContracts: [Address] {
        guard swap != nil else { return [] }
        let rules = Protocols.swapRules(chainID: chainID)
        return [rules.spender(.allowance), rules.spender(.permit)]
    }

    /// The chain whose bundled tokens are those of this network.
    ///
    /// The contracts of a sandbox are the same under any chain id.
    package var tokenChain: UInt64 { isSandbox ? Self.sandboxChain : chainID }

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
