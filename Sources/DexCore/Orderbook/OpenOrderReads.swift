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
        in context: TradeContext,
        session: Session,
        journal: Journal,
        batch: inout ReadBatch
    ) throws(DexError) -> JointRead<[Address: UInt256]> {
        let exchangeProtocol = session.exchangeProtocol
        let contracts = context.contracts
        let timestamp = context.block.timestamp
        let own = try journal.ownOrders(of: context.account.address, session: session)
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
}
