import EVM
import Ethereum

extension SandboxChain {
    /// The suggested tip without recent transactions: one gwei.
    static let defaultTip: UInt256 = 1_000_000_000
    /// The number of blocks for the suggested tip, and its percentile, as in geth.
    static let tipBlocks = 20
    static let tipPercentile = 60
    /// The maximum number of blocks in a fee history, as in geth.
    static let maximumFeeHistory = 1_024

    /// eth_gasPrice: the next base fee and the suggested tip.
    var gasPrice: Wei {
        Wei(nextContext.baseFee.rawValue + suggestedTip)
    }

    /// eth_maxPriorityFeePerGas: the 60th percentile of recent transactions' tips.
    var suggestedTip: UInt256 {
        var tips: [UInt64] = []
        for block in blocks.suffix(Self.tipBlocks) {
            for hash in block.transactions {
                guard let record = mined[hash] else { continue }
                tips.append(record.outcome.gasPrice - block.header.baseFee)
            }
        }
        guard !tips.isEmpty else { return Self.defaultTip }
        tips.sort()
        return UInt256(tips[(tips.count - 1) * Self.tipPercentile / 100])
    }

    /// eth_feeHistory.
    ///
    /// - Parameter percentiles: in thousandths of a percent, ascending, at most 100,000.
    /// - Returns: the history, and for each block gas used and gas limit.
    /// - Throws: `NodeError` for percentiles out of range or order.
    func feeHistory(
        blocks count: Int,
        newest: BlockTag,
        percentiles: [UInt64]
    ) throws(NodeError) -> (history: FeeHistory, gas: [(used: UInt64, limit: UInt64)]) {
        for (index, percentile) in percentiles.enumerated() {
            guard percentile <= 100_000 else {
                throw .refused("invalid reward percentile: \(percentile / 1000)")
            }
            guard index == 0 || percentiles[index - 1] <= percentile else {
                throw .refused("invalid reward percentile: percentiles must ascend")
            }
        }
        let last = try number(of: newest)
        guard count > 0 else {
            return (FeeHistory(oldestBlock: last, baseFeePerGas: [], rewards: []), [])
        }
        let wanted = UInt64(min(count, Self.maximumFeeHistory))
        let oldest = max(first, last + 1 >= wanted ? last + 1 - wanted : 0)
        let range = blocks[index(oldest)...index(last)]
        work(UInt64(range.count) * UInt64(percentiles.count + 1) * Self.workOfBlock)
        var baseFees = range.map { Wei(UInt256($0.header.baseFee)) }
        let header = blocks[index(last)].header
        let isNewest = header.number == head.header.number
        baseFees.append(isNewest ? nextContext.baseFee : Wei(UInt256(header.nextBaseFee)))
        let rewards =
            percentiles.isEmpty ? [] : range.map { tips(in: $0, percentiles: percentiles) }
        return (
            FeeHistory(oldestBlock: oldest, baseFeePerGas: baseFees, rewards: rewards),
            range.map { ($0.header.gasUsed, $0.header.gasLimit) }
        )
    }

    /// The tips at percentiles of a block's gas.
    private func tips(in block: BlockRecord, percentiles: [UInt64]) -> [Wei] {
        let paid = block.transactions.compactMap { mined[$0]?.outcome }
            .map { (tip: $0.gasPrice - block.header.baseFee, gas: $0.gasUsed) }
            .sorted { $0.tip < $1.tip }
        guard let first = paid.first else { return percentiles.map { _ in .zero } }
        var index = 0
        var sum = first.gas
        return percentiles.map { percentile in
            // A block has far less gas than 2^64 / 100,000.
            let threshold = block.header.gasUsed * percentile / 100_000
            while sum < threshold, index + 1 < paid.count {
                index += 1
                sum += paid[index].gas
            }
            return Wei(UInt256(paid[index].tip))
        }
    }
}
