import DexStore
import Ethereum
import ZeroEx

/// The account's own orders that may still be open.
///
/// The journal knows the signed orders; only the chain knows what was cancelled or filled since.
enum OpenOrderReads {
    /// Asks about the journal's unexpired orders that draw on some tokens.
    ///
    /// - Parameter tokens: tokens that the orders give, or pay their maker's fees in.
    /// - Returns: the amounts that the orders may still draw, in base units by token; throws
    ///   `DexError`, exit 4, if the node did not answer.
    static func ask(
        drawingOn tokens: Set<Address>,
        of account: Address,
        in block: Block,
        contracts: ExchangeContracts,
        session: Session,
        journal: Journal,
        batch: inout ReadBatch
    ) throws(DexError) -> JointRead<[Address: UInt256]> {
        let exchangeProtocol = session.exchangeProtocol
        let timestamp = block.timestamp
        let own = try journal.ownOrders(of: account, session: session)
        let orders = own.filter {
            $0.expiry > UInt256(timestamp)
                && OrderFunding($0, by: exchangeProtocol, contracts: contracts).tokens
                    .contains(where: tokens.contains)
        }
        guard !orders.isEmpty else { return JointRead { _ in [:] } }
        let calls = exchangeProtocol.stateCalls(of: orders, contracts: contracts)
        let slots = batch.add(calls, at: .latest)
        return JointRead { answers throws(DexError) in
            let bytes = try answers.values(slots)
            let states = try reported(
                ExchangeError.self,
                try exchangeProtocol.states(of: orders, answers: bytes)
            )
            guard states.count == orders.count else {
                throw DexError(ExchangeError.unreadableAnswer("states of other orders"))
            }
            let funding = MakerFunding(
                exchangeProtocol: exchangeProtocol,
                contracts: contracts,
                timestamp: timestamp
            )
            return funding.commitments(Array(zip(orders, states)))
        }
    }

    /// What is to be said where a payment leaves less than open orders offer; nil if it does not.
    ///
    /// - Parameters:
    ///   - allowance: before the payment, in base units: of the transfer contract.
    ///   - offered: what the orders may still draw.
    static func warning(
        _ token: Token,
        paying amount: UInt256,
        of balance: UInt256?,
        allowance: UInt256,
        offered: UInt256,
        tokens: TokenMap
    ) -> String? {
        guard offered > .zero else { return nil }
        let symbol = PlainText.name(token.symbol)
        let text = { (raw: UInt256) in TokenAmount(raw: raw, token: token).value }
        let orders =
            "your open orders offer up to \(text(offered)) \(symbol): they may be unfunded."
        let kept = balance?.subtractingSaturating(amount)
        if let kept, kept < offered {
            return "After this the account has \(text(kept)) \(symbol), and \(orders) "
                + "`dex orders --mine` shows them."
        }
        let left = allowance.subtractingSaturating(amount)
        guard left < offered else { return nil }
        let name =
            tokens.known(token.address) == nil
            ? token.address.checksummed : ShellWord.quoted(token.word)
        return "After this the transfer contract may move \(text(left)) \(symbol), and \(orders) "
            + "`dex allowance set \(name) \(text(offered))` covers them."
    }
}
