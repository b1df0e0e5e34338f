import Ethereum

/// What the `stateRoot` of a block says of the state.
enum StateCommitment {
    /// The root of the state's trie.
    case tries(StateTries)
    /// Of a fork, since nobody has all of its trie: a hash over the one before and what the block
    /// changed. Nothing can be proven with it.
    case chained(Bytes32)

    var root: Bytes32 {
        switch self {
        case .tries(let tries): tries.root
        case .chained(let root): root
        }
    }

    /// What proves parts of the state; nil for a fork.
    var tries: StateTries? {
        if case .tries(let tries) = self { tries } else { nil }
    }

    /// That of the state after changes.
    ///
    /// - Parameter value: any value of the state after the changes.
    func applying(
        _ changes: [StorageKey: UInt256],
        value: (StorageKey) -> UInt256
    ) -> StateCommitment {
        switch self {
        case .tries(var tries):
            tries.apply(changes, value: value)
            return .tries(tries)
        case .chained(let root):
            let encoded = RecordCodec.rlp(changes).encoded
            return .chained(Keccak256.hash(root.bytes + encoded))
        }
    }
}
