package import Ethereum

/// A block as it goes to another machine, before anything of it is verified.
package struct SharedBlock: Hashable, Sendable {
    /// What the sender says the header's hash is.
    package var hash: BlockHash
    /// The header's RLP.
    package var header: [UInt8]
    /// The signed transactions' bytes, in order.
    package var transactions: [[UInt8]]

    /// What its header says of its parent; zero if the header cannot be read.
    package var parentHash: BlockHash {
        guard header.count <= BlockBatch.maximumHeaderBytes,
            let rlp = try? RLP.decode(header),  // nil: no RLP
            let read = SandboxHeader(rlp: rlp)
        else { return BlockHash(.zero) }
        return BlockHash(read.parentHash)
    }

    /// The bytes of its parts.
    package var size: Int { transactions.reduce(header.count) { $0 + $1.count } }
}

/// Consecutive blocks, with the sender's newest one.
///
/// The encoding is big-endian: 4 bytes "dxb1", the newest block's number (8) and hash (32), the
/// number of blocks (2), then for each block its hash (32), the length of its header (2), the header,
/// the number of its transactions (2), and for each its length (4) and bytes. There is no nesting and
/// every count is bounded, so that decoding takes no more memory than the bytes themselves.
package struct BlockBatch: Hashable, Sendable {
    package var newest: UInt64
    package var newestHash: BlockHash
    package var blocks: [SharedBlock]

    /// The most blocks of a batch.
    package static let maximumBlocks = 128
    /// A batch gets no further block once it has this many bytes.
    static let fullBytes = 2 << 20
    /// The most bytes of an encoded batch: a full one and the largest block.
    package static let maximumBytes = 8 << 20
    static let maximumHeaderBytes = 1_024
    /// More than fit into a block's gas.
    static let maximumTransactions = 2_000
    private static let mark = Array("dxb1".utf8)

    package init(newest: UInt64, newestHash: BlockHash, blocks: [SharedBlock]) {
        self.newest = newest
        self.newestHash = newestHash
        self.blocks = blocks
    }

    package var encoded: [UInt8] {
        var output = Self.mark
        Self.append(newest, bytes: 8, to: &output)
        output += newestHash.word.bytes
        Self.append(UInt64(blocks.count), bytes: 2, to: &output)
        for block in blocks {
            output += block.hash.word.bytes
            Self.append(UInt64(block.header.count), bytes: 2, to: &output)
            output += block.header
            Self.append(UInt64(block.transactions.count), bytes: 2, to: &output)
            for raw in block.transactions {
                Self.append(UInt64(raw.count), bytes: 4, to: &output)
                output += raw
            }
        }
        return output
    }

    private static func append(_ number: UInt64, bytes: Int, to output: inout [UInt8]) {
        for index in (0..<bytes).reversed() {
            output.append(UInt8(truncatingIfNeeded: number >> (8 * UInt64(index))))
        }
    }

    /// A batch from its bytes; nil for anything that `encoded` never writes, or beyond the limits.
    package init?(_ bytes: [UInt8]) {
        guard bytes.count <= Self.maximumBytes else { return nil }
        var reader = Reader(bytes: bytes)
        guard reader.take(4) == Self.mark[...], let newest = reader.number(8),
            let newestHash = reader.hash(), let count = reader.number(2),
            count <= UInt64(Self.maximumBlocks)
        else { return nil }
        var blocks: [SharedBlock] = []
        for _ in 0..<count {
            guard let hash = reader.hash(), let length = reader.number(2),
                length <= UInt64(Self.maximumHeaderBytes), let header = reader.take(Int(length)),
                let transactions = reader.number(2),
                transactions <= UInt64(Self.maximumTransactions)
            else { return nil }
            var block = SharedBlock(hash: hash, header: Array(header), transactions: [])
            for _ in 0..<transactions {
                guard let length = reader.number(4),
                    length <= UInt64(SandboxChain.maximumTransactionSize),
                    let raw = reader.take(Int(length))
                else { return nil }
                block.transactions.append(Array(raw))
            }
            blocks.append(block)
        }
        guard reader.isAtEnd else { return nil }
        self.init(newest: newest, newestHash: newestHash, blocks: blocks)
    }

    private struct Reader {
        let bytes: [UInt8]
        var position = 0

        var isAtEnd: Bool { position == bytes.count }

        mutating func take(_ count: Int) -> ArraySlice<UInt8>? {
            guard count >= 0, count <= bytes.count - position else { return nil }
            defer { position += count }
            return bytes[position..<position + count]
        }

        /// Up to 8 bytes.
        mutating func number(_ count: Int) -> UInt64? {
            take(count)?.reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        }

        mutating func hash() -> BlockHash? {
            take(32).flatMap { Bytes32(bytes: Array($0)) }.map { BlockHash($0) }
        }
    }
}
