import EVM
import Ethereum

/// What a transaction did, in the words of `Result` of cases.py.
struct CaseRun {
    let text: String
    /// What is behind the digest of the text.
    let lines: [String]

    init(_ refusal: MessageRefusal) {
        let reason =
            switch refusal {
            case .nonce: "nonce"
            case .funds: "funds"
            case .gasTooLow: "gasTooLow"
            case .gasTooHigh: "gasTooHigh"
            case .fees: "fees"
            case .contract: "contract"
            case .initCode: "initCode"
            case .authorizations: "authorizations"
            case .blobs: "blobs"
            }
        (text, lines) = ("refused \(reason)", [])
    }

    init(_ outcome: Execution.Outcome, _ lines: [String]) {
        let digest = Hex.encode(Keccak256.hash(lines.joined(separator: "\n").utf8).bytes.prefix(8))
        text = "\(outcome.ending) \(outcome.gasUsed) \(digest.dropFirst(2))"
        self.lines = lines
    }

    /// The state after it, its logs and its answer.
    ///
    /// - Parameter known: all accounts and words that there can be.
    static func lines(
        _ outcome: Execution.Outcome,
        _ after: Execution,
        _ known: KnownKeys
    ) -> [String] {
        var lines: [String] = []
        for (address, slots) in known.slots.sorted(by: { $0.key < $1.key }) {
            guard case .known(let record?) = after.account(address),
                record.nonce != 0 || record.balance != .zero
                    || record.codeHash != Keccak256.hash([])
            else { continue }
            let words = slots.sorted().compactMap { slot -> String? in
                guard case .known(let word) = after.word(slot, of: address) else {
                    return "unknown"
                }
                return word == .zero ? nil : "\(hex(slot))=\(hex(word))"
            }
            lines.append(
                "\(address.lowercaseHex) \(String(record.nonce, radix: 16)) "
                    + "\(hex(record.balance.rawValue)) "
                    + "\(Hex.encode(record.codeHash.bytes).dropFirst(2)) "
                    + words.joined(separator: " ")
            )
        }
        for log in outcome.logs {
            let topics = log.topics.map { hex(UInt256($0)) }.joined(separator: ",")
            lines.append(
                "log \(log.address.lowercaseHex) \(topics) \(Hex.encode(log.data).dropFirst(2))"
            )
        }
        lines.append("output \(Hex.encode(outcome.output).dropFirst(2))")
        return lines
    }

    private static func hex(_ number: UInt256) -> String { String(number.quantity.dropFirst(2)) }
}

/// The accounts and words of a state, as far as any transaction has touched them.
struct KnownKeys {
    private(set) var slots: [Address: Set<UInt256>] = [:]

    init(_ state: MemoryState) {
        for (address, entry) in state.entries { slots[address] = Set(entry.words.keys) }
    }

    mutating func add(_ keys: Set<StateKey>) {
        for key in keys {
            switch key {
            case .account(let address): slots[address] = slots[address] ?? []
            case .word(let slot, let address): slots[address, default: []].insert(slot)
            case .code, .blockHash: break
            }
        }
    }
}
