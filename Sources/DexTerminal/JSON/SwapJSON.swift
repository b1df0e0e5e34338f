import DexCore
import Ethereum
import StrictJSON
import ZeroEx

/// `plan.quote`: the QUOTE token, and beside its members those of a swap venue's quote.
enum SwapJSON {
    static func quote(_ plan: TradePlan) -> JSONValue {
        let token = JSONFormat.token(plan.pair.quote)
        guard let quote = plan.quote, var data = token.objectValue,
            let members = members(quote).objectValue
        else { return token }
        for member in members.members { data[member.key] = member.value }
        return .object(data)
    }

    private static func members(_ quote: QuoteSummary) -> JSONValue {
        [
            "venue": JSONFormat.text(quote.venue),
            "zid": JSONFormat.text(quote.id),
            "block": JSONFormat.integer(quote.block),
            "sources": .list(quote.sources) { source in
                [
                    "name": JSONFormat.text(source.name),
                    "share": ReadJSON.percent(source.basisPoints),
                ]
            },
            "fees": .list(quote.fees) { fee in
                [
                    "kind": JSONFormat.text(fee.kind),
                    "token": token(fee.token),
                    "raw": .string(fee.amount.description),
                ]
            },
            "nodes": JSONFormat.integer(quote.nodes),
            "age": JSONFormat.integer(quote.age),
        ]
    }

    /// The token's address; null for the chain's own coin.
    private static func token(_ asset: SwapAsset) -> JSONValue {
        switch asset {
        case .native: .null
        case .token(let address): JSONFormat.address(address)
        }
    }
}
