import Ethereum

/// The header of a block, with all fields of today's Ethereum headers (Prague).
///
/// Its hash is the Keccak-256 hash of its RLP encoding, as on Ethereum. The roots differ: they are
/// not Merkle-Patricia tries. `stateRoot` is `keccak(parent's stateRoot ++ the block's changes)`,
/// and the roots of transactions and receipts are the hashes of their RLP lists.
struct BlockHeader: Hashable, Sendable {
    var parentHash: Bytes32
    var coinbase: Address
    var stateRoot: Bytes32
    var transactionsRoot: Bytes32
    var receiptsRoot: Bytes32
    var bloom: Bloom
    var number: UInt64
    var gasLimit: UInt64
    var gasUsed: UInt64
    var timestamp: UInt64
    var baseFee: UInt64

    /// `keccak256(rlp([]))`: a block without uncles.
    static let noUncles = Keccak256.hash(RLP.list([]).encoded)
    /// The root of an empty trie: a block without withdrawals.
    static let emptyRoot = Keccak256.hash(RLP.bytes([]).encoded)
    /// SHA-256 of nothing: a block without requests (EIP-7685).
    static let noRequests = Bytes32(
        limbs: (
            0xe3b0_c442_98fc_1c14, 0x9afb_f4c8_996f_b924, 0x27ae_41e4_649b_934c,
            0xa495_991b_7852_b855
        )
    )
    static let extraData = Array("dex sandbox".utf8)

    /// The header as RLP, 21 fields.
    var rlp: RLP {
        .list([
            .bytes(parentHash.bytes),
            .bytes(Self.noUncles.bytes),
            .bytes(coinbase.bytes),
            .bytes(stateRoot.bytes),
            .bytes(transactionsRoot.bytes),
            .bytes(receiptsRoot.bytes),
            .bytes(bloom.bytes),
            .integer(.zero),  // difficulty
            .integer(UInt256(number)),
            .integer(UInt256(gasLimit)),
            .integer(UInt256(gasUsed)),
            .integer(UInt256(timestamp)),
            .bytes(Self.extraData),
            .bytes(Bytes32.zero.bytes),  // mixHash
            .bytes(Array(repeating: 0, count: 8)),  // nonce
            .integer(UInt256(baseFee)),
            .bytes(Self.emptyRoot.bytes),  // withdrawalsRoot
            .integer(.zero),  // blobGasUsed
            .integer(.zero),  // excessBlobGas
            .bytes(Bytes32.zero.bytes),  // parentBeaconBlockRoot
            .bytes(Self.noRequests.bytes),
        ])
    }
}

extension BlockHeader {
    /// A header from its RLP; nil for anything that `rlp` never writes.
    init?(rlp: RLP) {
        guard case .list(let fields) = rlp, fields.count == 21 else { return nil }
        guard let parentHash = fields[0].word, let coinbase = fields[2].address,
            let stateRoot = fields[3].word, let transactionsRoot = fields[4].word,
            let receiptsRoot = fields[5].word, case .bytes(let bloomBytes) = fields[6],
            let bloom = Bloom(bytes: bloomBytes), let number = fields[8].uint64,
            let gasLimit = fields[9].uint64, let gasUsed = fields[10].uint64,
            let timestamp = fields[11].uint64, let baseFee = fields[15].uint64
        else { return nil }
        self.init(
            parentHash: parentHash,
            coinbase: coinbase,
            stateRoot: stateRoot,
            transactionsRoot: transactionsRoot,
            receiptsRoot: receiptsRoot,
            bloom: bloom,
            number: number,
            gasLimit: gasLimit,
            gasUsed: gasUsed,
            timestamp: timestamp,
            baseFee: baseFee
        )
    }
}

extension RLP {
    var word: Bytes32? {
        guard case .bytes(let bytes) = self else { return nil }
        return Bytes32(bytes: bytes)
    }

    var address: Address? {
        guard case .bytes(let bytes) = self else { return nil }
        return Address(bytes: bytes)
    }

    var number: UInt256? {
        guard case .bytes(let bytes) = self else { return nil }
        return UInt256(bigEndian: bytes)
    }

    var uint64: UInt64? {
        number?.uint64
    }
}
