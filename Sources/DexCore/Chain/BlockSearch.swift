import Ethereum

struct BlockSearch {
    let session: Session

    /// The last block not after a time, else block 0, by bisection: one request per step.
    ///
    /// - Parameter time: seconds since 1970.
    /// - Throws: `DexError`, exit 4, if the node does not return a block.
    func lastBlock(notAfter time: UInt64, head: Block) async throws(DexError) -> UInt64 {
        guard head.timestamp > time else { return head.number }
        var low: UInt64 = 0
        var high = head.number
        while high - low > 1 {
            let middle = low + (high - low) / 2
            if try await timestamp(of: middle) <= time { low = middle } else { high = middle }
        }
        return low
    }

    private func timestamp(of number: UInt64) async throws(DexError) -> UInt64 {
        let block: Block?
        do throws(ChainError) {
            block = try await session.chain.read(.block(.number(number)))
        } catch {
            throw DexError(error)
        }
        guard let block else {
            throw DexError(ChainError.nonsense("it does not have the block \(number)"))
        }
        return block.timestamp
    }
}
