/// Which requests libcurl carries now and which wait for one of a server's connections.
///
/// libcurl 7.88 forgets transfers that wait inside it for a connection: they go on only when a timer
/// of theirs fires, seconds later. So it never gets more transfers of a server than that server may
/// have connections, and the others wait here, first come, first served.
struct TransferQueue<Job> {
    /// A server: what a connection can be shared for.
    struct Server: Hashable {
        let scheme: String
        let host: String
        let port: Int
    }

    /// A request that waits, and since when.
    struct Waiting {
        let ticket: UInt64
        let job: Job
        let since: ContinuousClock.Instant

        /// How long it waited, in milliseconds.
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

    /// Takes a request in.
    ///
    /// - Returns: whether it may start now; else `next` gives it out once a connection is free.
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

    /// A transfer of the server ended, however it did.
    ///
    /// - Returns: the request that has its connection now; nil where none waits.
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

    /// Takes out a request that waits; nil where none has this ticket.
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

    /// Takes out everything that waits.
    mutating func removeAll() -> [Job] {
        let jobs = waiting.values.flatMap { $0.map(\.job) }
        waiting = [:]
        return jobs
    }
}
