package import DexCore
import DexStore
import Ethereum
package import StrictJSON

/// `data` of `tx list`, `tx speedup`, `tx cancel` and `resume`.
package enum LifeJSON {
    package static let transactions = Fields<TransactionsState> {
        Field("block", "The latest block; null if no node was asked", \.block)
        Field("transactions", "The latest signed first", list: transaction, \.rows)
    }

    package static let transaction = Fields<TransactionsState.Row> {
        Field("hash", "The transaction", \.hash).csv(0, "hash")
            .shown(8) { rows, screen in
                let hashes = hashes(rows, screen)
                return hashes.columns("TRANSACTION", dropOrder: 2).first.map { column in
                    .init(column: column) { hashes.cells($0.hash.hex).first ?? "" }
                }
            }
        Field("account", "Who signed it", \.account).csv(1, "account")
            .sorted("account") { $0.account < $1.account }
            .shown(9) { rows, screen in
                // One account is the same in all rows.
                guard Set(rows.map(\.account)).count > 1 else { return nil }
                return .init(column: .init("ACCOUNT", dropOrder: 1)) {
                    .init(screen.party($0.account), .dim)
                }
            }
        Field("nonce", "Its number among those of the account", \.nonce).csv(2, "nonce")
            .sorted("nonce") { ($0.account, $0.nonce) < ($1.account, $1.nonce) }
            .shown(0, "NONCE", .right) { row, _ in .init("\(row.nonce)") }
        Field("purpose", "What it is for", \.purpose).csv(3, "purpose")
            .sorted("purpose") { $0.purpose < $1.purpose }
            .shown(1, "PURPOSE", minimumWidth: 7) { row, _ in .init(PurposeText.word(row.purpose)) }
        Field("amount", "What it moves or allows; null if its call does not name one amount") {
            $0.subject.flatMap { $0.currency.money($0.amount) }
        }
        .csv(11, "amount", "value").csv(12, "token", "symbol")
        .csv(15, "token_address", "address")
        .shown(3, "AMOUNT", .point, minimumWidth: 16) { row, _ in
            .init(row.subject.map { CallText.column($0) } ?? "")
        }
        Field("isAllowance", "`amount` is an allowance") { $0.subject?.isAllowance == true }
        Field("to", "The recipient or the spender, else the called contract; or null") {
            $0.subject?.recipient
        }
        .csv(13, "to")
        .shown(4, "TO", dropOrder: 1) { row, _ in
            .init(CallText.party(row.recipientName, row.subject?.recipient))
        }
        Field("toName", "The name by which you know it, or null", \.recipientName)
            .csv(14, "to_name")
        Field(
            "status",
            "Its stage in the [journal](journal.md)",
            as: .words(StageWords.list)
        ) { ExactText($0.stage.word) }
        .csv(4, "status")
        .shown(2, "STATUS") { row, _ in .init(row.stage.shownWord, color(row)) }
        Field("settled", "False while it may still be mined, as a refused one may") {
            !$0.isUnsettled
        }
        .csv(5, "settled")
        Field("signedAt", "When it was signed", as: .time, \.created)
            .csv(6, "created", isTime: true)
            .sorted("time") { $0.created > $1.created }
            .shown(5, "SIGNED", dropOrder: 3) { row, screen in .init(age(row, screen), .dim) }
        Field("block", "Null before it is mined", \.block).csv(7, "block")
            .shown(6, "BLOCK", .right, dropOrder: 4) { row, _ in
                .init(row.block.map { "\($0)" } ?? "")
            }
        Field(
            "takenFrom",
            "Its block before a reorganization removed it, or null",
            \.reorgedFromBlock
        )
        Field(
            "waitsForNonce",
            "A lower nonce that is free or held, or null",
            \.waitsFor?.nonce
        )
        Field("successor", "What was signed to replace it, or null", \.successor)
            .csv(9, "successor")
        Field("predecessor", "What it was signed to replace, or null", \.predecessor)
            .csv(10, "predecessor")
        Field("maxFeePerGas", "Wei a unit of gas; null if its bytes cannot be read", \.price)
            .csv(8, "max_fee_per_gas")
            .shown(7, "AT MOST", .point, dropOrder: 5) { row, _ in
                .init(row.price.map { NumberText.gwei($0) } ?? "", .dim)
            }
    }

    private static func color(_ row: TransactionsState.Row) -> Style.Color? {
        switch row.stage {
        case .mined, .confirmed: row.isUnsettled ? .yellow : .green
        case .reverted, .replaced, .dropped, .reorganized: .red
        case .signed, .held, .broadcast, .pooled: .yellow
        case .planned, .refused, .forgotten: .dim
        }
    }

    private static func age(_ row: TransactionsState.Row, _ screen: Screen) -> String {
        let (age, isAhead) = screen.now.subtractingReportingOverflow(row.created)
        return isAhead ? "" : "\(TimeSpan.text(age)) ago"
    }

    /// A successor is told from the rows too.
    static func hashes(_ rows: [TransactionsState.Row], _ screen: Screen) -> ShortHashes {
        ShortHashes(rows.flatMap { [$0.hash.hex] + ($0.successor.map { [$0.hex] } ?? []) }, screen)
    }

    package static func plan(_ plan: ReplacementPlan) -> JSONValue {
        ["plan": planObject(plan), "transactions": [], "outcome": .null]
    }

    package static func outcome(_ outcome: ReplacementOutcome) -> JSONValue {
        [
            "plan": planObject(outcome.plan),
            "transactions": TradeJSON.transactions(outcome.transactions),
            "outcome": outcome.mined.map { ReadJSON.transaction($0) } ?? .null,
        ]
    }

    private static func planObject(_ plan: ReplacementPlan) -> JSONValue {
        [
            "account": JSONFormat.address(plan.account),
            "replaces": JSONFormat.hash(plan.hash),
            "purpose": JSONFormat.text(plan.purpose),
            "nonce": JSONFormat.integer(plan.nonce),
            "count": .integer(UInt64(clamping: plan.count)),
            "replacedMaxFeePerGas": .string(plan.replacedPrice.description),
            "coinSent": JSONFormat.ether(plan.value, plan.gas.coin),
            "block": JSONFormat.integer(plan.block),
            "gas": TradeJSON.gas(plan.gas),
            "total": JSONFormat.ether(plan.total, plan.gas.coin),
            "steps": TradeJSON.steps(plan.steps),
        ]
    }

    package static let resume = Fields<ResumeState> {
        Field("items", "What a command left unfinished", list: item, \.items)
    }

    private static let item = Fields<ResumeState.Item> {
        Field("kind", "What the journal has", \.kind.word)
        Field("account", "Whose", \.account)
        Field("hash", "Of a transaction or an order, or null", as: .hash) {
            $0.hash.map { ExactText($0.description) }
        }
        Field("nonce", "Of a transaction, or null", \.nonce)
        Field("purpose", "What it is for", \.purpose)
        Field("createdAt", "When it was written", as: .time, \.created)
        Field(
            "was",
            "In the journal before",
            as: .words(["open"] + StageWords.stored)
        ) { ExactText($0.was?.stored ?? "open") }
        Field(
            "status",
            "A stage as in `tx list`; `planned` if nothing is signed; of an order where it is",
            as: .words(
                StageWords.list
                    + ResumeState.Item.OrderPlace.allCases.map(\.rawValue)
                    .filter { !StageWords.list.contains($0) }
            )
        ) { ExactText($0.status.word) }
        Field("action", "What would be done, or null") { $0.action?.word }
        Field("done", "What was done, or null", as: .words(["sent", "posted", "refused"])) {
            $0.done.map { ExactText($0) }
        }
        Field("inFlight", "It may still change", \.isInFlight)
        Field("notes", "The problem and its remedy; sentences", \.notes)
        Field(
            "outcome",
            "Null if it is not mined",
            nullable: ReadJSON.transaction,
            \.outcome
        )
    }
}

/// The words that answers have for the stages of a transaction.
enum StageWords {
    /// Of `tx list`: at any depth in a block it is mined.
    static let list = unique(TransactionStage.allCases.map(\.word))
    /// Of the journal.
    static let stored = unique(TransactionStage.allCases.map(\.stored))
    /// Of `status`.
    static let status = unique(TransactionStage.allCases.map(\.statusWord))

    static func unique(_ words: [String]) -> [String] {
        words.enumerated().filter { !words[..<$0.offset].contains($0.element) }.map(\.element)
    }
}
