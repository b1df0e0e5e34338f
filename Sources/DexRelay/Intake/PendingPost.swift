import Ethereum
import ZeroEx

/// Orders that were posted together, on their way from the cheap checks into the book.
struct PendingPost: Sendable {
    /// The number of those that came into the book, or the refusal of the first that is refused.
    typealias Outcome = Result<Int, OrderIntake.RefusedPost>

    /// A posted order that is not settled yet.
    struct Order: Sendable {
        /// Its index among those posted together.
        let index: Int
        let order: any SignedOrder
        /// See `PostedOrder`.
        let wireText: [UInt8]?

        init(index: Int, _ posted: PostedOrder) {
            self.index = index
            order = posted.order
            wireText = posted.wireText
        }
    }

    /// A step on its way.
    enum Step: Sendable {
        /// Its signatures are to be checked.
        case entered
        /// It has waited for the node's next block, and the chain is to be asked again.
        case waited
        /// The chain and the policy let it pass.
        case decided
    }

    /// What never changes, so that a copy of the post is cheap.
    final class Posted: Sendable {
        /// Names it within the process.
        let id: UInt64
        /// The address that posts it.
        let client: String
        /// The administrator imports it: what is asked of one maker does not apply, and it waits
        /// for no block.
        let isImport: Bool
        /// The orders that the book does not have.
        let fresh: [Order]
        /// The orders whose signatures are to be checked; a known order may have a forged copy.
        let unsigned: [Order]
        /// Called once, on any thread.
        let answer: @Sendable (Outcome) -> Void

        init(
            id: UInt64,
            client: String,
            isImport: Bool = false,
            fresh: [Order],
            unsigned: [Order],
            answer: @escaping @Sendable (Outcome) -> Void
        ) {
            self.id = id
            self.client = client
            self.isImport = isImport
            self.fresh = fresh
            self.unsigned = unsigned
            self.answer = answer
        }
    }

    private let posted: Posted
    /// What it has passed.
    var step = Step.entered
    /// The fresh orders, once the chain let them pass.
    var audited: [AuditedOrder] = []

    init(_ posted: Posted) {
        self.posted = posted
    }

    var id: UInt64 { posted.id }
    var client: String { posted.client }
    var isImport: Bool { posted.isImport }
    var fresh: [Order] { posted.fresh }
    var unsigned: [Order] { posted.unsigned }
    var answer: @Sendable (Outcome) -> Void { posted.answer }

    /// How much of a batch it is.
    var weight: Int { max(fresh.count, unsigned.count) }

    /// Refuses it as a whole.
    ///
    /// - Parameter cause: what kept the relay from deciding, if no order is at fault.
    func refuse(_ refusal: OrderRefusal, cause: (any Error)? = nil) {
        let first = fresh.first ?? unsigned.first
        answer(.failure(OrderIntake.RefusedPost(first?.index ?? 0, refusal, cause: cause)))
    }
}

/// A posted order that the chain and the policy let pass.
struct AuditedOrder: Sendable {
    /// Its index among those posted together.
    let index: Int
    let entry: OrderEntry
    /// The order in the relay's wire form.
    let text: [UInt8]
    let standing: OrderStanding
    /// The maker's balance of the maker token, in base units.
    let owned: UInt256
    /// What it still gives, in base units of its maker token.
    let gives: UInt256
    /// Shown, or hidden by the operator or the policy.
    var state = ListingState.shown
    /// What the operator decided about it; nil if nothing.
    var moderation: Moderation.Action?
    /// See `PendingPost.Posted`.
    var isImport = false

    /// - Throws: `OrderRefusals`: the order cannot be filled.
    init(
        _ part: PendingPost.Order,
        _ audit: OrderAudit,
        _ ranking: OrderRanking
    ) throws(OrderRefusals) {
        try OrderIntake.check(audit)
        text = part.wireText ?? part.order.wireText
        let entry = OrderEntry(part.order, wireText: text, ranking: ranking)
        guard let entry else { throw OrderRefusals([.zeroMakerAmount]) }
        index = part.index
        self.entry = entry
        standing = OrderStanding(audit)
        owned = audit.owned
        gives = audit.gives ?? part.order.makerAmount
    }
}
