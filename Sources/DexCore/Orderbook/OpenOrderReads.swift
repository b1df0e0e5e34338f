import DexStore
import Ethereum
import ZeroEx

/// The account's own orders that may still be open, and their slots in a batch.
///
/// The journal knows the signed orders; only the chain knows what was cancelled or filled since.
struct OpenOrderReads {
    private let orders: [any SignedOrder]
    private let slots: [ReadSlot<[UInt8]>]
    private let contracts: ExchangeContracts
    private let exchangeProtocol: any ExchangeProtocol

    /// Adds questions about the journal's unexpired orders that draw on some tokens.
    ///
    /// - Parameter tokens: tokens that the orders give, or pay their maker's fees in.
    init(
        drawingOn tokens: Set<Address>,
        in context: TradeContext,
        session: Session,
        journal: Journal,
        batch: inout ReadBatch
    ) throws(DexError) {
        let exchange = session.exchangeProtocol
        let contracts = context.contracts
        let now = UInt256(context.block.timestamp)
        orders = try journal.ownOrders(of: context.account.address, session: session).filter {
            $0.expiry > now
                && OrderFunding($0, by: exchange, contracts: contracts).tokens
                    .contains(where: tokens.contains)
        }
        self.contracts = contracts
        exchangeProtocol = exchange
        let calls = orders.isEmpty ? [] : exchange.stateCalls(of: orders, contracts: contracts)
        slots = batch.add(calls, at: .latest)
    }

    /// The amounts that the orders may still draw, in base units by token.
    ///
    /// - Throws: `DexError`, exit 4, if the node did not answer.
    func commitments(
        _ answers: ReadAnswers,
        timestamp: UInt64
    ) throws(DexError) -> [Address: UInt256] {
        guard !orders.isEmpty else { return [:] }
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
