import Ethereum

/// A key of the chain's state: a field of an account or a slot of a contract's storage.
///
/// Nonces and ether are slots too, so that one journal undoes everything.
struct StorageKey: Hashable, Sendable {
    let address: Address
    let slot: Slot

    init(_ address: Address, _ slot: Slot) {
        self.address = address
        self.slot = slot
    }
}

/// The kind of value at an address.
///
/// Contracts name their slots by meaning; `word` is the slot in Solidity's layout, so that
/// access lists work as on a real chain.
enum Slot: Hashable, Sendable {
    /// Account fields, no storage: wei, and the number of transactions sent.
    case ether
    case nonce
    /// `balances[owner]` and `allowed[owner][spender]` of a token.
    case balance(Address)
    case allowance(owner: Address, spender: Address)
    /// The token's total supply.
    case supply
    /// `filled[hash]` and `cancelled[hash]` of the exchange, `authorized[address]` of the proxy.
    case filled(Bytes32)
    case cancelled(Bytes32)
    case authorized(Address)
    /// A slot by its number: addresses of the exchange, flags of a token.
    case fixed(Bytes32)

    /// The slot's number: mappings hash their key as Solidity does; nil for account fields.
    var word: Bytes32? {
        switch self {
        case .ether, .nonce: nil
        case .balance(let owner): Self.mapping(owner.word, at: UInt256(0).word)
        case .allowance(let owner, let spender):
            Self.mapping(spender.word, at: Self.mapping(owner.word, at: UInt256(1).word))
        case .supply: UInt256(2).word
        case .filled(let hash): Self.mapping(hash, at: UInt256(2).word)
        case .cancelled(let hash): Self.mapping(hash, at: UInt256(3).word)
        case .authorized(let address): Self.mapping(address.word, at: UInt256(1).word)
        case .fixed(let word): word
        }
    }

    /// `keccak256(key ++ position)`: the slot of a mapping's value in Solidity.
    static func mapping(_ key: Bytes32, at position: Bytes32) -> Bytes32 {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(64)
        key.append(to: &bytes)
        position.append(to: &bytes)
        return Keccak256.hash(bytes)
    }
}

extension StorageKey {
    /// The key as bytes, for the store: the address, a byte for the kind, and its arguments.
    var encoded: [UInt8] {
        var bytes = address.bytes
        switch slot {
        case .ether: bytes.append(0)
        case .nonce: bytes.append(1)
        case .balance(let owner): bytes += [2] + owner.bytes
        case .allowance(let owner, let spender): bytes += [3] + owner.bytes + spender.bytes
        case .supply: bytes.append(4)
        case .filled(let hash): bytes += [5] + hash.bytes
        case .cancelled(let hash): bytes += [6] + hash.bytes
        case .authorized(let address): bytes += [7] + address.bytes
        case .fixed(let word): bytes += [8] + word.bytes
        }
        return bytes
    }

    /// A key from its bytes; nil for bytes that `encoded` never writes.
    init?(encoded bytes: [UInt8]) {
        guard bytes.count > 20, let address = Address(bytes: bytes[..<20]) else { return nil }
        let rest = bytes[21...]
        let first = Address(bytes: rest.prefix(20))
        let word = Bytes32(bytes: rest)
        let slot: Slot? =
            switch (bytes[20], rest.count) {
            case (0, 0): .ether
            case (1, 0): .nonce
            case (2, 20): first.map { .balance($0) }
            case (3, 40):
                if let first, let second = Address(bytes: rest.suffix(20)) {
                    .allowance(owner: first, spender: second)
                } else {
                    nil
                }
            case (4, 0): .supply
            case (5, 32): word.map { .filled($0) }
            case (6, 32): word.map { .cancelled($0) }
            case (7, 20): first.map { .authorized($0) }
            case (8, 32): word.map { .fixed($0) }
            default: nil
            }
        guard let slot else { return nil }
        self.init(address, slot)
    }
}
