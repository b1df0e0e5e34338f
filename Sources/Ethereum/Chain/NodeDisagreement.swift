/// Two nodes that gave different answers to one question at one block.
///
/// Node texts in it are unchanged: strip control characters before showing them.
public struct NodeDisagreement: Hashable, Sendable {
    /// What one node said.
    public struct Statement: Hashable, Sendable {
        /// The part of the node's address that may be shown: scheme, host and port.
        public let node: String
        /// Its answer in words, without a full stop.
        public let said: String

        public init(node: String, said: String) {
            self.node = node
            self.said = said
        }
    }

    /// What they were asked for, such as `the chain id`.
    public let subject: String
    public let first: Statement
    public let second: Statement

    public init(about subject: String, _ first: Statement, _ second: Statement) {
        self.subject = subject
        self.first = first
        self.second = second
    }
}

extension NodeDisagreement: CustomStringConvertible {
    /// A sentence that names both nodes and their answers.
    public var description: String {
        "The nodes disagree about \(subject): \(first.node) says \(first.said); \(second.node) "
            + "says \(second.said)."
    }
}
