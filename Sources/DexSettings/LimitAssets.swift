package import DexCore
package import DexSigning
package import Ethereum
import ZeroEx

/// The meaning of names in limits on a chain: its coin by its symbol, addresses, and the symbols of
/// the bundled map alone.
///
/// A token list may give any address any symbol and decimals, so it does not affect the limits.
/// Other tokens are named by address and counted in base units.
package struct LimitAssets: Sendable {
    /// For messages.
    private let network: String
    private let tokens: TokenMap
    /// The coins of the known networks.
    private let coins: Set<CoinSymbol>

    /// The network's own.
    var coin: CoinSymbol { tokens.coin }

    /// - Parameter networks: those of the settings; the bundled ones are always among them.
    /// - Throws: `DexError`, exit 1, if a bundled list is damaged.
    package init(_ network: Network, among networks: [Network]) throws(DexError) {
        try self.init(network.name, network.chainID, network.coin, networks)
    }

    /// The assets of another chain.
    package init(_ chain: OtherChain) throws(DexError) {
        try self.init(chain.network, chain.chainID, chain.coin, [])
    }

    private init(
        _ network: String,
        _ chainID: UInt64,
        _ coin: CoinSymbol,
        _ networks: [Network]
    ) throws(DexError) {
        self.network = network
        tokens = try TokenMap(chainID: chainID, coin: coin)
        coins = Set((try NetworkCatalog.bundled() + networks).map(\.coin))
    }

    /// The coin, a bundled symbol or an address; nil for the coin of other networks alone, which
    /// limits nothing here.
    ///
    /// - Parameter names: all names of the same limit. ETH, and the coin of other networks that is
    ///   nothing here, is passed over only beside the coin of this network: a limit that was meant
    ///   for the coin is never void without a word. Of a list that allows, pass nil.
    /// - Throws: `DexError`, exit 2, for any other text, and for a symbol of both the coin and a token.
    package func asset(
        _ text: String,
        beside names: [String]?
    ) throws(DexError) -> (asset: Asset, token: Token?)? {
        if try tokens.namesCoin(text) { return (.ether, nil) }
        if let address = Address(ifValid: text) {
            try tokens.refuseReserved(address)
            return (.token(address), tokens.known(address))
        }
        guard let other = CoinSymbol(text), coins.contains(other) else {
            let token = try tokens.resolve(text)
            return (.token(token.address), token)
        }
        let token = try? tokens.resolve(text)  // nil: it is only a coin, and of other networks
        if let names, token == nil || other == .ether, !names.contains(where: isCoin) {
            throw TokenError.otherCoin(other, network: network, coin: tokens.coin)
        }
        return token.map { (.token($0.address), $0) }
    }

    private func isCoin(_ text: String) -> Bool {
        (try? tokens.namesCoin(text)) == true  // nil: an address or a symbol that says nothing
    }

    /// The maximum decimals of an asset's amount.
    package static func decimals(_ asset: Asset, _ token: Token?) -> UInt8 {
        asset == .ether ? 18 : token?.decimals ?? 0
    }
}

extension OtherChain {
    /// The other chains on which an exchange takes this network's orders, by the bundled list and
    /// the settings; none if orders name their chain.
    ///
    /// - Parameter networks: those of the settings.
    /// - Throws: `DexError`, exit 1, if a bundled list is damaged.
    package static func chains(
        besides network: Network,
        among networks: [Network]
    ) throws(DexError) -> [OtherChain] {
        guard network.hasExchange, !Protocols.implementation(of: network).ordersNameChain else {
            return []
        }
        let bundled = try NetworkCatalog.bundled()
        let takers = (bundled + networks).filter {
            $0.chainID != network.chainID && $0.exchange == network.exchange
                && !Protocols.implementation(of: $0).ordersNameChain
        }
        var chains: [OtherChain] = []
        for taker in takers where !chains.contains(where: { $0.chainID == taker.chainID }) {
            let symbol = Protocols.implementation(of: taker).feeTokenSymbol
            let tokens = try TokenMap(chainID: taker.chainID, listed: taker.tokenChain)
            chains.append(
                OtherChain(
                    network: taker.name,
                    chainID: taker.chainID,
                    coin: taker.coin,
                    exchanges: [network.exchange],
                    feeToken: symbol.flatMap { try? tokens.resolve($0) }?.address,  // or none there
                    transferContracts: bundled.transferContracts(chainID: taker.chainID)
                        .union((bundled + networks).swapContracts(chainID: taker.chainID))
                )
            )
        }
        return chains
    }
}

extension SigningScope {
    /// A network whose bundled data overrides its settings.
    ///
    /// - Parameter tokens: the network's, if the bundled map does not have the fee token.
    /// - Throws: `DexError`, exit 1, if a bundled list is damaged.
    package init(_ network: Network, tokens: TokenMap) throws(DexError) {
        let exchangeProtocol = Protocols.implementation(of: network)
        let bundled = try NetworkCatalog.bundled()
        let wrapped = Set(
            bundled.filter { $0.chainID == network.chainID }.compactMap(\.weth)
        )
        let symbol = exchangeProtocol.feeTokenSymbol
        let map = try TokenMap(chainID: network.chainID, listed: network.tokenChain)
        self.init(
            network: network.name,
            chainID: network.chainID,
            exchangeProtocol: exchangeProtocol,
            exchange: network.exchange,
            // Every recipient rule allows wrapping ether, so settings cannot choose its contract.
            weth: network.weth.flatMap { wrapped.isEmpty || wrapped.contains($0) ? $0 : nil },
            // A network may have no token of fees.
            feeToken: symbol.flatMap { (try? map.resolve($0)) ?? (try? tokens.resolve($0)) }?
                .address,
            transferContracts: bundled.transferContracts(chainID: network.chainID),
            swap: network.swap.map { _ in Protocols.swapRules(chainID: network.chainID) },
            pools: network.pools
        )
    }
}

extension [Network] {
    /// The contracts on a chain that receive allowances.
    fileprivate func transferContracts(chainID: UInt64) -> Set<Address> {
        Set(filter { $0.chainID == chainID }.compactMap(\.transferContract))
    }

    /// The swap venue's contracts on a chain that receive allowances, if a network has a venue.
    fileprivate func swapContracts(chainID: UInt64) -> Set<Address> {
        Set(filter { $0.chainID == chainID }.flatMap(\.swapContracts))
    }
}
