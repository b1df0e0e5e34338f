package import DexCore
package import Ethereum

/// Shows a block and its transactions.
package typealias BlockView = StateView<BlockState>

extension StateView<BlockState> {
    package func lines(_ screen: Screen) -> [String] {
        let block = state.block
        var lines = screen.title("Block \(block.number) of \(state.network)") + [""]
        var facts = KeyValueList()
        facts.add("hash", block.hash.hex)
        facts.add("parent", block.parentHash.hex)
        facts.add("time", time(screen))
        facts.add("confirmations", "\(state.latest - min(state.latest, block.number) + 1)")
        facts.add("base fee", block.baseFeePerGas.map(NumberText.gwei))
        facts.add("gas", BlockText.gas(block))
        lines += facts.lines(screen) + [""]
        guard !state.rows.isEmpty else {
            return lines + screen.sentences("It has no transactions.", .dim)
        }
        lines += table(screen).lines(width: screen.width, style: screen.style) + [""]
        let reverted = state.rows.count { $0.succeeded == false }
        let count = NumberText.count(state.rows.count, "transaction")
        lines += screen.sentences(
            reverted == 0 ? "\(count)." : "\(count), \(reverted) of them reverted.",
            .dim
        )
        return lines
    }

    private func time(_ screen: Screen) -> String {
        let time = state.block.timestamp
        let age =
            time > screen.now
            ? "in \(TimeSpan.text(time - screen.now))" : "\(TimeSpan.text(screen.now - time)) ago"
        return "\(TimeText.zoned(UInt256(time), screen)) (\(age))"
    }

    private func table(_ screen: Screen) -> Table {
        let numbers = RowNumbers(screen)
        var table = Table(
            numbers.columns + [
                .init("HASH", dropOrder: 2), .init("FROM", minimumWidth: 8),
                .init("TO", minimumWidth: 8), .init("CALL", minimumWidth: 12),
                .init("VALUE", .right, dropOrder: 1),
                .init("GAS", .right, dropOrder: 3), .init("STATUS"),
            ]
        )
        for (index, row) in state.rows.enumerated() {
            table.add(
                numbers.cells(index) + [
                    .init("\(row.hash.hex.prefix(10))…", .dim),
                    .init(text(row.from)),
                    .init(row.to.map(text) ?? "new contract"),
                    .init(BlockText.method(row.method) ?? "?"),
                    .init(row.value == .zero ? "" : NumberText.ether(row.value, row.coin)),
                    .init(row.gasUsed.map { "\($0)" } ?? ""),
                    status(row.succeeded),
                ]
            )
        }
        return table
    }

    private func text(_ party: NamedAddress) -> String {
        party.name.map { TerminalText.truncate(TerminalText.clean($0), to: 13) }
            ?? party.address.shortened
    }

    private func status(_ succeeded: Bool?) -> Table.Cell {
        switch succeeded {
        case true: .init("ok", .green)
        case false: .init("reverted", .red)
        case nil: .init("unknown", .yellow)
        }
    }
}

/// The texts of a block that several screens show.
package enum BlockText {
    /// `1048576 of 30000000 (3.49%)`.
    package static func gas(_ block: Block) -> String {
        let (product, overflow) = block.gasUsed.multipliedReportingOverflow(by: 10_000)
        guard block.gasLimit > 0, !overflow else { return "\(block.gasUsed) of \(block.gasLimit)" }
        let share = NumberText.percent(basisPoints: product / block.gasLimit)
        return "\(block.gasUsed) of \(block.gasLimit) (\(share))"
    }

    /// `fillOrder`, `payment`, or the selector of an unknown function; nil without call data.
    package static func method(_ method: CallMethod?) -> String? {
        switch method {
        case .payment: "payment"
        case .creation: "create"
        case .function(let name): name
        case .selector(let bytes): Hex.encode(bytes)
        case nil: nil
        }
    }
}
