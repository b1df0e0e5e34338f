import DexCore
import Ethereum
import StrictJSON

/// What a transaction asked for and did, as JSON.
enum CallJSON {
    /// The keys of `status` that are the same for mined and pending transactions.
    static let details = Fields<TransactionStatus> {
        Field("coinSent", "The coin sent along, or null") { $0.coin.money($0.details.value) }
        Field("call", "Null without call data", nullable: call, \.details.call)
        Field(
            "transfers",
            "Of tokens, in the order of the logs; empty before it is mined",
            list: transfer,
            \.details.transfers
        )
        Field("time", "Of its block; null before it is mined", as: .time, \.details.time)
        Field("blockHash", "Null before it is mined", \.details.blockHash)
        Field(
            json: "logs",
            "All events; null before it is mined",
            Shape.list(log.shape).orNull
        ) { $0.details.logs.map { log($0) } ?? .null }
    }

    private static let transfer = Fields<TransactionDetails.Transfer> {
        Field("amount", "`value` is null for a token outside the token map", \.amount)
        Field("from", "Whose it was", \.from)
        Field("to", "Whose it is", \.to)
    }

    private static let log = Fields<Log> {
        Field("address", "The contract", \.address)
        Field("topics", "What the event is, and its indexed values", as: .hash) {
            $0.topics.map { ExactText($0.hex) }
        }
        Field("data", "Its other values", as: .bytes) { ExactText(Hex.encode($0.data)) }
        Field("logIndex", "Its place in the block", \.logIndex)
    }

    private static let call = Fields<TransactionCall> {
        Field("contract", "What is called", \.contract)
        Field("function", "Null if it is not known", \.function)
        Field("selector", "The first bytes of the call data", as: .bytes) {
            ExactText(Hex.encode($0.selector))
        }
        Field("size", "Bytes of the call data", \.size)
        Field("amount", "Of a transfer, an allowance, a wrap or an unwrap; else null") {
            Parts($0).amount
        }
        Field("owner", "Whose tokens move, if it is not the sender; or null") { Parts($0).owner }
        Field("to", "The recipient or the spender, or null") { Parts($0).to }
        Field("payAmounts", "Of a trade: the most that it pays") { Parts($0).pays }
        Field("receiveTokens", "Of a trade: the tokens that come") { Parts($0).receives }
        Field("extraBytes", "Behind the arguments") { $0.effects?.extraBytes ?? 0 }
        Field(
            json: "effects",
            "What data in another encoding than the usual one, and wrappers, do; else empty",
            .list(CallEffectJSON.shape)
        ) { CallEffectJSON.list($0.effects?.list ?? [], $0.tokens, $0.coin) }
    }

    /// What a call moves, by the kind of its action.
    private struct Parts {
        var amount: TokenAmount?
        var owner: Address?
        var to: Address?
        var pays: [TokenAmount] = []
        var receives: [Token] = []

        init(_ call: TransactionCall) {
            switch call.action {
            case .transfer(let moved, let from, let recipient):
                (amount, owner, to) = (moved, from, recipient)
            case .approve(let allowed, let from, let spender):
                (amount, owner, to) = (allowed, from, spender)
            case .increaseAllowance(let change, let spender),
                .decreaseAllowance(let change, let spender):
                (amount, to) = (change, spender)
            case .wrap(let moved), .unwrap(let moved): amount = moved
            case .fill(let maximum, let tokens): (pays, receives) = (maximum, tokens)
            case .cancel, .other: break
            }
        }
    }
}
