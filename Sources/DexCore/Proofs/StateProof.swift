package import Ethereum

/// What of the state that a transaction rests on is proven, and by whose header.
///
/// What is not proven may be right all the same: a node need not have the proof.
package struct StateProof: Hashable, Sendable {
    /// Values that nothing proves.
    package struct Gap: Hashable, Sendable {
        /// The account that they are of; nil for hashes of earlier blocks.
        package let address: Address?
        /// How many they are; an account's nonce, ether and code are one.
        package var values: Int
        /// Why, as a clause.
        package let reason: String
    }

    /// The block of the header; nil if no header can be used.
    package var block: UInt64?
    package var hash: BlockHash?
    /// The nodes that give the header, by the part of their addresses that may be shown.
    package var nodes: [String] = []
    /// The accounts whose nonce, ether and code are proven.
    package var accounts = 0
    /// The words of storage that are proven.
    package var words = 0
    /// Why nothing is proven, as a clause; nil if something is.
    package var failure: String?
    package var gaps: [Gap] = []

    /// Nothing is proven, for a reason.
    static func none(_ failure: String) -> StateProof {
        StateProof(failure: PlainText.clean(failure, limit: maximumWords))
    }

    /// All that the transaction rests on is proven.
    package var isComplete: Bool { failure == nil && gaps.isEmpty }

    /// The most characters of a reason.
    static let maximumWords = 300
}

extension StateProof {
    /// What is proven, and what is not, each as a sentence.
    package var sentences: [String] {
        if let failure { return ["Not proven: \(failure)."] }
        let missing = gaps.reduce(0) { $0 + $1.values }
        var reasons: [String] = []
        for gap in gaps where !reasons.contains(gap.reason) { reasons.append(gap.reason) }
        var sentences: [String] = []
        if let block {
            let by =
                nodes.count == 1
                ? "that one node alone gives, and could invent" : "that \(nodes.count) nodes give"
            sentences.append(
                "Proven: \(Self.count(words, "word")) and \(Self.count(accounts, "account")) at "
                    + "block \(block), by a header \(by)."
            )
        }
        if missing > 0 {
            sentences.append(
                "Not proven: \(Self.count(missing, "value")) "
                    + "(\(reasons.prefix(Self.maximumReasons).joined(separator: "; ")))."
            )
        }
        return sentences
    }

    private static let maximumReasons = 3

    private static func count(_ count: Int, _ noun: String) -> String {
        "\(count) \(noun)\(count == 1 ? "" : "s")"
    }
}
