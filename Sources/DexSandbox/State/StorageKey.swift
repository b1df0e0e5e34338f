import EVM
import Ethereum

/// A key of the chain's state: a field of an account, or a word of its storage.
///
/// Fields are keys too, so that one undo record has everything.
struct StorageKey: Hashable, Sendable {
    let address: Address
    let slot: Slot

    init(_ address: Address, _ slot: Slot) {
        self.address = address
        self.slot = slot
    }
}

/// The kind of value at an address.
enum Slot: Hashable, Sendable {
    /// Wei.
    case ether
    /// The number of transactions sent; of a contract one more than it created.
    case nonce
    /// keccak-256 of the code; zero where there is none.
    case code
    case word(UInt256)
}

extension StorageKey {
    private static let wordBytes = 32

    /// The key as bytes, for the store: the address, a byte for the kind, and of a word its place.
    var encoded: [UInt8] {
        var bytes = address.bytes
        switch slot {
        case .ether: bytes.append(0)
        case .nonce: bytes.append(1)
        case .code: bytes.append(2)
        case .word(let place):
            bytes.append(3)
            place.word.append(to: &bytes)
        }
        return bytes
    }

    /// A key from its bytes; nil for bytes that `encoded` never writes.
    init?(encoded bytes: [UInt8]) {
        guard bytes.count > 20, let address = Address(bytes: bytes[..<20]) else { return nil }
        let rest = bytes[21...]
        let slot: Slot? =
            switch (bytes[20], rest.count) {
            case (0, 0): .ether
            case (1, 0): .nonce
            case (2, 0): .code
            case (3, Self.wordBytes): UInt256(bigEndian: rest).map { .word($0) }
            default: nil
            }
        guard let slot else { return nil }
        self.init(address, slot)
    }
}
