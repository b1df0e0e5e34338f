import EVM
import Ethereum

/// What proofs show of the state of one block.
struct ProvenValues {
    let header: BlockHeader
    /// The nodes that give the header.
    let nodes: [String]
    private var accounts: [Address: StateAccount] = [:]
    private var words: [Address: [UInt256: UInt256]] = [:]
    private(set) var gaps: [StateProof.Gap] = []

    init(_ header: BlockHeader, nodes: [String]) {
        self.header = header
        self.nodes = nodes
    }

    /// Nothing but gaps.
    var isEmpty: Bool { accounts.isEmpty && words.isEmpty }

    var keys: Set<StateKey> {
        var keys = Set(accounts.keys.map { StateKey.account($0) })
        for (address, slots) in words {
            for slot in slots.keys { keys.insert(.word(slot, of: address)) }
        }
        return keys
    }

    func account(_ address: Address) -> StateAccount? { accounts[address] }

    func word(_ slot: UInt256, of address: Address) -> UInt256? { words[address]?[slot] }

    /// The hash of an earlier block; nil where the header does not have it.
    func hash(of block: UInt64) -> BlockHash? {
        header.number > 0 && block == header.number - 1 ? header.parentHash : nil
    }

    // MARK: Proofs

    /// Takes what the proofs of several nodes show; of each question the first that is right.
    ///
    /// - Parameter answers: for each node, in the order of the questions.
    mutating func add(
        _ questions: [ProofQuestion],
        _ answers: [[Result<AccountProof, ChainError>]]
    ) {
        for (index, question) in questions.enumerated() {
            var reason = "no node was asked"
            let isProven = answers.contains { answers in
                guard answers.indices.contains(index) else { return false }
                do throws(UnprovenReason) {
                    take(try verified(answers[index], question), question)
                    return true
                } catch {
                    reason = error.words
                    return false
                }
            }
            if !isProven { lack(question.address, question.values, reason) }
        }
    }

    /// Notes values that are not proven.
    mutating func lack(_ address: Address?, _ values: Int, _ reason: String) {
        let reason = PlainText.clean(reason, limit: StateProof.maximumWords)
        if let place = gaps.firstIndex(where: { $0.address == address && $0.reason == reason }) {
            gaps[place].values += values
        } else {
            gaps.append(StateProof.Gap(address: address, values: values, reason: reason))
        }
    }

    /// Notes that a value is not proven after all.
    mutating func drop(_ key: StateKey, _ reason: String) {
        switch key {
        case .account(let address):
            accounts[address] = nil
            lack(address, 1, reason)
        case .word(let slot, let address):
            words[address]?[slot] = nil
            lack(address, 1, reason)
        case .code, .blockHash: break
        }
    }

    private struct UnprovenReason: Error { let words: String }

    private func verified(
        _ answer: Result<AccountProof, ChainError>,
        _ question: ProofQuestion
    ) throws(UnprovenReason) -> ProvenAccount {
        let proof: AccountProof
        do throws(ChainError) {
            proof = try answer.get()
        } catch {
            throw UnprovenReason(words: "the node does not give the proof: \(error.reason)")
        }
        guard proof.address == question.address,
            proof.storage.map(\.slot) == question.slots.map(\.word)
        else { throw UnprovenReason(words: "the node's proof is of something else") }
        do throws(ProofError) {
            return try proof.verified(in: header.stateRoot)
        } catch {
            let words = error.description
            throw UnprovenReason(
                words:
                    "the node's proof is none: \(words.hasSuffix(".") ? String(words.dropLast()) : words)"
            )
        }
    }

    private mutating func take(_ proven: ProvenAccount, _ question: ProofQuestion) {
        if question.wantsAccount { accounts[question.address] = proven.account }
        for slot in question.slots {
            words[question.address, default: [:]][slot] = proven.words[slot.word] ?? .zero
        }
    }

    // MARK: Claims

    /// What a state says of a value where the header proves something else; nil if it does not.
    func contradiction(
        _ key: StateKey,
        in state: FetchedState
    ) -> (subject: StateLie.Subject, claimed: String, proven: String)? {
        switch key {
        case .word(let slot, let address):
            guard let claimed = state.value(at: slot, of: address),
                let proven = word(slot, of: address), claimed != proven
            else { return nil }
            return (.word(slot: slot.word, of: address), claimed.word.hex, proven.word.hex)
        case .account(let address):
            guard let claimed = state.record(of: address), let proven = account(address) else {
                return nil
            }
            if claimed.codeHash != proven.codeHash {
                return (.code(address), claimed.codeHash.hex, proven.codeHash.hex)
            }
            if claimed.nonce != proven.nonce {
                return (.nonce(address), "\(claimed.nonce)", "\(proven.nonce)")
            }
            guard claimed.balance != proven.balance else { return nil }
            return (
                .ether(address), "\(claimed.balance.rawValue) wei",
                "\(proven.balance.rawValue) wei"
            )
        case .blockHash(let number):
            guard let claimed = state.hashes[number], let proven = hash(of: number),
                claimed != proven
            else { return nil }
            return (.blockHash(number), claimed.hex, proven.hex)
        case .code: return nil
        }
    }

    /// The keys of which a state says something else.
    func contradictions(in state: FetchedState, _ keys: Set<StateKey>) -> Set<StateKey> {
        keys.filter { contradiction($0, in: state) != nil }
    }

    // MARK: A state

    /// The proven values as a state; the code of an account comes from what nodes said, by its hash.
    ///
    /// What is not proven is taken from the first of the states, and an account whose code none of
    /// them has is not proven.
    mutating func state(_ keys: Set<StateKey>, over states: [FetchedState]) -> FetchedState {
        let state = FetchedState(producer: header.beneficiary)
        for key in keys {
            switch key {
            case .account(let address):
                if let account = account(address) {
                    let code =
                        account.codeHash == StateAccount.emptyCodeHash
                        ? [] : states.lazy.compactMap { $0.bytes(of: account.codeHash) }.first
                    if let code {
                        state.set(
                            address,
                            AccountRecord(
                                nonce: account.nonce,
                                balance: account.balance,
                                codeHash: account.codeHash
                            ),
                            code: code
                        )
                        continue
                    }
                    drop(key, "no node gives the code of the proven hash")
                }
                if let record = states.first?.record(of: address),
                    let code = states.first?.bytes(of: record.codeHash)
                {
                    state.set(address, record, code: code)
                }
            case .word(let slot, let address):
                if let word = word(slot, of: address)
                    ?? states.first?.value(at: slot, of: address)
                {
                    state.set(word, at: slot, of: address)
                }
            case .blockHash(let number):
                if let hash = hash(of: number) ?? states.first?.hashes[number] {
                    state.set(hash, of: number)
                }
            case .code: break
            }
        }
        return state
    }

    // MARK: The report

    /// - Parameter keys: what the transaction rests on.
    func report(_ keys: Set<StateKey>) -> StateProof {
        var proof = StateProof(block: header.number, hash: header.hash, nodes: nodes, gaps: gaps)
        var hashes = 0
        for key in keys {
            switch key {
            case .account(let address): proof.accounts += accounts[address] == nil ? 0 : 1
            case .word(let slot, let address):
                proof.words += word(slot, of: address) == nil ? 0 : 1
            case .blockHash(let number): hashes += hash(of: number) == nil ? 1 : 0
            case .code: break
            }
        }
        proof.gaps.sort {
            ($0.address ?? .zero, $0.reason) < ($1.address ?? .zero, $1.reason)
        }
        if hashes > 0 {
            proof.gaps.append(
                StateProof.Gap(
                    address: nil,
                    values: hashes,
                    reason: "no header of an earlier block is asked for"
                )
            )
        }
        if isEmpty {
            proof.failure = gaps.first.map(\.reason) ?? "there is nothing to prove"
        }
        return proof
    }
}
