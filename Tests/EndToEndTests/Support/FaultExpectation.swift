import DexStore

/// The exit code and the error that a fault must end with, by docs/output.md.
struct FaultExpectation {
    /// Codes of errors by exit code; "" is none.
    private var allowed: [Int32: Set<String>]

    /// - Parameter run: what was signed, sent and posted before the fault struck.
    init(_ fault: FaultCase, _ run: FaultRun) {
        let server = fault.isOfRelay ? fault.command.server : "node"
        if let sent = run.journal.first {
            var allowed: [Int32: Set<String>] = [:]
            if sent.stage == .refused {
                // A node of another chain will not have it, and nothing is in flight.
                allowed[4] = ["send-refused"]
            } else if sent.stage == .mined || !fault.lasts {
                // By its receipt; a cancel's is enough where the amounts cannot be read again.
                allowed[0] = [""]
            } else {
                allowed[12] = ["not-mined-yet", "not-confirmed-yet"]
            }
            self.allowed = allowed
            return
        }
        if !run.orders.isEmpty {
            allowed = Self.ofPosting(fault)
            return
        }
        switch fault.kind {
        case .cut, .body, .unavailable:
            allowed = fault.lasts ? [4: ["\(server)-unreachable"]] : [0: [""]]
        case .throttled, .throttledWithAdvice:
            allowed = fault.lasts ? [4: ["\(server)-rate-limited"]] : [0: [""]]
        // Whoever waited that long has waited long enough.
        case .dies, .hangs: allowed = [4: ["\(server)-unreachable"]]
        case .garbage: allowed = [4: ["\(server)-nonsense"]]
        // It is meant for what changes something, and strikes a read where one more comes before it.
        case .error: allowed = fault.isOfRelay ? [:] : [4: ["node-error"]]
        case .otherChain, .otherContracts:
            var others = fault.isOfRelay ? Self.ofOtherRelay(fault) : Self.ofOtherNode(fault)
            // A send needs no exchange, but a token.
            if fault.command == .send { others[6] = ["not-a-token"] }
            // A registry that answers nothing says that swaps are paused.
            if fault.command == .swap, !fault.isOfRelay { others[6] = ["swap-paused"] }
            allowed = others
        }
        // The book is read again right before the signature, and what cannot be compared again stops
        // it; orders of another exchange are none.
        if fault.isOfRelay, fault.command == .marketBuy, allowed[0] == nil {
            allowed[4, default: []].insert("book-unread")
        }
    }

    /// The order is signed, and was on its way to the relay or behind it.
    private static func ofPosting(_ fault: FaultCase) -> [Int32: Set<String>] {
        // A fault of the node's that strikes after the last question to it changes nothing.
        guard fault.isOfRelay else { return [0: [""]] }
        let lost: Set<String> = [
            "relay-unreachable", "relay-rate-limited", "relay-nonsense", "order-unconfirmed",
        ]
        switch fault.kind {
        case .otherChain where !fault.lasts: return [0: [""], 7: ["relay-refused"]]
        case .otherChain: return [4: lost, 7: ["relay-refused"]]
        case .error where !fault.lasts: return [0: [""], 7: ["relay-refused"]]
        case .error: return [4: lost, 7: ["relay-refused"]]
        default: return fault.lasts ? [4: lost] : [0: [""], 4: lost]
        }
    }

    /// Contracts that are not there are noticed wherever they are asked.
    private static func ofOtherNode(_ fault: FaultCase) -> [Int32: Set<String>] {
        var allowed: [Int32: Set<String>] = [
            3: ["wrong-chain", "not-an-exchange"], 4: ["exchange-nonsense", "node-nonsense"],
        ]
        // The chain's id alone is right.
        if fault.kind == .otherContracts { allowed[0] = [""] }
        return allowed
    }

    /// Orders of another exchange are none of ours, and it has none of ours.
    private static func ofOtherRelay(_ fault: FaultCase) -> [Int32: Set<String>] {
        switch fault.command {
        case .marketBuy: [6: ["no-liquidity"]]
        case .placeLimit: [0: [""], 7: ["relay-refused"]]
        case .cancel: [4: ["relay-nonsense"]]
        // It asks no relay.
        case .send: [:]
        // Nothing in a quote names the exchange.
        case .swap: [0: [""]]
        }
    }

    func allows(_ run: FaultRun) -> Bool {
        allowed[run.exit]?.contains(run.code) == true
    }
}
