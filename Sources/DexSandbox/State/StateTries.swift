import Ethereum

/// The tries of a state: its accounts, and the storage of each one that has any.
struct StateTries: Sendable {
    private var accounts = MerkleTrie()
    private var storages: [Address: MerkleTrie] = [:]

    /// The tries of a whole state.
    init(_ slots: [StorageKey: UInt256]) {
        apply(slots) { slots[$0] ?? .zero }
    }

    /// The header's `stateRoot`.
    var root: Bytes32 { accounts.root }

    /// Takes over what changed.
    ///
    /// - Parameters:
    ///   - changes: the new values; zero removes.
    ///   - value: any value of the state after the changes.
    mutating func apply(
        _ changes: [StorageKey: UInt256],
        value: (StorageKey) -> UInt256
    ) {
        guard !changes.isEmpty else { return }
        var words: [Address: [MerkleTrie.Change]] = [:]
        for (key, new) in changes {
            guard case .word(let place) = key.slot else {
                words[key.address, default: []] += []
                continue
            }
            words[key.address, default: []].append(
                MerkleTrie.Change(
                    .slot(place.word),
                    new == .zero ? nil : RLP.integer(new).encoded
                )
            )
        }
        var touched: [MerkleTrie.Change] = []
        for (address, words) in words {
            if !words.isEmpty {
                var storage = storages[address] ?? MerkleTrie()
                storage.update(words)
                storages[address] = storage.isEmpty ? nil : storage
            }
            let account = account(address, value: value)
            touched.append(
                MerkleTrie.Change(.account(address), account.isEmpty ? nil : account.encoded)
            )
        }
        accounts.update(touched)
    }

    /// An account as the state trie has it.
    ///
    /// - Parameter value: any value of the state.
    func account(_ address: Address, value: (StorageKey) -> UInt256) -> StateAccount {
        let code = value(StorageKey(address, .code))
        return StateAccount(
            nonce: value(StorageKey(address, .nonce)).w0,
            balance: Wei(value(StorageKey(address, .ether))),
            storageRoot: storages[address]?.root ?? MerkleTrie.emptyRoot,
            codeHash: code == .zero ? StateAccount.emptyCodeHash : code.word
        )
    }

    /// The nodes that prove an account, or that there is none.
    func proof(of address: Address) -> TrieProof { accounts.proof(of: .account(address)) }

    /// The nodes that prove a word of an account, or that it is zero.
    func proof(of place: UInt256, at address: Address) -> TrieProof {
        (storages[address] ?? MerkleTrie()).proof(of: .slot(place.word))
    }
}
