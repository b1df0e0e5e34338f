package import DexCore
import DexStore
import Ethereum
package import StrictJSON
import ZeroEx

/// `data` of `status`.
extension ReadJSON {
    package static func status(_ state: StatusState) -> JSONValue {
        switch state {
        case .transaction(let status): transaction(status)
        case .order(let status): orderStatus(status)
        }
    }

    package static let orderStatus = Fields<StatusState.Order> {
        Field(json: "kind", "What the hash is of", .constant("order")) { _ in "order" }
        Field("status", "As of `orders`", \.row.standing.word)
        Field("hash", "The order", \.row.order.hash)
        Field("block", "The latest block", \.block)
        Field(json: "confirmations", "Null: only a transaction has some", .constant(.null)) { _ in
            .null
        }
        Field("fills", "Its fills, from the taker's side", list: fill) { status in
            status.fills.map {
                Fill(
                    event: $0,
                    makerToken: status.row.maker.token,
                    takerToken: status.row.taker.token,
                    feeToken: nil
                )
            }
        }
        Field("orderState", "The order", object: order, \.row)
    }

    package static let transaction = Fields<TransactionStatus>(
        named: "transactionStatus",
        "A transaction, and what it did"
    ) {
        Field(json: "kind", "What the hash is of", .constant("transaction")) { _ in "transaction" }
        Field("status", "Its stage", as: .words(StageWords.status)) {
            ExactText($0.stage.statusWord)
        }
        Field("hash", "The transaction: the mined one of those with its nonce", \.hash)
        Field("replaces", "The requested hash, if `hash` is its replacement; else null", \.replaces)
        Field(
            "successor",
            "Our transaction that was signed to take the requested one's place; or null",
            \.successor
        )
        Field(
            "nonceTaker",
            "Of a replaced one: what used its nonce though `dex` did not sign it as a replacement, "
                + "where a node shows it; else null",
            nullable: nonceTaker
        ) { status in
            status.nonceTaker.map { Taker(taker: $0, coin: status.coin) }
        }
        Field("block", "Its block; null before it is mined", \.block)
        Field("confirmations", "Blocks from its own on; 0 before it is mined", \.confirmations)
        Field("from", "Who sent it, or null", \.from)
        Field("to", "What it called, or null", \.to)
        Field("gasUsed", "Null before it is mined", \.gasUsed)
        Field("cost", "What was paid for gas, or null") { $0.coin.money($0.cost) }
        Field("fills", "Its fills, from the taker's side", list: fill) { status in
            status.fills.map {
                Fill(
                    event: $0.event,
                    makerToken: $0.makerToken,
                    takerToken: $0.takerToken,
                    feeToken: $0.feeToken
                )
            }
        }
        Field("cancels", "Orders that it cancelled", list: cancelled, \.cancels)
        Field(
            "pairCancels",
            "All orders of a pair in one cancel (0x v4)",
            list: pairCancel,
            \.pairCancels
        )
        Field(
            "delegations",
            "Accounts that run another one's code from it on (EIP-7702)",
            list: delegation,
            \.details.delegations
        )
        Field("skipped", "Orders that it did not fill", list: skipped) { status in
            status.skipped.map { Skipped(hash: $0, reason: $1.rawValue) }
        }
        CallJSON.details
    }

    private struct Taker: Sendable {
        let taker: NonceTaker
        let coin: CoinSymbol
    }

    private static let nonceTaker = Fields<Taker> {
        Field("hash", "The transaction", \.taker.hash)
        Field("block", "Its block", \.taker.block)
        Field("to", "What it called, or null", \.taker.to)
        Field("coinSent", "The coin sent along") { $0.coin.money($0.taker.value) }
        Field("function", "What it called, or null") { $0.taker.function.map { ExactText($0) } }
        Field("succeeded", "Null: the node has no receipt", \.taker.succeeded)
        Field("own", "The journal has it", \.taker.isOwn)
    }

    private static let cancelled = Fields<TransactionStatus.Cancel> {
        Field("orderHash", "The order", \.orderHash)
        Field("maker", "Its maker", \.maker)
    }

    private static let delegation = Fields<SignedDelegation> {
        Field("account", "Who signed it", \.account)
        Field("delegate", "Whose code it runs; null: nobody's any more", \.delegate)
    }

    private static let pairCancel = Fields<TransactionStatus.PairCancel> {
        Field("maker", "Whose orders", \.maker)
        Field("makerToken", "What they give", \.makerToken.address)
        Field("takerToken", "What they want", \.takerToken.address)
        Field("saltBelow", "The lowest salt that stays", as: .digits) {
            ExactText($0.minimumSalt.description)
        }
    }

    private struct Skipped: Sendable {
        let hash: OrderHash
        let reason: String
    }

    private static let skipped = Fields<Skipped> {
        Field("orderHash", "The order", \.hash)
        Field("reason", "Why, in one word") { ExactText($0.reason) }
    }

    /// A fill from the taker's side.
    private struct Fill: Sendable {
        let event: FillEvent
        let makerToken: Token
        let takerToken: Token
        let feeToken: Token?
    }

    private static let fill = Fields<Fill>(named: "fill", "A fill, from the taker's side") {
        Field("orderHash", "The order", \.event.orderHash)
        Field("received", "What the taker got") { $0.makerToken.amount($0.event.makerAmount) }
        Field("paid", "What the taker gave") { $0.takerToken.amount($0.event.takerAmount) }
        Field("fees", "The taker's fee; null where it is not known of which token") {
            $0.feeToken?.amount($0.event.takerFee)
        }
        Field("feesRaw", "The same in base units, also of an unknown token", as: .digits) {
            ExactText($0.event.takerFee.description)
        }
        Field("maker", "Who made the order", \.event.maker)
        Field("taker", "Who filled it", \.event.taker)
    }
}
