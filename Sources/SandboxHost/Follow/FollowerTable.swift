import Ethereum
import StrictJSON
import Synchronization

/// The machines that keep a copy of a sandbox, by their requests for blocks.
final class FollowerTable: Sendable {
    private struct Key: Hashable {
        let address: String
        /// What a copy names itself, so that several on one machine are told apart.
        let copy: String
    }

    private struct Entry {
        let key: Key
        /// The newest block that the copy has verified, as it says.
        var block: UInt64
        /// Seconds since 1970.
        var seen: UInt64
    }

    /// More machines are not remembered; the one that was silent for longest goes.
    static let maximum = 64

    private let entries = Mutex<[Entry]>([])

    /// Takes down a request.
    ///
    /// - Parameters:
    ///   - address: the machine's IP address.
    ///   - copy: 16 hexadecimal digits; anything else is counted as one without a name.
    func note(address: String, copy: String, block: UInt64, at time: UInt64) {
        let isName = copy.utf8.count == 16 && copy.allSatisfy { $0.isASCII && $0.isHexDigit }
        let key = Key(address: address, copy: isName ? copy : "")
        entries.withLock { entries in
            if let index = entries.firstIndex(where: { $0.key == key }) {
                entries[index].block = block
                entries[index].seen = time
                return
            }
            if entries.count == Self.maximum,
                let oldest = entries.indices.min(by: { entries[$0].seen < entries[$1].seen })
            {
                entries.remove(at: oldest)
            }
            entries.append(Entry(key: key, block: block, seen: time))
        }
    }

    /// What `sandbox status` shows of them, the one that lags most first.
    ///
    /// - Parameters:
    ///   - newest: the sandbox's newest block.
    ///   - now: seconds since 1970.
    func json(newest: UInt64, now: UInt64) -> JSONValue {
        let sorted = entries.withLock { $0 }.sorted { ($0.block, $0.seen) < ($1.block, $1.seen) }
        return .array(
            sorted.map { entry in
                [
                    "address": .string(entry.key.address),
                    "copy": .string(entry.key.copy),
                    "block": .integer(entry.block),
                    "behind": .integer(newest > entry.block ? newest - entry.block : 0),
                    "silentFor": .integer(now > entry.seen ? now - entry.seen : 0),
                ]
            }
        )
    }
}
