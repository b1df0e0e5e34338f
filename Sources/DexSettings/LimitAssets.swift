package import DexCore
package import DexSigning
package import Ethereum
import ZeroEx

/// The meaning of names in limits on a chain: addresses, by the bundled map alone.
///
/// A token list from the user or a network's author may give any address any symbol and any
/// decimals, so it does not affect what may leave an account. Other tokens are named by address and
/// counted in base units.
package struct LimitAssets: Sendable {
    private let tokens: TokenMap

    /// - Throws: `DexError`, exit 1, where the bundled map is damaged.
    package init(chainID: UInt64) throws(DexError) {
        tokens = try TokenMap(chainID: chainID)
    }

    /// Ether, a bundled symbol or an address.
    ///
    /// - Throws: `DexError`, exit 2, for any other text.
    package func asset(_ text: String) throws(DexError) -> (asset: Asset, token: Token?) {
        if text == Asset.ether.text { return (.ether, nil) }
        if let address = Address(ifValid: text) { return (.token(address), tokens.known(address)) }
        let token = try tokens.resolve(text)
        return (.token(token.address), token)
    }

    /// The digits behind the point that an amount of an asset may have.
    package static func decimals(_ asset: Asset, _ token: Token?) -> UInt8 {
        asset == .ether ? 18 : token?.decimals ?? 0
    }
}

extension OtherChain {
    /// The chains besides a network's own where an exchange takes the orders that are signed for
    /// the network, by the bundled list and the settings; none where orders name their chain.
    ///
    /// - Parameter networks: those of the settings.
    /// - Throws: `DexError`, exit 1, where a bundled list is damaged.
    package static func chains(
        besides network: Network,
        among networks: [Network]
    ) throws(DexError) -> [OtherChain] {
        guard !Protocols.implementation(of: network).ordersNameChain else { return [] }
        let bundled = try NetworkCatalog.bundled()
        let takers = (bundled + networks).filter {
            $0.chainID != network.chainID && $0.exchange == network.exchange
                && !Protocols.implementation(of: $0).ordersNameChain
        }
        var chains: [OtherChain] = []
        for taker in takers where !chains.contains(where: { $0.chainID == taker.chainID }) {
            let symbol = Protocols.implementation(of: taker).feeTokenSymbol
            let tokens = try TokenMap(chainID: taker.chainID)
            chains.append(
                OtherChain(
                    network: taker.name,
                    chainID: taker.chainID,
                    exchanges: [network.exchange],
                    feeToken: symbol.flatMap { try? tokens.resolve($0) }?.address,  // or none there
                    transferContracts: bundled.transferContracts(chainID: taker.chainID)
                )
            )
        }
        return chains
    }
}

extension SigningScope {
    /// A network, with what the bundled list says of its chain above what settings say of it.
    ///
    /// - Parameter tokens: the network's, where the bundled map does not have the token of fees.
    /// - Throws: `DexError`, exit 1, where a bundled list is damaged.
    package init(_ network: Network, tokens: TokenMap) throws(DexError) {
        let exchangeProtocol = Protocols.implementation(of: network)
        let bundled = try NetworkCatalog.bundled()
        let wrapped = Set(
            bundled.filter { $0.chainID == network.chainID }.compactMap(\.weth)
        )
        let symbol = exchangeProtocol.feeTokenSymbol
        let map = try TokenMap(chainID: network.chainID)
        self.init(
            network: network.name,
            chainID: network.chainID,
            exchangeProtocol: exchangeProtocol,
            exchange: network.exchange,
            // Ether may go to wrapped ether under any recipient rule: settings cannot choose it.
            weth: network.weth.flatMap { wrapped.isEmpty || wrapped.contains($0) ? $0 : nil },
            // A network may have no token of fees.
            feeToken: symbol.flatMap { (try? map.resolve($0)) ?? (try? tokens.resolve($0)) }?
                .address,
            transferContracts: bundled.transferContracts(chainID: network.chainID)
        )
    }
}

extension [Network] {
    /// The contracts that allowances are given to on a chain.
    fileprivate func transferContracts(chainID: UInt64) -> Set<Address> {
        Set(filter { $0.chainID == chainID }.compactMap(\.transferContract))
    }
}
