import DexTerminal
import Ethereum
import RelayHost
import StrictJSON
import ZeroEx

/// A relay that serves, as text and JSON.
struct RelayServeView: Sendable {
    let report: RelayHost.Report

    var json: JSONValue {
        [
            "running": true,
            "url": .string(report.url),
            "public": JSONFormat.text(report.publicURL),
            "network": .string(report.network),
            "chainId": JSONFormat.integer(report.chainID),
            "orderCount": .integer(report.orders),
            "store": JSONFormat.text(report.store),
            "markets": .list(report.markets) { market in
                [
                    "protocol": .string(market.version.rawValue),
                    "exchange": JSONFormat.address(market.exchange),
                    "relay": .string(base + market.path),
                ]
            },
        ]
    }

    /// The URL that others use.
    private var base: String {
        let url = report.publicURL ?? report.url
        return url.hasSuffix("/") ? String(url.dropLast()) : url
    }

    func lines(_ screen: Screen) -> [String] {
        let style = screen.style
        var lines = [
            style.paint("The relay serves at \(TerminalText.clean(report.url))", .green)
                + " (chain \(report.chainID), \(TerminalText.clean(report.network)), "
                + "\(NumberText.count(report.orders, "order"))).",
            "",
            "Point dex at it, from anywhere that reaches it:",
        ]
        for market in report.markets {
            lines.append(
                "  dex network add NAME --chain-id \(report.chainID) --protocol "
                    + "\(market.version.rawValue) --exchange \(market.exchange.checksummed) "
                    + "--rpc URL --relay \(TerminalText.clean(base + market.path))"
            )
        }
        return lines
    }
}
