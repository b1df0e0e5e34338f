package import Ethereum

/// A node that says something else of a block's state than the proof of it shows.
package struct StateLie: Hashable, Sendable {
    /// The value that it is about.
    package enum Subject: Hashable, Sendable {
        case word(slot: Bytes32, of: Address)
        case nonce(Address)
        case ether(Address)
        case code(Address)
        /// A token's balance, as its contract answers.
        case balance(of: Address, in: Address)
        /// What a spender may move of a token, as its contract answers.
        case allowance(of: Address, to: Address, in: Address)
        /// The hash of an earlier block.
        case blockHash(UInt64)
        /// A field of the block itself, by its name.
        case block(String)
    }

    /// The part of the node's address that may be shown.
    package let node: String
    package let subject: Subject
    package let block: UInt64
    /// What the node says.
    package let claimed: String
    /// What the header proves.
    package let proven: String
    /// How many nodes give the header.
    package let nodes: Int

    package init(
        node: String,
        subject: Subject,
        block: UInt64,
        claimed: String,
        proven: String,
        nodes: Int
    ) {
        self.node = node
        self.subject = subject
        self.block = block
        self.claimed = claimed
        self.proven = proven
        self.nodes = nodes
    }
}

extension StateLie: ReportedError {
    package var report: DexError {
        let by = nodes == 1 ? "its own header" : "a header that \(nodes) nodes give"
        return Self.row(
            .unreachable("node-lied"),
            "\(node) says that \(subject.words) is \(claimed) at block \(block), and \(by) proves "
                + "\(proven). Nothing was signed on it.",
            hint: "Do not use this node: take it out of rpc in config.toml, or name others with "
                + "--rpc."
        )
    }
}

extension StateLie.Subject {
    var words: String {
        switch self {
        case .word(let slot, let address): "the word at \(slot) of \(address)"
        case .nonce(let address): "the nonce of \(address)"
        case .ether(let address): "the ether of \(address)"
        case .balance(let owner, let token): "the balance of \(owner) at \(token)"
        case .allowance(let owner, let spender, let token):
            "the allowance of \(spender) by \(owner) at \(token)"
        case .code(let address): "the hash of the code of \(address)"
        case .blockHash(let number): "the hash of block \(number)"
        case .block(let field): "the \(field) of the block"
        }
    }
}
