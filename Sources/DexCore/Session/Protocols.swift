package import ZeroEx

/// Selects the implementation for a version of the 0x protocol, and for a swap venue.
package enum Protocols {
    package static func implementation(
        of deployment: ExchangeDeployment
    ) -> any ExchangeProtocol {
        switch deployment.version {
        case .v1: ZeroExV1()
        case .v4:
            ZeroExV4(
                domain: ExchangeDomainV4(
                    chainID: deployment.chainID,
                    exchange: deployment.exchange
                ),
                signatureKind: SignatureKindV4(deployment.orderSigning)
            )
        }
    }

    package static func implementation(of network: Network) -> any ExchangeProtocol {
        implementation(
            of: ExchangeDeployment(
                version: network.protocolVersion,
                chainID: network.orderChain,
                exchange: network.exchange,
                orderSigning: network.orderSigning
            )
        )
    }

    /// What checks the swap venue's quotes and calls on a chain.
    package static func swapRules(chainID: UInt64) -> any LiquidityRules {
        ZeroExSwapRules(chainID: chainID)
    }
}
