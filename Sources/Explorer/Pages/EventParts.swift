import DexCore
import DexTerminal
import Ethereum
import ZeroEx

/// An event of a transaction as a line.
enum EventParts {
    /// - Parameter maximumData: bytes of an unknown event's data that are shown.
    static func item(_ event: TransactionEvent, maximumData: Int) -> HTML {
        switch event {
        case .fill(let fill): return self.fill(fill)
        case .cancel(let hash, let maker):
            return """
                <b class="kind">Cancelled</b> order \(Parts.order(hash)) of \(Parts.address(maker))
                """
        case .pairCancel(let maker, let makerToken, let takerToken, let below):
            return """
                <b class="kind">Cancelled</b> all orders of \(Parts.address(maker)) that give \
                \(Parts.token(makerToken)) for \(Parts.token(takerToken)), with a salt below \
                \(below.description)
                """
        case .skip(let hash, let reason):
            return """
                <b class="kind bad">Skipped</b> order \(Parts.order(hash)): \(reason.sentence)
                """
        case .transfer(let amount, let from, let to):
            return """
                <b class="kind soft">Transfer</b> \(Parts.amount(amount)) from \
                \(Parts.address(from)) to \(Parts.address(to))
                """
        case .approval(let amount, let owner, let spender):
            return """
                <b class="kind soft">Approval</b> \(Parts.address(owner)) lets \(Parts.address(spender)) \
                take \(allowance(amount))
                """
        case .wrap(let amount, let account):
            return """
                <b class="kind soft">Wrapped</b> \(Parts.amount(amount)) by \(Parts.address(account))
                """
        case .unwrap(let amount, let account):
            return """
                <b class="kind soft">Unwrapped</b> \(Parts.amount(amount)) by \(Parts.address(account))
                """
        case .other(let contract, let topics, let data):
            let words = topics.map { "<br><span class=\"mono\">\($0.hex)</span>" as HTML }
            let cut = data.count > maximumData
            let text = Hex.encode(data.prefix(maximumData)) + (cut ? "…" : "")
            let bytes: HTML? =
                data.isEmpty ? nil : "<br><span class=\"mono soft\">\(text)</span>"
            return "<b class=\"kind soft\">Event</b> of \(Parts.address(contract))\(words)\(bytes)"
        }
    }

    private static func fill(_ fill: TransactionEvent.Fill) -> HTML {
        """
        <b class="kind good">Filled</b> order \(Parts.order(fill.orderHash)): \(Parts.address(fill.taker)) \
        pays \(Parts.amount(fill.paid)) and receives \(Parts.amount(fill.given)) from \
        \(Parts.address(fill.maker))\(fees(fill))
        """
    }

    /// Nothing without fees.
    static func fees(_ fill: TransactionEvent.Fill) -> HTML? {
        guard fill.takerFee != .zero || fill.makerFee != .zero else { return nil }
        func fee(_ raw: UInt256) -> HTML {
            fill.feeToken.map { Parts.amount(TokenAmount(raw: raw, token: $0)) }
                ?? "\(raw.description) base units"
        }
        return "; fees: taker \(fee(fill.takerFee)), maker \(fee(fill.makerFee))"
    }

    static func allowance(_ amount: TokenAmount) -> HTML {
        NumberText.isUnlimited(amount.raw)
            ? "any amount of \(Parts.token(amount.token))" : Parts.amount(amount)
    }
}
