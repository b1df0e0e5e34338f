package import Ethereum
import StrictJSON

/// The active faults of a sandbox, as its node reports them.
package struct FaultList: Sendable {
    /// A fault at one server.
    package struct Row: Sendable {
        /// The word for it: `flaky`.
        package let name: String
        /// `node`, `relay` or `swap`, or `chain`.
        package let server: String
        package let effect: String
        package let struck: String

        package init(name: String, server: String, effect: String, struck: String) {
            self.name = name
            self.server = server
            self.effect = effect
            self.struck = struck
        }
    }

    package let rows: [Row]
    package let block: UInt64
    /// Of the next block.
    package let baseFee: Wei
    /// Transactions that wait in the node's pool.
    package let waiting: [TransactionHash]

    package init(rows: [Row], block: UInt64, baseFee: Wei, waiting: [TransactionHash]) {
        self.rows = rows
        self.block = block
        self.baseFee = baseFee
        self.waiting = waiting
    }
}

/// Shows the active faults below the command's news.
package struct FaultView: Sendable {
    private let list: FaultList
    private let news: [String]

    /// - Parameter news: sentences about the command's result.
    package init(_ list: FaultList, news: [String] = []) {
        self.list = list
        self.news = news
    }

    package func lines(_ screen: Screen) -> [String] {
        var lines = news.flatMap { screen.sentences($0) }
        if !news.isEmpty { lines.append("") }
        if list.rows.isEmpty {
            lines += screen.title("No faults are on.", .green)
        } else {
            lines += screen.title("Faults that are on", .yellow)
            lines.append("")
            var table = Table(
                [
                    .init("fault"), .init("of"), .init("what it does", minimumWidth: 24),
                    .init("struck", .right, dropOrder: 1),
                ],
                indent: 2
            )
            for row in list.rows {
                table.add([
                    .init(row.name, .bold), .init(row.server), .init(row.effect),
                    .init(row.struck),
                ])
            }
            lines += table.lines(width: screen.width, style: screen.style)
        }
        lines.append("")
        var facts = KeyValueList()
        facts.add("block", "\(list.block)")
        facts.add("base fee", NumberText.gwei(list.baseFee))
        facts.add("waiting", waiting)
        lines += facts.lines(screen)
        if !list.rows.isEmpty {
            lines.append("")
            lines += screen.sentences("End them with: dex sandbox fault clear", .dim)
        }
        return lines
    }

    private var waiting: String {
        guard !list.waiting.isEmpty else { return "no transactions" }
        let more = list.waiting.count - 3
        return list.waiting.prefix(3).map(\.hex).joined(separator: " ")
            + (more > 0 ? " and \(more) more" : "")
    }
}

/// The result of `dex sandbox fault reorg`.
package struct ReorganizationState: Sendable {
    package struct Transaction: Sendable {
        package let hash: TransactionHash
        /// The block that it was in.
        package let block: UInt64
        /// `pool`, `gone` or `mined`.
        package let now: String

        package init(hash: TransactionHash, block: UInt64, now: String) {
            self.hash = hash
            self.block = block
            self.now = now
        }
    }

    /// The newest block of both branches.
    package let fork: UInt64
    /// The newest block now.
    package let block: UInt64
    package let replaced: UInt64
    package let transactions: [Transaction]

    package init(fork: UInt64, block: UInt64, replaced: UInt64, transactions: [Transaction]) {
        self.fork = fork
        self.block = block
        self.replaced = replaced
        self.transactions = transactions
    }
}

package typealias ReorganizationView = StateView<ReorganizationState>

extension StateView<ReorganizationState> {
    package func lines(_ screen: Screen) -> [String] {
        let count = NumberText.count(Int(clamping: state.replaced), "block")
        var lines = screen.title("Replaced \(count) behind block \(state.fork)", .yellow) + [""]
        lines += screen.sentences(
            "The chain goes another way from block \(state.fork + 1) on and ends with block "
                + "\(state.block) now."
        )
        if state.transactions.isEmpty {
            lines += screen.sentences("There were no transactions in what was replaced.")
        }
        for transaction in state.transactions {
            lines.append("")
            lines += screen.title(transaction.hash.hex)
            var facts = KeyValueList()
            facts.add("was in", "block \(transaction.block)")
            facts.add("now", Self.words(transaction.now))
            lines += facts.lines(screen)
        }
        if let first = state.transactions.first {
            lines.append("")
            lines += screen.sentences("See it as a trader does: dex status \(first.hash)", .dim)
        }
        return lines
    }

    private static func words(_ fate: String) -> String {
        switch fate {
        case "pool": "waits to be mined again, with the next transaction or block"
        case "gone": "forgotten by the node; anyone who has its bytes can send them again"
        default: "mined again in one of the new blocks"
        }
    }
}
