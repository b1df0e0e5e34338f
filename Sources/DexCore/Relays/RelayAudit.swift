import ZeroEx

/// Decides from the checked orders which of several relays is left out for false ones.
///
/// An order counts only on its own proof, whoever shows it. But a relay whose answer is mostly
/// false does not serve this market: its other orders are left out too.
struct RelayAudit: Sendable {
    /// What each relay showed, with the failures found here; nil with one relay.
    let relays: RelayProvenance?
    private let leftOut: RelaySet

    /// - Parameter misplaced: orders of other tokens than those that were asked for.
    init(
        of provenance: RelayProvenance?,
        _ checked: OrderVerifier.Outcome,
        misplaced: [OrderCopyID]
    ) {
        guard var relays = provenance else {
            self.relays = nil
            leftOut = []
            return
        }
        var bad = relays.answers.map(\.unreadable)
        for copy in checked.rejected + misplaced {
            let showers = relays[copy]
            for index in bad.indices where showers.contains(index: index) { bad[index] += 1 }
        }
        var leftOut: RelaySet = []
        for index in bad.indices where relays.answers[index].failure == nil {
            let sent = relays.answers[index].received
            guard bad[index] > sent / 2 else { continue }
            leftOut.insert(RelaySet(index: index))
            relays.answers[index].failure = .nonsense(
                "\(bad[index]) of its \(sent) orders \(bad[index] == 1 ? "is" : "are") false: unreadable, not signed by their "
                    + "maker, or for another exchange or pair"
            )
        }
        if !checked.duplicates.isEmpty {
            let genuine = Dictionary(
                checked.verified.map { ($0.hash, $0.copyID) },
                uniquingKeysWith: { first, _ in first }
            )
            for copy in checked.duplicates {
                if let order = genuine[copy.hash] { relays.join(copy, into: order) }
            }
        }
        self.relays = relays
        self.leftOut = leftOut
    }

    /// Some relay is left out for what it showed.
    var leavesOut: Bool { !leftOut.isEmpty }

    /// A relay that is not left out shows the order.
    func counts(_ order: any SignedOrder) -> Bool {
        guard let relays, leavesOut else { return true }
        return !leftOut.isSuperset(of: relays[order.copyID])
    }
}
