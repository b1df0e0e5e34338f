public import StrictJSON

/// What a node answers to `eth_getProof`: the way to an account, and from it to words of its
/// storage.
///
/// It proves nothing by itself: `verified(in:)` with the state root of a header does, and that
/// header is worth what its source is worth.
///
/// Source: https://eips.ethereum.org/EIPS/eip-1186
public struct AccountProof: Hashable, Sendable {
    public let address: Address
    /// The way to the account in the state.
    public let account: TrieProof
    /// The ways to words in the account's storage, in the order that was asked for.
    public let storage: [StorageProof]

    /// The most nodes of one way: a hash has 64 digits.
    public static let maximumNodes = 65
    /// The most bytes of a node: a branch has 532, and an account with its path less than 150.
    public static let maximumNodeBytes = 600

    public init(address: Address, account: TrieProof, storage: [StorageProof]) {
        self.address = address
        self.account = account
        self.storage = storage
    }

    /// A node's answer for an address and storage slots.
    ///
    /// Only the nodes of the proofs are read. `nonce`, `balance`, `codeHash`, `storageHash` and
    /// `value` beside them are copies that nothing proves, and differ from client to client for an
    /// account that is not there. The proofs of slots are matched by their places, since clients
    /// write `key` in several ways.
    ///
    /// - Parameter slots: those asked for, in the order of the request.
    /// - Throws: `ProofError.malformed`, also for too many or too long nodes.
    public init(
        json: JSONValue,
        address: Address,
        slots: [Bytes32]
    ) throws(ProofError) {
        guard let object = json.objectValue else {
            throw .malformed("it", reason: "is not an object")
        }
        let account = try TrieProof(json: object["accountProof"], "accountProof")
        guard let entries = object["storageProof"]?.arrayValue else {
            throw .malformed("storageProof", reason: "is not a list")
        }
        guard entries.count == slots.count else {
            throw .malformed(
                "storageProof",
                reason: "has \(entries.count) entries, and \(slots.count) were asked for"
            )
        }
        var storage: [StorageProof] = []
        storage.reserveCapacity(slots.count)
        for (index, slot) in slots.enumerated() {
            let nodes = try TrieProof(
                json: entries[index]["proof"],
                "storageProof[\(index)].proof"
            )
            storage.append(StorageProof(slot: slot, nodes: nodes))
        }
        self.init(address: address, account: account, storage: storage)
    }

    /// The account and the words that all nodes together prove in the state of a root.
    ///
    /// - Throws: `ProofError`, if one of them is not proven.
    public func verified(in stateRoot: Bytes32) throws(ProofError) -> ProvenAccount {
        let value = try account.value(of: .account(address), in: stateRoot)
        var proven = ProvenAccount(address: address, isPresent: value != nil)
        if let value {
            guard let account = StateAccount(encoded: value) else { throw .noAccount(address) }
            proven.account = account
        }
        for proof in storage {
            proven.words[proof.slot] = try proof.word(in: proven.account.storageRoot)
        }
        return proven
    }
}

/// The way to a word in an account's storage, or to where it would be.
public struct StorageProof: Hashable, Sendable {
    public let slot: Bytes32
    public let nodes: TrieProof

    public init(slot: Bytes32, nodes: TrieProof) {
        self.slot = slot
        self.nodes = nodes
    }

    /// The word that is proven in the storage of a root; 0 if it is proven that there is none.
    ///
    /// - Throws: `ProofError`.
    public func word(in storageRoot: Bytes32) throws(ProofError) -> UInt256 {
        guard let value = try nodes.value(of: .slot(slot), in: storageRoot) else { return .zero }
        guard let item = try? RLP.decode(value),  // nil: not RLP
            let word = item.unsignedInteger, word != .zero
        else { throw .noWord(slot: slot) }
        return word
    }
}

/// An account that a proof shows, with the words that were asked for.
public struct ProvenAccount: Hashable, Sendable {
    public let address: Address
    /// false: it is proven that the state does not have it, and everything of it is zero.
    public let isPresent: Bool
    public fileprivate(set) var account = StateAccount.absent
    /// By slot; a word that is not there is 0.
    public fileprivate(set) var words: [Bytes32: UInt256] = [:]

    fileprivate init(address: Address, isPresent: Bool) {
        self.address = address
        self.isPresent = isPresent
    }
}

extension TrieProof {
    /// The nodes of a list of hexadecimal texts.
    fileprivate init(json: JSONValue?, _ name: String) throws(ProofError) {
        guard let texts = json?.arrayValue else {
            throw .malformed(name, reason: "is not a list")
        }
        guard texts.count <= AccountProof.maximumNodes else {
            throw .malformed(
                name,
                reason: "has \(texts.count) nodes, and no way has more than "
                    + "\(AccountProof.maximumNodes)"
            )
        }
        var nodes: [[UInt8]] = []
        nodes.reserveCapacity(texts.count)
        for (index, text) in texts.enumerated() {
            guard let text = text.stringValue else {
                throw .malformed("\(name)[\(index)]", reason: "is not a text")
            }
            guard text.utf8.count <= 2 + 2 * AccountProof.maximumNodeBytes else {
                throw .malformed(
                    "\(name)[\(index)]",
                    reason:
                        "is longer than \(AccountProof.maximumNodeBytes) bytes, which no node is"
                )
            }
            guard let bytes = Hex.bytes(text) else {
                throw .malformed("\(name)[\(index)]", reason: "is not bytes in hexadecimal")
            }
            nodes.append(bytes)
        }
        self.init(nodes: nodes)
    }
}
