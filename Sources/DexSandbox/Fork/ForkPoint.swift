package import Ethereum

/// The block of a live chain on whose state a fork goes on.
package struct ForkPoint: Hashable, Sendable {
    /// Of the live chain.
    package let chainID: UInt64
    package let block: Block

    /// The rules of the chain at the block, which all blocks of the fork have.
    package var revision: Revision { .of(chain: chainID, time: block.timestamp) }

    /// For the store.
    package var encoded: [UInt8] {
        RLP.list([
            .integer(UInt256(chainID)), .integer(UInt256(block.number)),
            .bytes(block.hash.word.bytes), .bytes(block.parentHash.word.bytes),
            .integer(UInt256(block.timestamp)), .integer((block.baseFeePerGas ?? .zero).rawValue),
            .integer(UInt256(block.gasLimit)), .integer(UInt256(block.gasUsed)),
            .bytes((block.coinbase ?? .zero).bytes), .bytes((block.random ?? .zero).bytes),
        ]).encoded
    }
}

extension ForkPoint {
    /// A point from its bytes; nil for bytes that `encoded` never writes.
    package init?(encoded: [UInt8]) {
        guard case .list(let fields)? = try? RLP.decode(encoded),  // nil: damaged
            fields.count == 10, let chainID = fields[0].unsignedInteger?.uint64,
            let number = fields[1].unsignedInteger?.uint64, let hash = fields[2].word,
            let parent = fields[3].word, let timestamp = fields[4].unsignedInteger?.uint64,
            let baseFee = fields[5].unsignedInteger,
            let gasLimit = fields[6].unsignedInteger?.uint64,
            let gasUsed = fields[7].unsignedInteger?.uint64, let coinbase = fields[8].address,
            let random = fields[9].word
        else { return nil }
        self.init(
            chainID: chainID,
            block: Block(
                number: number,
                hash: BlockHash(hash),
                parentHash: BlockHash(parent),
                timestamp: timestamp,
                baseFeePerGas: Wei(baseFee),
                gasLimit: gasLimit,
                gasUsed: gasUsed,
                coinbase: coinbase,
                random: random
            )
        )
    }
}

extension BlockRecord {
    /// A block of a live chain, as far as it is known: its transactions and roots stay there.
    init(_ block: Block) {
        self.init(
            header: SandboxHeader(
                parentHash: block.parentHash.word,
                coinbase: block.coinbase ?? .zero,
                stateRoot: .zero,
                transactionsRoot: MerkleTrie.emptyRoot,
                receiptsRoot: MerkleTrie.emptyRoot,
                bloom: .empty,
                number: block.number,
                // A chain whose blocks have no limit in practice would let a call run for hours.
                gasLimit: min(block.gasLimit, ForkSource.maximumGas),
                gasUsed: min(block.gasUsed, block.gasLimit, ForkSource.maximumGas),
                timestamp: block.timestamp,
                baseFee: block.baseFeePerGas?.rawValue.uint64 ?? 0
            ),
            hash: block.hash
        )
    }
}
