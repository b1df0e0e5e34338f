package import DexCore
package import DexSigning
package import Ethereum
import ZeroEx

/// The meaning of names in limits on a chain: addresses, by the bundled map alone.
///
/// A token list may give any address any symbol and decimals, so it does not affect the limits.
/// Other tokens are named by address and counted in base units.
package struct LimitAssets: Sendable {
    private let tokens: TokenMap

    /// - Throws: `DexError`, exit 1, if the bundled map is damaged.
    package init(chainID: UInt64) throws(DexError) {
        tokens = try TokenMap(chainID: chainID)
    }

    /// Ether, a bundled symbol or an address.
    ///
    /// - Throws: `DexError`, exit 2, for any other text.
    package func asset(_ text: String) throws(DexError) -> (asset: Asset, token: Token?) {
        if text == Asset.ether.text { return (.ether, nil) }
        if let address = Address(ifValid: text) {
            if address == TokenMap.coinAddress { return (.ether, nil) }
            try tokens.refuseReserved(address)
            return (.token(address), tokens.known(address))
        }
        let token = try tokens.resolve(text)
        return (.token(token.address), token)
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
            swap: network.swap.map { _ in Protocols.swapRules(chainID: network.chainID) }
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
