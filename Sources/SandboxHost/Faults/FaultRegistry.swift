import StrictJSON
import Synchronization

/// The active faults of a running sandbox, and their effects so far.
final class FaultRegistry: Sendable {
    struct Entry: Sendable {
        let fault: SandboxFault
        let server: SandboxServer
        /// Requests since it was set.
        var requests: UInt64 = 0
        /// Requests or transactions that it affected.
        var hits: UInt64 = 0

        var json: JSONValue {
            var object = fault.members
            object["of"] = .string(server.rawValue)
            object["requests"] = .integer(requests)
            object["hits"] = .integer(hits)
            return .object(object)
        }
    }

    /// The treatment of a request.
    struct Verdict: Hashable, Sendable {
        var isDown = false
        var isHanging = false
        /// Milliseconds.
        var delay: UInt64 = 0
        var failure: SandboxFault.Flakiness.Kind?
    }

    private let entries = Mutex<[Entry]>([])

    /// In the order in which they were set.
    var all: [Entry] { entries.withLock { $0 } }

    /// Turns a fault on; it replaces one of the same name at the same server.
    func set(_ fault: SandboxFault, of server: SandboxServer) {
        entries.withLock { entries in
            entries.removeAll { $0.fault.name == fault.name && $0.server == server }
            entries.append(Entry(fault: fault, server: server))
        }
    }

    /// Turns faults off; nil means all of them.
    ///
    /// - Returns: those that were active.
    func clear(_ names: Set<SandboxFault.Name>?) -> [Entry] {
        entries.withLock { entries in
            let off = entries.filter { names?.contains($0.fault.name) ?? true }
            entries.removeAll { names?.contains($0.fault.name) ?? true }
            return off
        }
    }

    /// Counts a request and returns its treatment.
    func verdict(on server: SandboxServer) -> Verdict {
        entries.withLock { entries in
            var verdict = Verdict()
            for index in entries.indices where entries[index].server == server {
                let name = entries[index].fault.name
                guard name.isOfServer else { continue }
                let number = entries[index].requests
                entries[index].requests += 1
                var isHit = true
                switch entries[index].fault {
                case .down: verdict.isDown = true
                case .hang: verdict.isHanging = true
                case .slow(let milliseconds): verdict.delay = milliseconds
                case .flaky(let flakiness):
                    verdict.failure = flakiness.failure(ofRequest: number, to: server)
                    isHit = verdict.failure != nil
                case .collision, .stuck, .wrongChain, .quote, .pools: isHit = false
                }
                if isHit { entries[index].hits += 1 }
            }
            return verdict
        }
    }

    /// The server currently gives no answers at all.
    func isHanging(_ server: SandboxServer) -> Bool {
        entries.withLock { $0.contains { $0.fault == .hang && $0.server == server } }
    }

    /// Whether the fault still waits for transactions; `strike` counts those that it affects.
    func isArmed(_ name: SandboxFault.Name) -> Bool {
        entries.withLock { entries in
            entries.contains { entry in
                switch entry.fault {
                case .collision(let times), .stuck(let times):
                    entry.fault.name == name && entry.hits < times
                default: false
                }
            }
        }
    }

    /// A fault of a price or a quote, and how many it struck before.
    struct QuoteStrike: Hashable, Sendable {
        let kind: SandboxFault.Misquote.Kind
        let number: UInt64
    }

    /// Counts an answer of the Swap API and returns what is to be wrong in it.
    ///
    /// - Parameter isStruck: such an answer can have the fault.
    func quoteStrike(
        _ isStruck: (SandboxFault.Misquote.Kind) -> Bool
    ) -> QuoteStrike? {
        entries.withLock { entries in
            for index in entries.indices {
                guard case .quote(let misquote) = entries[index].fault else { continue }
                entries[index].requests += 1
                let hits = entries[index].hits
                guard isStruck(misquote.kind), hits < misquote.times ?? .max else { continue }
                entries[index].hits += 1
                return QuoteStrike(kind: misquote.kind, number: hits)
            }
            return nil
        }
    }

    /// The registry of the Settlers has to be paused.
    var pausesRegistry: Bool {
        all.contains { entry in
            if case .quote(let misquote) = entry.fault { misquote.kind.isOfRegistry } else { false }
        }
    }

    /// What is on of the faults of pools; nil: none.
    var poolFault: SandboxFault.PoolFault? {
        for entry in all {
            if case .pools(let kind) = entry.fault { return kind }
        }
        return nil
    }

    /// Counts a transaction that a chain fault affected.
    func strike(_ name: SandboxFault.Name) {
        entries.withLock { entries in
            for index in entries.indices where entries[index].fault.name == name {
                entries[index].hits += 1
            }
        }
    }
}

extension SandboxFault.Flakiness {
    /// How a request fails, counted from 0 since the fault was set; nil if it does not.
    func failure(ofRequest number: UInt64, to server: SandboxServer) -> Kind? {
        var random = MarketRandom(seed: seed, purpose: "flaky \(server.rawValue), \(number)")
        guard random.number(in: 0...99) < share, !kinds.isEmpty else { return nil }
        return kinds[Int(random.number(in: 0...UInt64(kinds.count - 1)))]
    }
}
