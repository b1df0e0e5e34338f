/// A field of a header, by its name in JSON-RPC.
public enum HeaderField: String, Hashable, Sendable, CaseIterable {
    case parentHash
    case ommersHash = "sha3Uncles"
    case beneficiary = "miner"
    case stateRoot
    case transactionsRoot
    case receiptsRoot
    case logsBloom
    case difficulty
    case number
    case gasLimit
    case gasUsed
    case timestamp
    case extraData
    case mixHash
    case nonce
    case baseFeePerGas
    case withdrawalsRoot
    case blobGasUsed
    case excessBlobGas
    case parentBeaconBlockRoot
    case requestsHash
    case blockAccessListHash
    case slotNumber
    /// The hash of all the others, which no header contains.
    case hash
}

extension HeaderField {
    /// What the field must be.
    var expectation: String {
        switch self {
        case .parentHash, .ommersHash, .stateRoot, .transactionsRoot, .receiptsRoot, .mixHash,
            .withdrawalsRoot, .parentBeaconBlockRoot, .requestsHash, .blockAccessListHash, .hash:
            "32 bytes"
        case .beneficiary: "an address"
        case .logsBloom: "256 bytes"
        case .difficulty, .baseFeePerGas: "a number of at most 256 bits"
        case .number, .gasLimit, .gasUsed, .timestamp, .blobGasUsed, .excessBlobGas, .slotNumber:
            "a number of at most 64 bits"
        case .extraData: "bytes"
        case .nonce: "8 bytes"
        }
    }
}

/// The reason why something is not a header that can be verified.
///
/// That need not be a lie: a chain may have fields of its own, which its hashes contain.
public enum HeaderError: Error, Hashable, Sendable, CustomStringConvertible {
    case noObject
    case noList
    case rlp(RLPError)
    case fieldCount(Int)
    case missing(HeaderField)
    case malformed(HeaderField)
    /// A field of a later fork is there, one of an earlier fork or of its own is not.
    case gap(HeaderField, without: HeaderField)
    case longExtraData
    case wrongHash(computed: BlockHash, claimed: BlockHash)

    /// The message shown to the user.
    public var description: String {
        switch self {
        case .noObject: "The block is not an object, so its header cannot be verified."
        case .noList: "The header is not an RLP list."
        case .rlp(let error): "The header is not valid RLP. \(error)"
        case .fieldCount(let count):
            "The header has \(count) fields; 15, 16, 17, 20, 21 or 23 are expected, by its fork."
        case .missing(let field):
            "The header cannot be verified: it has no \(field.rawValue)."
        case .malformed(let field):
            "The header cannot be verified: its \(field.rawValue) is not \(field.expectation)."
        case .gap(let field, let missing):
            "The header cannot be verified: it has \(field.rawValue) and no \(missing.rawValue), which "
                + "no fork of Ethereum has."
        case .longExtraData:
            "The header cannot be verified: its extraData is longer than "
                + "\(BlockHeader.maximumExtraData) bytes."
        case .wrongHash(let computed, let claimed):
            "The header cannot be verified: its fields hash to \(computed), and the node claims "
                + "\(claimed). One of them is wrong, or this chain has fields that dex does not know."
        }
    }
}
