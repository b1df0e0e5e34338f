package import Ethereum

/// The reason why a block of another machine does not verify.
package struct BlockMismatch: Error, Hashable, Sendable, CustomStringConvertible {
    package enum Difference: Hashable, Sendable {
        /// The header is not in the encoding of this chain's headers.
        case malformedHeader
        /// The header's hash is not the announced one.
        case hash(announced: Bytes32, computed: Bytes32)
        /// It does not follow on the block before it.
        case parent(announced: Bytes32, expected: Bytes32)
        /// A member of the header breaks the chain's rules.
        case rule(String)
        /// A transaction, counted from 0, is not valid, or cannot run after those before it.
        case transaction(index: Int, reason: String)
        /// The execution gives another result.
        case result(Result, announced: String, computed: String)
    }

    /// What the execution of a block gives.
    package enum Result: String, Hashable, Sendable, CaseIterable {
        case transactionsRoot = "transactions root"
        case gasUsed = "gas used"
        case receiptsRoot = "receipts root"
        case bloom = "logs bloom"
        case stateRoot = "state root"
    }

    package let block: UInt64
    package let difference: Difference

    package init(block: UInt64, difference: Difference) {
        self.block = block
        self.difference = difference
    }

    package var description: String {
        let what =
            switch difference {
            case .malformedHeader: "its header cannot be read"
            case .hash(let announced, let computed):
                "its hash is announced as \(announced.hex), and its header has \(computed.hex)"
            case .parent(let announced, let expected):
                "its parent is announced as \(announced.hex), and block \(block &- 1) is "
                    + expected.hex
            case .rule(let reason): reason
            case .transaction(let index, let reason):
                "its transaction \(index) is not valid: \(reason)"
            case .result(let result, let announced, let computed):
                "its \(result.rawValue) is announced as \(announced), and executing it gives "
                    + computed
            }
        return "Block \(block) does not verify: \(what)."
    }
}
