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
        case .v1:
            genesis.orders.append(GenesisOrder(hash: hash, filled: filled, cancelled: .zero))
        case .v4:
            // A signed order's amounts have at most 128 bits.
            genesis.nativeOrders.append(
                GenesisNativeOrder(hash: hash, filled: filled.uint128 ?? .max)
            )
        }
    }

    /// The orders of a fill with well-formed signatures, in order; empty for any other call.
    func filledOrders(in data: [UInt8]) -> [any SignedOrder] {
        switch version {
        case .v1: ExchangeCallV1.filledOrders(in: data, exchange: contracts.exchange)
        case .v4: ExchangeCallV4.filledOrders(in: data, domain: domainV4)
        }
    }
}

extension ExchangeCallV1 {
    fileprivate static func filledOrders(
        in data: [UInt8],
        exchange: Address
    ) -> [any SignedOrder] {
        func order(
            _ addresses: OrderAddressesV1,
            _ values: OrderValuesV1,
            _ fields: SignatureFieldsV1
        ) -> SignedOrderV1? {
            fields.signature.map { signature in
                SignedOrderV1(
                    terms: OrderDraft(exchange: exchange, addresses, values),
                    signature: signature
                )
            }
        }
        switch try? ExchangeCallV1(data: data) {  // nil: another call
        case .fillOrder(let addresses, let values, _, _, let signature),
            .fillOrKillOrder(let addresses, let values, _, let signature):
            return [order(addresses, values, signature)].compactMap { $0 }
        case .fillOrdersUpTo(let orders, _, _, let signatures),
            .batchFillOrders(let orders, _, _, let signatures),
            .batchFillOrKillOrders(let orders, _, let signatures):
            let fields = zip(zip(signatures.v, signatures.r), signatures.s)
                .map { SignatureFieldsV1(v: $0.0, r: $0.1, s: $1) }
            return zip(zip(orders.addresses, orders.values), fields)
                .compactMap { order($0.0, $0.1, $1) }
        default: return []
        }
    }
}

extension ExchangeCallV4 {
    fileprivate static func filledOrders(
        in data: [UInt8],
        domain: ExchangeDomainV4
    ) -> [any SignedOrder] {
        switch try? ExchangeCallV4(data: data) {  // nil: another call
        case .limit(.fill(let terms, let signature, _)),
            .limit(.fillOrKill(let terms, let signature, _)):
            return [SignedOrderV4(terms: terms, domain: domain, signature: signature)]
        case .limit(.batchFill(let orders, let signatures, _, _)):
            return zip(orders, signatures).map { terms, signature in
                SignedOrderV4(terms: terms, domain: domain, signature: signature)
            }
        default: return []
        }
    }
}
