package import ZeroEx

/// The orders of one protocol version on a relay.
package struct RelayMarket: Sendable {
    /// What a relay is told of a market.
    package struct Terms: Sendable {
        package let configuration: RelayConfiguration
        package let exchangeProtocol: any ExchangeProtocol

        package init(configuration: RelayConfiguration, exchangeProtocol: any ExchangeProtocol) {
            self.configuration = configuration
            self.exchangeProtocol = exchangeProtocol
        }
    }

    /// Where orders are taken, and many at once for a seed.
    package let intake: OrderIntake
    package let pruner: OrderPruner

    package var version: ProtocolVersion { intake.exchangeProtocol.version }

    /// What the paths of its API begin with.
    package var basePath: String { RelayInterface(version).paths[0] }
}
