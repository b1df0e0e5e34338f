import DexCore
import Ethereum
import StrictJSON
import ZeroEx

/// `plan.venueQuote`: what a venue beside the book says of its quote.
enum SwapJSON {
    /// null on the book.
    static func quote(_ plan: TradePlan) -> JSONValue {
        guard let quote = plan.quote else { return .null }
        return [
            "venue": JSONFormat.text(quote.venue),
            "zid": JSONFormat.text(quote.id),
            "block": JSONFormat.integer(quote.block),
            "sources": .list(quote.sources) { source in
                [
                    "name": JSONFormat.text(source.name),
                    "sharePercent": ReadJSON.percent(source.basisPoints),
                ]
            },
            "includedFees": .list(quote.fees) { fee in
                [
                    "kind": JSONFormat.text(fee.kind),
                    "address": address(fee.token),
                    "raw": .string(fee.amount.description),
                ]
            },
            "nodeCount": JSONFormat.integer(quote.nodes),
            "age": JSONFormat.integer(quote.age),
        ]
    }

    /// The token's; null for the chain's own coin.
    private static func address(_ asset: SwapAsset) -> JSONValue {
        switch asset {
        case .native: .null
        case .token(let address): JSONFormat.address(address)
        }
    }
}
