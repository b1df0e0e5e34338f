import DexCore
import Ethereum
import StrictJSON

/// `changes`: what a transaction does to its account, by a run on this machine.
enum ChangesJSON {
    /// null if there was no run to make.
    static func object(_ report: SimulationReport?, _ coin: CoinSymbol) -> JSONValue {
        report.map { fields(Row(report: $0, coin: coin)) } ?? .null
    }

    /// `differs`: what it does beyond what its data say.
    static func differs(_ sentences: [String]) -> JSONValue { sentences.json }

    static let member = Shape.Member(
        "changes",
        fields.shape.orNull,
        "What it does, by a run on this machine before it is signed; null if none was made"
    )

    static let differsMember = Shape.Member(
        "differs",
        .list(.foreign),
        "What it does beyond what its data say; sentences"
    )

    // MARK: The whole

    private struct Row {
        let report: SimulationReport
        let coin: CoinSymbol

        var changes: SimulatedChanges? { report.changes }

        var reason: String? { report.reason }

        /// The coin and the tokens that move in one direction.
        func moved(_ amount: (SimulatedChanges.Change) -> UInt256) -> [Moved]? {
            changes.map { changes in
                let coin = Moved(
                    amount: Currency.coin(coin).money(amount(changes.coin)),
                    change: changes.coin,
                    isLogged: nil
                )
                let tokens = changes.tokens.map { token in
                    Moved(
                        amount: Currency.token(token.token).money(amount(token.balance)),
                        change: token.balance,
                        isLogged: token.logged.map { _ in !token.isMislogged }
                    )
                }
                return ([coin] + tokens).filter { $0.amount.raw > .zero }
            }
        }
    }

    private static let fields = Fields<Row>(named: "changes", "What a transaction changes") {
        Field("simulated", "It was run on this machine") { $0.changes != nil }
        Field(
            "reason",
            "Why it was not, and then all up to `reads` is null; null if it was",
            as: .foreign,
            \.reason
        )
        Field("block", "The block on whose state it ran", \.changes?.block)
        Field("failure", "Why it would fail; null if it succeeds", as: .foreign) {
            $0.changes?.failure
        }
        Field("gasUsed", "By the run", \.changes?.gasUsed)
        list("leaves", "What leaves, without gas", moved) { $0.moved(\.falls) }
        list("arrives", "What arrives", moved) { $0.moved(\.rises) }
        list("allowances", "What others may move afterwards", allowance) { $0.changes?.allowances }
        list("operators", "Who may move items of a collection", operators) {
            $0.changes?.operators
        }
        list("items", "Items of collections", item) { $0.changes?.items }
        Field("isCut", "Its events name more items than are compared", \.changes?.isCut)
        Field("createdContracts", "The contracts that it creates", \.changes?.created)
        list("ownership", "Contracts of the account that change hands", owner) {
            $0.changes?.owners
        }
        Field("accountCode", "The account gets code of a contract", \.changes?.changesCode)
        Field("reads", "What the code read of its block and transaction") {
            $0.changes?.reads.map(\.word)
        }
        Field(
            "proof",
            "What is proven of its state; null where no proofs are asked",
            nullable: proof
        ) {
            $0.report.proof
        }
    }

    /// A list of objects; null where there was no run: an empty one would say that nothing moves.
    private static func list<Part>(
        _ name: String,
        _ about: String,
        _ fields: Fields<Part>,
        _ parts: @escaping @Sendable (Row) -> [Part]?
    ) -> Field<Row> {
        Field(json: name, about, Shape.list(fields.shape).orNull) { row in
            parts(row).map { fields($0) } ?? .null
        }
    }

    // MARK: Parts

    static let proof = Fields<StateProof>(named: "proof", "What is proven of a state") {
        Field("complete", "All that the transaction rests on is proven", \.isComplete)
        Field("block", "The block of the header; null without one", \.block)
        Field("hash", "Its hash", \.hash)
        Field("nodes", "The nodes that give the header") { $0.nodes.map { ExactText($0) } }
        Field("accountCount", "The accounts whose nonce, ether and code are proven", \.accounts)
        Field("wordCount", "The words of storage that are proven", \.words)
        Field("failure", "Why nothing is proven, or null", as: .foreign, \.failure)
        Field("unproven", "What is not proven, which is not to say that it is wrong", list: gap) {
            $0.gaps
        }
    }

    private static let gap = Fields<StateProof.Gap> {
        Field("address", "The account; null for hashes of earlier blocks", \.address)
        Field("valueCount", "How many values", \.values)
        Field("reason", "Why", as: .foreign, \.reason)
    }

    private struct Moved {
        let amount: Money
        var currency: Currency { amount.currency }
        let change: SimulatedChanges.Change
        /// nil without an event about the account.
        let isLogged: Bool?
    }

    private static let moved = Fields<Moved> {
        Field("amount", "So much", \.amount)
        Field("before", "The balance before") { $0.currency.money($0.change.before) }
        Field("after", "The balance after") { $0.currency.money($0.change.after) }
        Field("logged", "The token's events say the same; null without one", \.isLogged)
    }

    private static let allowance = Fields<SimulatedChanges.AllowanceChange> {
        Field("before", "What it may move before") { $0.token.amount($0.amount.before) }
        Field("after", "What it may move afterwards") { $0.token.amount($0.amount.after) }
        Field("spender", "Who may move it", \.spender)
        Field("isPermit2", "Through Permit2", \.isInPermit2)
    }

    private static let operators = Fields<SimulatedChanges.OperatorChange> {
        Field("collection", "The contract", \.collection)
        Field("operator", "Who", \.operator)
        Field("tokenId", "The one that it may move; null for all", as: .digits) {
            $0.item.map { ExactText($0.description) }
        }
        Field("allowed", "It may; else no longer", \.isAllowed)
    }

    private static let item = Fields<SimulatedChanges.ItemChange> {
        Field("collection", "The contract", \.collection)
        Field("tokenId", "Its number", as: .digits) { ExactText($0.id.description) }
        Field("isLeaving", "It leaves; else it arrives", \.leaves)
    }

    private static let owner = Fields<SimulatedChanges.OwnerChange> {
        Field("contract", "The contract", \.contract)
        Field("to", "Its next owner", \.owner)
    }
}
