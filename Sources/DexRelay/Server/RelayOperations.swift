package import Ethereum

/// What a hosted relay says of itself beside its APIs: its name, its health and its figures.
package struct RelayOperations: Sendable {
    /// A token's names for people; nobody is bound to them.
    package struct Token: Hashable, Sendable {
        package let symbol: String
        package let decimals: Int

        package init(symbol: String, decimals: Int) {
            self.symbol = symbol
            self.decimals = decimals
        }
    }

    /// The relay's name on its page.
    package var name = "0x relay"
    /// How clients reach it, without a slash at the end; nil if only the page's own address is
    /// known.
    package var publicURL: String?
    /// The network's name as `dex` calls it, such as `mainnet`.
    package var network: String?
    package var chainID: UInt64?
    package var version = ""
    /// The tokens that have names.
    package var tokens: @Sendable () -> [Address: Token] = { [:] }
    /// Who may read /metrics.
    package var metricsReaders = RelayOperations.loopback
    package var readiness = RelayReadiness()
    /// What the order watcher did; nil without one.
    package var watcher: @Sendable () async -> WatcherStatistics? = { nil }

    package static let loopback = ["127.0.0.0/8", "::1"].compactMap { AddressRange($0) }

    package init() {}
}
