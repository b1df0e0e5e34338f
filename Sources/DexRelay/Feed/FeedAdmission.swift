import Synchronization

/// Counts the feed's connections, in all and of each client; see `ClientNetwork`.
final class FeedAdmission: Sendable {
    /// Why a connection is refused.
    enum Refusal: Error, Hashable {
        case full
        case tooManyOfAddress
    }

    private struct State {
        var total = 0
        var ofClient: [ClientNetwork: Int] = [:]
    }

    private let state = Mutex(State())

    /// Takes a place for a connection; it has to be given back by `leave`.
    func enter(_ address: String, _ limits: RelayLimits) throws(Refusal) {
        let client = ClientNetwork(address)
        let refusal: Refusal? = state.withLock { state in
            let count = state.ofClient[client] ?? 0
            if count >= limits.maximumConnectionsOfAddress { return .tooManyOfAddress }
            if state.total >= limits.maximumConnections { return .full }
            state.total += 1
            state.ofClient[client] = count + 1
            return nil
        }
        if let refusal { throw refusal }
    }

    func leave(_ address: String) {
        let client = ClientNetwork(address)
        state.withLock { state in
            state.total -= 1
            let left = (state.ofClient[client] ?? 1) - 1
            state.ofClient[client] = left > 0 ? left : nil
        }
    }
}
