import HTTPServing
import HTTPTypes
import Synchronization

/// The keys of a relay in use: whose a request is, and what each client has left of its limits.
///
/// Instances on one store have the same keys. Each of `instances` gives every client that part of
/// its limits, so that all of them together give the whole.
package final class RelayKeys: Sendable {
    /// Whose a request is.
    enum Caller: Hashable, Sendable {
        /// No key: the address counts.
        case anonymous
        case holder(RelayKey)
        /// A sentence for the client, without the key.
        case refused(String)
    }

    private struct Usage {
        var window: UInt64 = 0
        var requestsOfWindow = 0
        var posts: TokenBucket?
        var subscriptions: TokenBucket?
        var statistics = RelayKeyStatistics.Client()
    }

    private struct State {
        var keys: [[UInt8]: RelayKey] = [:]
        /// By name, of the keys alone.
        var usages: [String: Usage] = [:]
        var limits: [String: RelayKey.Limits] = [:]
        var instances = 1
        var refused: UInt64 = 0
        var connections: [UInt64: (digest: [UInt8], close: @Sendable () -> Void)] = [:]
        var lastTicket: UInt64 = 0
    }

    /// The header that users of 0x's APIs know; `Authorization: Bearer` is as good.
    package static let header = "0x-api-key"
    private static let headerName = HTTPField.Name(header)
    private static let window: UInt64 = 3_600

    private let now: @Sendable () -> UInt64
    private let state = Mutex(State())

    /// - Parameter now: seconds since 1970.
    package init(now: @escaping @Sendable () -> UInt64) {
        self.now = now
    }

    /// Takes the keys of now; connections of keys that are gone are closed.
    ///
    /// A key that stays keeps what it has used.
    package func replace(with keys: [RelayKey]) {
        let closing = state.withLock { state in
            state.keys = Dictionary(keys.map { ($0.digest, $0) }) { first, _ in first }
            state.limits = Dictionary(keys.map { ($0.name, $0.limits) }) { first, _ in first }
            let limits = state.limits
            state.usages = state.usages.filter { limits[$0.key] != nil }
            let known = state.keys
            return state.connections.values.filter { known[$0.digest] == nil }
        }
        for connection in closing { connection.close() }
    }

    /// Takes the number of instances that share the limits.
    package func share(among instances: Int) {
        state.withLock { $0.instances = max(1, instances) }
    }

    /// How many instances share the limits, this one included.
    package var instances: Int { state.withLock { $0.instances } }

    var statistics: RelayKeyStatistics {
        state.withLock { state in
            RelayKeyStatistics(
                clients: state.usages.mapValues(\.statistics),
                refused: state.refused
            )
        }
    }

    // MARK: Whose a request is

    func caller(_ headers: RequestHeaders) -> Caller {
        guard let name = Self.headerName else { return .anonymous }
        // Most requests have neither.
        if headers[.authorization] == nil, headers[name] == nil { return .anonymous }
        return caller(authorization: headers[values: .authorization], keys: headers[values: name])
    }

    /// - Parameters:
    ///   - authorization: the values of the Authorization headers; of other schemes than Bearer they
    ///     are not for the relay.
    ///   - keys: the values of the headers with a key alone.
    func caller(authorization: [String], keys: [String]) -> Caller {
        let bearers = authorization.compactMap { value -> Substring? in
            let parts = value.split(separator: " ", maxSplits: 1)
            guard parts.first?.lowercased() == "bearer" else { return nil }
            return parts.count == 2 ? parts[1] : ""
        }
        let given = bearers + keys.map { $0[...] }
        guard let key = given.first else { return .anonymous }
        let digest = given.count == 1 ? RelayKey.digest(of: key) : nil
        return state.withLock { state in
            if let digest, let known = state.keys[digest] { return .holder(known) }
            state.refused += 1
            return .refused(
                given.count == 1
                    ? "This relay does not know the key; leave it out, or ask the operator for one"
                    : "A request has one key, and this one has \(given.count)"
            )
        }
    }

    // MARK: What a client has left

    /// Counts a request; nil without a limit.
    ///
    /// - Parameter standard: the limit of an address.
    func countRequest(of name: String, standard: Int?) -> RateLimiter.Standing? {
        let window = now() / Self.window
        return state.withLock { state in
            guard let limits = state.limits[name] else { return nil }
            var usage = state.usages[name] ?? Usage()
            defer { state.usages[name] = usage }
            if usage.window != window { (usage.window, usage.requestsOfWindow) = (window, 0) }
            usage.requestsOfWindow += 1
            usage.statistics.requests += 1
            guard let limit = Self.limit(limits.requestsPerHour, standard) else { return nil }
            let share = max(1, limit / state.instances)
            let isExceeded = usage.requestsOfWindow > share
            if isExceeded { usage.statistics.throttled += 1 }
            return RateLimiter.Standing(
                limit: share,
                remaining: max(0, share - usage.requestsOfWindow),
                reset: (window + 1) * Self.window,
                isExceeded: isExceeded
            )
        }
    }

    /// Takes posts of a client.
    ///
    /// - Parameter standard: the limits of an address.
    /// - Returns: nil if it may post, else the seconds until it may.
    func takePosts(_ count: Int, of name: String, standard: RelayLimits) -> Int? {
        take(count, of: name, \.posts) { limits in
            Self.limit(limits.postsPerSecond, standard.postsPerSecond).map { rate in
                (rate, max(1, limits.postBurst ?? standard.postBurst))
            }
        }
    }

    /// Takes a subscription of a client.
    ///
    /// - Parameter standard: the limits of an address.
    /// - Returns: nil if it may subscribe, else the seconds until it may.
    func takeSubscription(of name: String, standard: RelayLimits) -> Int? {
        take(1, of: name, \.subscriptions) { limits in
            guard let rate = limits.subscriptionsPerSecond else {
                return (standard.subscribesOfAddress, standard.subscribeBurstOfAddress)
            }
            return rate == 0 ? nil : (rate, 32 * rate)
        }
    }

    /// An instance counts in parts of a token: so a small limit is shared too.
    private func take(
        _ count: Int,
        of name: String,
        _ bucket: WritableKeyPath<Usage, TokenBucket?>,
        _ terms: (RelayKey.Limits) -> (rate: Int, burst: Int)?
    ) -> Int? {
        let now = now()
        return state.withLock { state in
            // Removed since the request was read.
            guard let limits = state.limits[name] else { return 1 }
            guard let (rate, burst) = terms(limits) else { return nil }
            let parts = state.instances
            let maximum = max(burst, parts)
            var usage = state.usages[name] ?? Usage()
            defer { state.usages[name] = usage }
            var tokens = usage[keyPath: bucket] ?? TokenBucket(burst: maximum, at: now)
            let cost = count.multipliedReportingOverflow(by: parts)
            let seconds = tokens.take(
                cost.overflow ? .max : cost.partialValue,
                rate: rate,
                burst: maximum,
                at: now
            )
            usage[keyPath: bucket] = tokens
            if seconds != nil { usage.statistics.throttled += 1 }
            return seconds
        }
    }

    /// - Returns: nil for no limit.
    private static func limit(_ own: Int?, _ standard: Int?) -> Int? {
        guard let own else { return standard }
        return own == 0 ? nil : own
    }

    // MARK: Connections

    /// Remembers a connection that a key opened.
    ///
    /// - Parameter close: called once the key is gone, on any thread; at once if it is already.
    /// - Returns: what `ended` takes.
    func opened(_ key: RelayKey, close: @escaping @Sendable () -> Void) -> UInt64 {
        let (ticket, isKnown) = state.withLock { state in
            state.lastTicket += 1
            state.connections[state.lastTicket] = (key.digest, close)
            return (state.lastTicket, state.keys[key.digest] != nil)
        }
        if !isKnown { close() }
        return ticket
    }

    func ended(_ ticket: UInt64) {
        state.withLock { $0.connections[ticket] = nil }
    }
}

/// What the clients with keys did since the start.
package struct RelayKeyStatistics: Hashable, Sendable {
    package struct Client: Hashable, Sendable {
        package var requests: UInt64 = 0
        /// Requests, posts and subscriptions beyond the limits.
        package var throttled: UInt64 = 0
    }

    /// By name, those that did something.
    package var clients: [String: Client] = [:]
    /// Requests with a key that is none.
    package var refused: UInt64 = 0
}
