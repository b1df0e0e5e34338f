import Ethereum
import ZeroEx

/// Decides about the posts of one commit, against the book and against each other.
struct PostAdmission {
    private let configuration: RelayConfiguration
    private let holdings: MakerHoldings
    /// The most orders that may have to make room.
    private let maximumRemoved: Int

    private(set) var added: [AuditedOrder] = []
    /// Dormant orders that were posted again with funds.
    private(set) var revived: [AuditedOrder] = []
    /// Orders that make room, with their states.
    private(set) var removed: [(entry: OrderEntry, state: ListingState)] = []
    private var hashes: Set<OrderHash> = []
    private var counts: [Address: Int] = [:]
    private var gives: [TokenHolding: UInt256] = [:]
    /// Orders outside the book that would make room, the first first; found when the book is full.
    private var spare: [(entry: OrderEntry, state: ListingState)]?
    /// The shown orders whose prices are worst, the worst first; found when no other makes room.
    private var worst: [OrderEntry]?

    private init(_ configuration: RelayConfiguration, _ holdings: MakerHoldings, _ orders: Int) {
        self.configuration = configuration
        self.holdings = holdings
        maximumRemoved = orders
    }

    /// Orders of this state are taken again without a change.
    static func isAccepted(_ state: ListingState?) -> Bool {
        state == .shown || state == .hidden
    }

    /// Decides about posts in their order, each as a whole.
    ///
    /// - Returns: the refusal of each post that is refused, and what the others change.
    static func decision(
        on posts: [[AuditedOrder]],
        _ index: borrowing OrderIndex,
        _ configuration: RelayConfiguration,
        _ holdings: MakerHoldings
    ) -> (refusals: [OrderIntake.RefusedPost?], admitted: PostAdmission) {
        let orders = posts.reduce(0) { $0 + $1.count }
        var admission = PostAdmission(configuration, holdings, orders)
        var refusals: [OrderIntake.RefusedPost?] = []
        for post in posts {
            // A lone order that is refused has changed nothing.
            let before = post.count > 1 ? admission : nil
            do throws(OrderIntake.RefusedPost) {
                for order in post { try admission.admit(order, index) }
                refusals.append(nil)
            } catch {
                if let before { admission = before }
                refusals.append(error)
            }
        }
        return (refusals, admission)
    }

    private mutating func admit(
        _ order: AuditedOrder,
        _ index: borrowing OrderIndex
    ) throws(OrderIntake.RefusedPost) {
        let entry = order.entry
        let state = index.listing(entry.hash)?.state
        guard !Self.isAccepted(state), !hashes.contains(entry.hash) else { return }
        guard state != .dormant else {
            // Its place was just given away; posted again it is a new order.
            guard !removed.contains(where: { $0.entry.hash == entry.hash }) else {
                throw OrderIntake.RefusedPost(order.index, .full)
            }
            hashes.insert(entry.hash)
            revived.append(order)
            return
        }
        // The settings may have changed since the first checks.
        guard configuration.sides(of: entry.direction) != nil else {
            throw OrderIntake.RefusedPost(order.index, .pairNotCarried)
        }
        guard configuration.moderation.action(for: entry.order) != .remove else {
            throw OrderIntake.RefusedPost(order.index, .moderated)
        }
        let limit = configuration.maximumOrdersOfMaker
        let count = counts[entry.maker, default: 0]
        guard order.isImport || index.count(of: entry.maker) + count < limit else {
            throw OrderIntake.RefusedPost(order.index, .tooManyOfMaker(limit: limit))
        }
        let holding = TokenHolding(token: entry.direction.makerToken, owner: entry.maker)
        let given = gives[holding, default: .zero].addingSaturating(order.gives)
        if !order.isImport { try checkHoldings(of: order, giving: given) }
        if index.count + added.count - removed.count >= configuration.maximumOrders {
            try makeRoom(for: order, index)
        }
        hashes.insert(entry.hash)
        counts[entry.maker] = count + 1
        gives[holding] = given
        added.append(order)
    }

    /// - Parameter given: what this commit's orders of the maker give of the token.
    private func checkHoldings(
        of order: AuditedOrder,
        giving given: UInt256
    ) throws(OrderIntake.RefusedPost) {
        guard let times = configuration.limits.maximumTimesOwned else { return }
        let open = holdings.open(order.entry.maker, order.entry.direction.makerToken)
            .addingSaturating(given)
        let (above, maximum) = order.owned.multipliedFullWidth(by: UInt256(times))
        guard above > .zero || open <= maximum else {
            throw OrderIntake.RefusedPost(
                order.index,
                .beyondHoldings(times: times, open: open, owned: order.owned)
            )
        }
    }

    /// Removes an order: the one without funds, else the hidden one, that is so for longest; else
    /// the shown one whose price is worst, unless the new one's is as bad or nobody would see it.
    private mutating func makeRoom(
        for order: AuditedOrder,
        _ index: borrowing OrderIndex
    ) throws(OrderIntake.RefusedPost) {
        if spare == nil {
            var found: [(entry: OrderEntry, state: ListingState)] = []
            for state in [ListingState.hidden, .dormant] {
                // A commit may also bring some of them back.
                for entry in index.longest(state, 2 * maximumRemoved).reversed() {
                    found.append((entry, state))
                }
            }
            spare = found
        }
        while let next = spare?.popLast() {
            guard !hashes.contains(next.entry.hash) else { continue }
            removed.append(next)
            return
        }
        let worst = worst ?? index.worst(maximumRemoved)
        self.worst = worst
        let place = removed.count { $0.state == .shown }
        guard order.state == .shown, worst.indices.contains(place),
            Self.distance(of: worst[place], index) > max(1, Self.distance(of: order.entry, index))
        else { throw OrderIntake.RefusedPost(order.index, .full) }
        removed.append((worst[place], .shown))
    }

    /// The price as a multiple of the pair's best.
    private static func distance(of entry: OrderEntry, _ index: borrowing OrderIndex) -> Double {
        index.best(entry.direction).map { entry.priceRatio(to: $0) } ?? 1
    }
}
