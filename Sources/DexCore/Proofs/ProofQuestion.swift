import EVM
import Ethereum

/// One eth_getProof: an account, and words of its storage.
struct ProofQuestion: Hashable {
    let address: Address
    let slots: [UInt256]
    /// The account itself is wanted, not only its words.
    let wantsAccount: Bool

    /// The most words of one question; nodes take up to 1,000.
    static let maximumSlots = 500

    /// How many values it is about.
    var values: Int { slots.count + (wantsAccount ? 1 : 0) }

    func read(at block: BlockTag) -> Read<AccountProof> {
        .proof(address, slots.map(\.word), block)
    }

    /// The questions about accounts and words, in the order of the addresses and slots.
    static func list(_ keys: Set<StateKey>) -> [ProofQuestion] {
        var slots: [Address: [UInt256]] = [:]
        var accounts: Set<Address> = []
        for key in keys {
            switch key {
            case .account(let address):
                accounts.insert(address)
                slots[address, default: []] += []
            case .word(let slot, let address): slots[address, default: []].append(slot)
            case .code, .blockHash: break
            }
        }
        return slots.keys.sorted().flatMap { address -> [ProofQuestion] in
            let sorted = (slots[address] ?? []).sorted()
            let starts = stride(from: 0, to: max(1, sorted.count), by: maximumSlots)
            return starts.map { start in
                ProofQuestion(
                    address: address,
                    slots: Array(sorted.dropFirst(start).prefix(maximumSlots)),
                    wantsAccount: start == 0 && accounts.contains(address)
                )
            }
        }
    }
}
