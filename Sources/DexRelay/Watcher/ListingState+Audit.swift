import ZeroEx

extension ListingState {
    /// The state of an order after an audit.
    ///
    /// - Parameter time: the later of the audited block's time and the clock, in seconds since
    ///   1970.
    init(of order: WatchedOrder, _ audit: OrderAudit, at time: UInt64) {
        switch audit.state.status {
        case .filled: self = .filled
        case .cancelled: self = .cancelled
        case .expired: self = .expired
        case .open, .rejected:
            if order.entry.expiry <= time {
                self = .expired
            } else if order.state == .hidden || order.wasHidden {
                self = .hidden
            } else {
                self = audit.fillable == .zero ? .dormant : .shown
            }
        }
    }
}
