import DexRelay
import Logging
import Synchronization
import ZeroEx

/// What a relay in memory does with a store: it follows the changes, and reads everything again when
/// it must.
actor StoreFollower {
    private let store: any OrderStore
    private(set) var orders: [OrderHash: ListedOrder] = [:]
    private(set) var number: UInt64 = 0
    /// The numbers in the order in which they came, without those of `load`.
    private(set) var seen: [UInt64] = []
    private(set) var reconnections = 0
    /// The wake-ups after which all changes were read.
    private(set) var handled = 0
    private var task: Task<Void, Never>?

    init(_ store: any OrderStore) async throws {
        self.store = store
        try await load()
        task = Task { [weak self, store] in
            for await wakeUp in store.wakeUps() {
                guard let self else { return }
                await self.follow(wakeUp)
            }
        }
    }

    deinit {
        task?.cancel()
    }

    func stop() {
        task?.cancel()
    }

    private func load() async throws {
        let loaded = try await store.loaded()
        orders = Dictionary(uniqueKeysWithValues: loaded.orders.map { ($0.hash, $0) })
        number = loaded.head.number
    }

    private func follow(_ wakeUp: StoreWakeUp) async {
        if wakeUp == .reconnected { reconnections += 1 }
        // A wake-up comes once.
        while !Task.isCancelled {
            do {
                if wakeUp == .reconnected { try await load() }
                try await catchUp()
                handled += 1
                return
            } catch {
                try? await Task.sleep(for: .milliseconds(10))  // cancelled: the loop ends
            }
        }
    }

    private func catchUp() async throws {
        while true {
            guard let changes = try await store.changes(after: number, limit: 100) else {
                try await load()
                continue
            }
            if changes.isEmpty { return }
            for change in changes {
                orders[change.order.hash] = change.order
                seen.append(change.number)
                number = change.number
            }
        }
    }
}

/// Keeps the messages that a store logs.
struct LogKeeper: LogHandler {
    final class Lines: Sendable {
        private let lines = Mutex<[String]>([])

        func append(_ line: String) {
            lines.withLock { $0.append(line) }
        }

        var all: [String] { lines.withLock { $0 } }
    }

    let lines: Lines
    var metadata: Logger.Metadata = [:]
    var logLevel = Logger.Level.trace

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
        lines.append("\(event.level): \(event.message)")
    }

    static func logger() -> (Logger, Lines) {
        let lines = Lines()
        return (Logger(label: "test") { _ in LogKeeper(lines: lines) }, lines)
    }
}
