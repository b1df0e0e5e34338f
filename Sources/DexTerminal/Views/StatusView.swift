package import DexCore
import DexStore
import Ethereum
import ZeroEx

package typealias StatusView = StateView<StatusState>

extension StateView<StatusState> {
    package func lines(_ screen: Screen) -> [String] {
        switch state {
        case .transaction(let status): transaction(status, screen)
        case .order(let order):
            OrderView(
                order.row,
                block: order.block,
                fills: order.fills,
                warnings: order.warnings
            ).lines(screen)
        }
    }

    private func transaction(_ status: TransactionStatus, _ screen: Screen) -> [String] {
        let color: Style.Color =
            switch status.stage {
            case .mined, .confirmed: .green
            case .reverted, .replaced, .dropped, .refused, .forgotten: .red
            case .planned, .signed, .held, .broadcast, .pooled, .reorganized: .yellow
            }
        var lines = screen.title("Transaction \(shown(status.stage))", color) + [""]
        var facts = KeyValueList()
        facts.add("hash", status.hash.hex)
        facts.add("replaces", status.replaces?.hex)
        if status.successor != status.hash { facts.add("successor", status.successor?.hex) }
        facts.add("nonce used by", status.nonceTaker?.hash.hex)
        facts.add("block", status.block.map { "\($0)" })
        facts.add(
            "confirmed",
            status.block == nil
                ? nil : "by \(NumberText.count(Int(clamping: status.confirmations), "block"))"
        )
        facts.add("time", status.details.time.map { TimeText.zoned(UInt256($0), screen) })
        facts.add("from", status.from?.checksummed)
        facts.add("to", status.to?.checksummed)
        let (value, call) = (status.details.value, status.details.call)
        // A call without ether is described by the call alone.
        if value != .zero || call == nil {
            facts.add("value", value.map { status.coin.amount($0) })
        }
        facts.add("call", call.map { CallText.sentence($0) })
        let inside = call.map { CallText.details($0) } ?? []
        for (index, line) in inside.enumerated() {
            facts.add(index == 0 ? "in the call" : "", line)
        }
        facts.add("gas used", status.gasUsed.map { "\($0)" })
        facts.add("cost", status.cost.map { NumberText.ether($0, status.coin) })
        lines.append(contentsOf: facts.lines(screen))
        for fill in status.fills {
            lines.append("")
            lines += screen.title("Filled \(fill.event.orderHash.hex)", .green)
            var facts = KeyValueList()
            facts.add("paid", NumberText.amount(fill.event.takerAmount, fill.takerToken))
            facts.add("received", NumberText.amount(fill.event.makerAmount, fill.makerToken))
            facts.add("maker", fill.event.maker.checksummed)
            facts.add("fees", fees(fill))
            lines.append(contentsOf: facts.lines(screen))
        }
        for cancel in status.cancels {
            lines.append("")
            lines += screen.title("Cancelled \(cancel.orderHash.hex)", .yellow)
        }
        for cancel in status.pairCancels {
            lines.append("")
            lines += screen.title("Cancelled all orders of a pair", .yellow)
            var facts = KeyValueList()
            facts.add("maker", cancel.maker.checksummed)
            facts.add("giving", PlainText.name(cancel.makerToken.symbol))
            facts.add("for", PlainText.name(cancel.takerToken.symbol))
            facts.add("salt below", "\(cancel.minimumSalt)")
            lines.append(contentsOf: facts.lines(screen))
        }
        for (hash, reason) in status.skipped {
            lines.append("")
            lines += screen.title("Skipped \(hash.hex)", .yellow)
            lines.append(contentsOf: screen.sentences(reason.sentence).map { "  " + $0 })
        }
        for delegation in status.details.delegations {
            lines.append("")
            lines += screen.title("Delegation of \(delegation.account.checksummed)", .yellow)
            var facts = KeyValueList()
            facts.add("runs code of", delegation.delegate?.checksummed ?? "nobody any more")
            lines.append(contentsOf: facts.lines(screen))
        }
        lines += transfers(status.details.transfers, screen)
        for note in status.notes {
            lines.append("")
            lines.append(contentsOf: screen.warning(note))
        }
        if status.stage.isInBlock, status.stage != .reverted, status.fills.isEmpty,
            !status.skipped.isEmpty
        {
            lines.append("")
            lines.append(contentsOf: screen.warning("It was mined, but nothing was filled."))
        }
        return lines
    }

    private func shown(_ stage: TransactionStage) -> String {
        stage == .held ? stage.shownWord : stage.statusWord
    }

    /// More transfers of one transaction are only in the JSON.
    private static let maximumTransfers = 20

    private func transfers(
        _ transfers: [TransactionDetails.Transfer],
        _ screen: Screen
    ) -> [String] {
        guard !transfers.isEmpty else { return [] }
        var lines = [""] + screen.title(NumberText.count(transfers.count, "token transfer"))
        for transfer in transfers.prefix(Self.maximumTransfers) {
            lines += TerminalText.wrap(CallText.amount(transfer.amount), width: screen.width - 2)
                .map { "  " + $0 }
            var parties = KeyValueList()
            parties.add("from", transfer.from.checksummed)
            parties.add("to", transfer.to.checksummed)
            lines += parties.lines(screen).map { "  " + $0 }
        }
        let rest = transfers.count - Self.maximumTransfers
        if rest > 0 {
            lines += screen.sentences("  and \(rest) more: --json has all of them.", .dim)
        }
        return lines
    }

    private func fees(_ fill: TransactionStatus.Fill) -> String? {
        let event = fill.event
        guard event.takerFee != .zero || event.makerFee != .zero else { return nil }
        func text(_ raw: UInt256) -> String {
            fill.feeToken.map { NumberText.amount(raw, $0) } ?? "\(raw) base units"
        }
        return "taker \(text(event.takerFee)), maker \(text(event.makerFee))"
    }
}
