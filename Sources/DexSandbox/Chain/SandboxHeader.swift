import Ethereum

/// What differs in the headers of this chain: all else is the same in each block.
struct SandboxHeader: Hashable, Sendable {
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

    static let extraData = Array("dex sandbox".utf8)

    /// The header with all fields of today's Ethereum headers (Prague).
    var header: BlockHeader {
        BlockHeader(
            parentHash: BlockHash(parentHash),
            beneficiary: coinbase,
            stateRoot: stateRoot,
            transactionsRoot: transactionsRoot,
            receiptsRoot: receiptsRoot,
            logsBloom: bloom,
            number: number,
            gasLimit: gasLimit,
            gasUsed: gasUsed,
            timestamp: timestamp,
            extraData: Self.extraData,
            london: BlockHeader.London(
                baseFeePerGas: Wei(UInt256(baseFee)),
                shanghai: BlockHeader.Shanghai(
                    withdrawalsRoot: MerkleTrie.emptyRoot,
                    cancun: BlockHeader.Cancun(
                        blobGasUsed: 0,
                        excessBlobGas: 0,
                        parentBeaconBlockRoot: .zero,
                        prague: BlockHeader.Prague(requestsHash: BlockHeader.noRequests)
                    )
                )
            )
        )
    }

    /// The base fee of the next block (EIP-1559), in wei per gas; at most 2^64 - 1.
    var nextBaseFee: UInt64 {
        let next = BaseFee.next(
            after: Wei(UInt256(baseFee)),
            gasUsed: gasUsed,
            gasLimit: gasLimit
        )
        // Of 64 bits each, the product stays below 256: it is never nil.
        return next?.rawValue.uint64 ?? .max
    }

    /// The header as RLP, 21 fields.
    var rlp: RLP {
        header.rlp
    }
}

extension SandboxHeader {
    /// A header from its RLP; nil for anything that `rlp` never writes.
    init?(rlp: RLP) {
        guard let header = try? BlockHeader(rlp: rlp),  // nil: no header
            let baseFee = header.baseFeePerGas?.rawValue.uint64
        else { return nil }
        self.init(
            parentHash: header.parentHash.word,
            coinbase: header.beneficiary,
            stateRoot: header.stateRoot,
            transactionsRoot: header.transactionsRoot,
            receiptsRoot: header.receiptsRoot,
            bloom: header.logsBloom,
            number: header.number,
            gasLimit: header.gasLimit,
            gasUsed: header.gasUsed,
            timestamp: header.timestamp,
            baseFee: baseFee
        )
        guard self.header == header else { return nil }
    }
}
