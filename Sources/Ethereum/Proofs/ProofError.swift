/// The reason why nodes do not prove what they are asked to prove.
///
/// It says nothing of the value itself: what is not proven may still be so.
public enum ProofError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What is wrong with one node.
    public enum Problem: Hashable, Sendable {
        case rlp(RLPError)
        case noList
        case itemCount(Int)
        /// The compact path is not in its one form.
        case path
        /// A path of no digits leads to another node.
        case emptyPath
        /// A path goes on behind the end of the key.
        case longPath
        /// A leaf begins before the end of the key and does not reach it.
        case shortPath
        /// A value is a list.
        case listValue
        case emptyValue
        /// A branch has a value although all keys are as long as a hash.
        case branchValue
        /// A branch with less than two ways.
        case fewWays
        /// A path leads to something that is no branch.
        case pathToNoBranch
        /// A way is neither empty nor 32 bytes nor a node below 32 bytes.
        case child
        /// A node of less than 32 bytes, which stands in its parent, stands by itself.
        case tooShort
    }

    case noNodes(root: Bytes32)
    /// The node does not hash to what its parent, or for the first one the root, demands.
    case wrongHash(node: Int, expected: Bytes32, found: Bytes32)
    case invalidNode(Int, Problem)
    /// The way goes on to a node that is not there.
    case missingNode(Int, Bytes32)
    case superfluousNodes(used: Int, found: Int)
    /// The value that is proven is no account.
    case noAccount(Address)
    /// The value that is proven is no number of 1 to 32 bytes without leading zeros.
    case noWord(slot: Bytes32)
    /// A part of the answer; the reason is a clause.
    case malformed(String, reason: String)

    /// The message shown to the user.
    public var description: String {
        switch self {
        case .noNodes(let root):
            "The proof has no nodes, which proves something only for an empty trie, and the root "
                + "is \(root)."
        case .wrongHash(let node, let expected, let found):
            "Node \(node) of the proof has the hash \(found), but "
                + "\(node == 0 ? "the root is" : "the node before it demands") \(expected)."
        case .invalidNode(let node, let problem):
            "Node \(node) of the proof is invalid: \(problem.reason)."
        case .missingNode(let node, let hash):
            "The proof ends too early: node \(node) with the hash \(hash) is missing."
        case .superfluousNodes(let used, let found):
            "The proof has \(found) nodes, but its way ends with the first \(used)."
        case .noAccount(let address):
            "What is proven of \(address) is no account: a list of a nonce, a balance and two hashes "
                + "is expected."
        case .noWord(let slot):
            "What is proven of the storage slot \(slot) is no word: a number of 1 to 32 bytes that "
                + "does not begin with a zero is expected."
        case .malformed(let part, let reason):
            "The answer with the proof is malformed: \(part) \(reason)."
        }
    }
}

extension ProofError.Problem {
    /// The reason as a clause.
    var reason: String {
        switch self {
        case .rlp(.truncated): "its RLP ends in the middle of an item"
        case .rlp(.trailingBytes): "bytes follow its RLP"
        case .rlp(.nonCanonical): "a length or byte of its RLP is not in its shortest form"
        case .rlp(.tooDeep): "its lists are nested too deep"
        case .noList: "it is not a list"
        case .itemCount(let count): "it has \(count) items, and 2 or 17 are expected"
        case .path: "its path is not in the compact form"
        case .emptyPath: "its path has no digits, and it is no leaf"
        case .longPath: "its path goes on behind the end of the key"
        case .shortPath: "it is a leaf and ends before the key does"
        case .listValue: "its value is a list, and bytes are expected"
        case .emptyValue: "its value is empty, and such a leaf is never kept"
        case .branchValue: "it is a branch with a value, and no key ends there"
        case .fewWays: "it is a branch with less than two ways, which is never kept"
        case .pathToNoBranch: "its path leads to something that is no branch"
        case .child: "a way is neither empty nor a hash nor a node of less than 32 bytes"
        case .tooShort: "it has less than 32 bytes, so it belongs into the node before it"
        }
    }
}
