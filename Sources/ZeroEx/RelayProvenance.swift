/// A set of relays, by their index among the relays that were asked together.
public struct RelaySet: OptionSet, Hashable, Sendable {
    /// The maximum number of relays that can be asked together.
    public static let maximum = 32

    public let rawValue: UInt32

    public init(rawValue: UInt32) { self.rawValue = rawValue }

    /// One relay; the empty set for an index from `maximum` on.
    public init(index: Int) {
        rawValue = (0..<Self.maximum).contains(index) ? 1 << UInt32(index) : 0
    }

    public func contains(index: Int) -> Bool {
        !isDisjoint(with: RelaySet(index: index))
    }

    public var count: Int { rawValue.nonzeroBitCount }
}

/// What one of several relays answered.
public struct RelayAnswer: Sendable {
    /// The part of its address that may be shown.
    public let relay: String
    /// The entries that it sent, unreadable ones included.
    public var received = 0
    /// Those that are no orders.
    public var unreadable = 0
    /// The time to the whole answer.
    public var milliseconds: UInt64 = 0
    /// Why it is left out; nil if its orders count.
    public var failure: RelayError?

    public init(relay: String) { self.relay = relay }
}

/// Which of several relays showed which orders.
public struct RelayProvenance: Sendable {
    /// What each relay answered, in the order of the settings.
    public var answers: [RelayAnswer]
    private var copies: [OrderCopyID: RelaySet] = [:]

    public init(answers: [RelayAnswer]) { self.answers = answers }

    /// Makes room for copies, so that a large book is not moved while it grows.
    public mutating func reserveCapacity(_ count: Int) { copies.reserveCapacity(count) }

    /// Notes that a relay showed a copy of an order.
    ///
    /// - Returns: whether no relay had shown this copy before.
    @discardableResult
    public mutating func insert(_ copy: OrderCopyID, from index: Int) -> Bool {
        let relay = RelaySet(index: index)
        let old = copies.updateValue(relay, forKey: copy)
        guard let old else { return true }
        copies[copy] = old.union(relay)
        return false
    }

    /// Counts the relays of one copy for another one of the same order too.
    public mutating func join(_ other: OrderCopyID, into copy: OrderCopyID) {
        guard let relays = copies[other] else { return }
        copies[copy, default: []].formUnion(relays)
    }

    /// The relays that showed this copy of an order.
    public subscript(copy: OrderCopyID) -> RelaySet { copies[copy] ?? [] }

    /// The relays' names, in their order.
    public func names(_ relays: RelaySet) -> [String] {
        answers.indices.filter { relays.contains(index: $0) }.map { answers[$0].relay }
    }

    /// The relays whose orders do not count.
    public var leftOut: RelaySet {
        answers.indices.reduce(into: []) { set, index in
            if answers[index].failure != nil { set.insert(RelaySet(index: index)) }
        }
    }
}
