package import StrictJSON
import Synchronization

/// How far a copy of another machine's sandbox is, and whether it still serves.
package struct CopyStatus: Hashable, Sendable {
    package enum Condition: Hashable, Sendable {
        /// It fetches the blocks and orders that the other machine had when it started.
        case connecting
        /// The other machine answers.
        case following
        /// The other machine does not answer; what was verified is served.
        case cutOff(reason: String)
        /// Something did not verify: nothing is served any more.
        case stopped(reason: String)

        /// As its JSON has it.
        fileprivate var description: (name: String, reason: String?) {
            switch self {
            case .connecting: ("connecting", nil)
            case .following: ("following", nil)
            case .cutOff(let reason): ("cut off", reason)
            case .stopped(let reason): ("stopped", reason)
            }
        }
    }

    package var condition = Condition.connecting
    /// The newest verified block and its time in seconds since 1970.
    package var block: UInt64
    package var timestamp: UInt64
    /// The other machine's newest block, as it says; nil before it has answered.
    package var leaderBlock: UInt64?
    /// When it answered last, in seconds since 1970.
    package var answered: UInt64?

    /// Blocks that the other machine has more.
    package var behind: UInt64? {
        leaderBlock.map { $0 > block ? $0 - block : 0 }
    }

    /// The other machine's chain is shorter, as it says: blocks that were verified are not in it.
    package var isAhead: Bool { leaderBlock.map { $0 < block } ?? false }

    package init(block: UInt64, timestamp: UInt64) {
        self.block = block
        self.timestamp = timestamp
    }

    /// The sentence of a copy that serves nothing any more.
    package var stop: String? {
        if case .stopped(let reason) = condition { reason } else { nil }
    }
}

extension CopyStatus {
    /// What the copy's node answers to `sandbox status`.
    package func json(now: UInt64) -> JSONValue {
        let (name, reason) = condition.description
        return [
            "condition": .string(name),
            "reason": reason.map { .string($0) } ?? .null,
            "block": .integer(block),
            "time": .integer(timestamp),
            "leaderBlock": leaderBlock.map { .integer($0) } ?? .null,
            "behind": behind.map { .integer($0) } ?? .null,
            "silentFor": answered.map { .integer(now > $0 ? now - $0 : 0) } ?? .null,
        ]
    }
}

extension CopyStatus {
    /// The status that a copy's node answered; nil if it cannot be read.
    ///
    /// - Parameter now: seconds since 1970.
    package init?(_ json: JSONValue, now: UInt64) {
        func number(_ name: String) -> UInt64? { json[name]?.numberText.flatMap { UInt64($0) } }
        guard let block = number("block"), let timestamp = number("time") else { return nil }
        self.init(block: block, timestamp: timestamp)
        let reason = json["reason"]?.stringValue ?? ""
        switch json["condition"]?.stringValue {
        case "connecting": condition = .connecting
        case "following": condition = .following
        case "cut off": condition = .cutOff(reason: reason)
        case "stopped": condition = .stopped(reason: reason)
        default: return nil
        }
        leaderBlock = number("leaderBlock")
        answered = number("silentFor").map { now > $0 ? now - $0 : 0 }
    }
}

/// The status of a copy, for its servers.
package final class CopyState: Sendable {
    private let status: Mutex<CopyStatus>
    /// Gets the status whenever its condition has become another one.
    private let onChange: @Sendable (CopyStatus) -> Void

    package init(
        _ status: CopyStatus,
        onChange: @escaping @Sendable (CopyStatus) -> Void = { _ in }
    ) {
        self.status = Mutex(status)
        self.onChange = onChange
    }

    package var value: CopyStatus { status.withLock { $0 } }

    func change(_ body: (inout CopyStatus) -> Void) {
        let changed: CopyStatus? = status.withLock { status in
            let before = status.condition.description.name
            body(&status)
            return status.condition.description.name == before ? nil : status
        }
        if let changed { onChange(changed) }
    }
}
