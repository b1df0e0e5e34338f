package import ZeroEx

/// The orders of one protocol version on a relay.
package struct RelayMarket: Sendable {
    /// A relay's settings for a market.
    package struct Terms: Sendable {
        package let configuration: LiveConfiguration
        package let exchangeProtocol: any ExchangeProtocol

        package init(configuration: LiveConfiguration, exchangeProtocol: any ExchangeProtocol) {
            self.configuration = configuration
            self.exchangeProtocol = exchangeProtocol
        }
    }

    /// Accepts orders, and many at once for a seed.
    package let intake: OrderIntake
    /// The pages of its books.
    let pages: PageCache
    /// Its orders by what requests for lists name.
    package let lists: OrderLists

    init(intake: OrderIntake) {
        self.intake = intake
        pages = PageCache(book: intake.book)
        lists = OrderLists(book: intake.book)
    }

    package var version: ProtocolVersion { intake.exchangeProtocol.version }
    var interface: RelayInterface { RelayInterface(version) }

    /// The beginning of its API's paths.
    package var basePath: String { interface.paths[0] }
}
