import Ethereum
import ZeroEx

/// Splits a cancel of many orders into the fewest transactions that fit nodes and blocks.
struct CancelBatches {
    let exchangeProtocol: any ExchangeProtocol
    var rules = FeeRules()

    /// The most bytes of call data: nodes accept transactions up to 128 KiB, and the other fields
    /// need less than 1 KiB.
    private static let maximumBytes = 127 * 1_024

    /// The orders in their order, split as evenly as possible.
    func batches(
        _ orders: [any SignedOrder],
        contracts: ExchangeContracts,
        block: Block
    ) -> [[any SignedOrder]] {
        let gas = rules.safeGas(in: block)
        let revision = rules.revision(in: block)
        var count = 1
        while true {
            let size = (orders.count + count - 1) / count
            guard size > 1 else { break }
            let call = exchangeProtocol.cancelCall(Array(orders.prefix(size)), contracts: contracts)
            // The gas limit is a tenth above the estimate.
            if call.data.count <= Self.maximumBytes, call.gasFloor.units(revision) <= gas / 11 * 10
            {
                break
            }
            count += 1
        }
        let size = max(1, (orders.count + count - 1) / count)
        return stride(from: 0, to: orders.count, by: size).map { start in
            Array(orders[start..<min(start + size, orders.count)])
        }
    }

    /// The warning for a plan of several transactions.
    static func warnings(_ batches: [[any SignedOrder]]) -> [String] {
        guard batches.count > 1 else { return [] }
        let sum = batches.reduce(0) { $0 + $1.count }
        return [
            "\(sum) orders are too many for one transaction: they are cancelled in \(batches.count), "
                + "one after another, and until the last is mined the rest can still be filled."
        ]
    }
}
