import DexCore
import Ethereum
import ZeroEx

/// The venues of a market order on a screen.
enum SwapText {
    /// `0x Swap, quote of block 21000000, 2 s old`; nil where there is only the book.
    static func venue(_ plan: TradePlan) -> String? {
        guard let quote = plan.quote else {
            return plan.alternatives.isEmpty ? nil : "the relay's book"
        }
        var text = TerminalText.clean(quote.venue)
        if let block = quote.block { text += ", quote of block \(block)" }
        if let nodes = quote.nodes {
            text += ", price seen by \(nodes == 1 ? "one node" : "\(nodes) nodes")"
        }
        if quote.age > 0 { text += ", \(quote.age) s old" }
        return text
    }

    /// The fees in a quote's amounts.
    static func fees(_ quote: QuoteSummary, _ pair: Pair) -> String {
        guard !quote.fees.isEmpty else { return "none" }
        let parts = quote.fees.map { fee in
            let token = [pair.base, pair.quote].first { $0.isAsset(fee.token) }
            let amount =
                token.map { NumberText.amount(fee.amount, $0) } ?? "\(fee.amount) base units"
            return "\(amount) (\(PlainText.name(fee.kind)))"
        }
        return parts.joined(separator: ", ") + ", included in the amounts"
    }

    /// What others chose as a name is quoted; a pool's is made here, such as `v3:0.05%`.
    private static func name(of source: SwapPrice.Source, in quote: QuoteSummary) -> String {
        quote.nodes == nil ? PlainText.name(source.name) : source.name
    }

    /// The sources of a quote in one line: `Uniswap_V3 79.50%, Curve 20.50%`.
    static func route(_ quote: QuoteSummary) -> String {
        quote.sources.sorted { $0.basisPoints > $1.basisPoints }.prefix(12)
            .map {
                "\(name(of: $0, in: quote)) \(NumberText.percent(basisPoints: $0.basisPoints))"
            }
            .joined(separator: ", ")
    }

    /// Where the quote trades, the largest share first.
    static func sources(_ quote: QuoteSummary, _ screen: Screen) -> [String] {
        guard !quote.sources.isEmpty else { return [] }
        var table = Table([.init("SOURCE", minimumWidth: 8), .init("SHARE", .right)])
        for source in quote.sources.sorted(by: { $0.basisPoints > $1.basisPoints }).prefix(12) {
            table.add([
                .init(name(of: source, in: quote)),
                .init(NumberText.percent(basisPoints: source.basisPoints)),
            ])
        }
        return table.lines(width: screen.width, style: screen.style)
    }

    /// A price in a column; a dash without one.
    static func price(_ price: Price?, _ pair: Pair) -> String {
        price.map { NumberText.price($0, base: pair.base, quote: pair.quote) } ?? "-"
    }

    /// The venues that are not used, and why.
    static func alternatives(
        _ alternatives: [VenueAlternative],
        of pair: Pair,
        _ screen: Screen
    ) -> [String] {
        guard !alternatives.isEmpty else { return [] }
        var table = Table([
            .init("NOT USED"),
            .init("AVERAGE", .right),
            .init("WORST", .right),
            .init("GAS", .right),
        ])
        for other in alternatives {
            table.add([
                .init(other.venue.rawValue),
                .init(price(other.average, pair)),
                .init(price(other.worst, pair)),
                .init(other.gas.map { "~\($0)" } ?? "-"),
            ])
        }
        let why = alternatives.flatMap {
            screen.sentences("\($0.venue.rawValue): \($0.reason)", .dim)
        }
        return table.lines(width: screen.width, style: screen.style) + why
    }
}

extension Token {
    fileprivate func isAsset(_ asset: SwapAsset) -> Bool {
        switch asset {
        case .native: isNativeCoin
        case .token(let address): address == self.address
        }
    }
}
