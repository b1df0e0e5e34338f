import DexRelay
import DexSandbox
import Ethereum
package import ZeroEx

/// A network of the sandbox: a version of 0x, its contracts and its market.
///
/// It is the sandbox's only code that separates versions.
package struct SandboxDeployment: Sendable {
    /// The network's name in Resources/networks.json.
    package let network: String
    package let exchangeProtocol: any ExchangeProtocol
    package let contracts: ExchangeContracts

    package var version: ProtocolVersion { exchangeProtocol.version }

    private let domainV4: ExchangeDomainV4

    /// The deployment of a version.
    ///
    /// - Parameters:
    ///   - chainID: the chain's id, which v4's orders name.
    ///   - protocolFee: the exchange's own fee for each filled order, if it has one, as an amount
    ///     of gas.
    package init(
        _ version: ProtocolVersion,
        chainID: UInt64 = SandboxTokens.chainID,
        protocolFee: UInt32 = 0
    ) {
        domainV4 = ExchangeDomainV4(chainID: chainID, exchange: SandboxTokens.exchangeProxy)
        switch version {
        case .v1:
            network = "sandbox"
            exchangeProtocol = ZeroExV1()
            contracts = SandboxTokens.contracts
        case .v4:
            network = "sandbox-v4"
            exchangeProtocol = ZeroExV4(domain: domainV4, signatureKind: .ethSign)
            contracts = ExchangeContracts(
                exchange: SandboxTokens.exchangeProxy,
                transferContract: SandboxTokens.exchangeProxy,
                feeToken: nil,
                protocolFeeMultiplier: protocolFee
            )
        }
    }

    /// Every deployment, that of v1 first.
    package static func all(
        chainID: UInt64 = SandboxTokens.chainID,
        protocolFee: UInt32 = 0
    ) -> [SandboxDeployment] {
        ProtocolVersion.allCases.map {
            SandboxDeployment($0, chainID: chainID, protocolFee: protocolFee)
        }
    }

    /// The relay's fees for orders of a pair.
    ///
    /// v1 has fixed fees in ZRX for both sides, v4 one for the taker in the taker token.
    func feeRule(of pair: MarketPair) -> FeeSchedule.Rule {
        switch version {
        case .v1: pair.fees
        case .v4: FeeSchedule.Rule(makerFee: 0, takerFee: 0, takerShare: pair.takerShare)
        }
    }

    /// Marks a part of an order as filled from the start, in taker token base units.
    func note(_ filled: UInt256, of draft: OrderDraft, in genesis: inout Genesis) {
        let hash = exchangeProtocol.hash(of: draft).word
        switch version {
        case .v1: genesis.orders.append(GenesisOrder(hash: hash, filled: filled))
        case .v4: genesis.nativeOrders.append(GenesisOrder(hash: hash, filled: filled))
        }
    }

    /// The orders of a fill with well-formed signatures, in order; empty for any other call.
    func filledOrders(in data: [UInt8]) -> [any SignedOrder] {
        switch version {
        case .v1:
            // nil: another call
            (try? ExchangeCallV1(data: data))?.filledOrders(of: contracts.exchange) ?? []
        case .v4:
            // nil: another call
            (try? ExchangeCallV4(data: data))?.filledOrders(in: domainV4) ?? []
        }
    }
}
