/// The requests that libcurl carries, and those that wait for one of a server's connections.
///
/// libcurl 7.88 forgets transfers that wait inside it for a connection: they continue only when one
/// of their timers fires, seconds later. So it gets at most as many transfers of a server as the
/// server may have connections. The others wait here, first come, first served.
struct TransferQueue<Job> {
    /// A server: requests to the same one can share a connection.
    struct Server: Hashable {
        let scheme: String
        let host: String
        let port: Int
    }

    /// A waiting request and its start time.
    struct Waiting {
        let ticket: UInt64
        let job: Job
        let since: ContinuousClock.Instant

        func milliseconds(until now: ContinuousClock.Instant) -> Int {
            let (seconds, attoseconds) = (now - since).components
            return Int(clamping: seconds) * 1000
                + Int(clamping: attoseconds / 1_000_000_000_000_000)
        }
    }

    private let connectionsPerServer: Int
    private var running: [Server: Int] = [:]
    private var waiting: [Server: [Waiting]] = [:]

    /// - Parameter connectionsPerServer: at least 1.
    init(connectionsPerServer: Int) {
        self.connectionsPerServer = max(connectionsPerServer, 1)
    }

    /// Accepts a request.
    ///
    /// - Returns: whether it may start now; otherwise `next` returns it once a connection is free.
    mutating func admit(
        _ job: Job,
        ticket: UInt64,
        to server: Server,
        now: ContinuousClock.Instant
    ) -> Bool {
        let count = running[server] ?? 0
        guard count >= connectionsPerServer else {
            running[server] = count + 1
            return true
        }
        waiting[server, default: []].append(Waiting(ticket: ticket, job: job, since: now))
        return false
    }

    /// Ends a transfer of a server, with any outcome.
    ///
    /// - Returns: the request that gets its connection; nil if none waits.
    mutating func next(after server: Server) -> Waiting? {
        if var line = waiting[server], !line.isEmpty {
            let first = line.removeFirst()
            waiting[server] = line.isEmpty ? nil : line
            return first
        }
        let count = (running[server] ?? 1) - 1
        running[server] = count > 0 ? count : nil
        return nil
    }

    /// Removes a waiting request; nil if none has this ticket.
    mutating func remove(_ ticket: UInt64) -> Job? {
        for (server, line) in waiting {
            guard let index = line.firstIndex(where: { $0.ticket == ticket }) else { continue }
            var rest = line
            let job = rest.remove(at: index).job
            waiting[server] = rest.isEmpty ? nil : rest
            return job
        }
        return nil
    }

    /// Removes all waiting requests.
    mutating func removeAll() -> [Job] {
        let jobs = waiting.values.flatMap { $0.map(\.job) }
        waiting = [:]
        return jobs
    }
}
