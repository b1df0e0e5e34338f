import EVM
import Ethereum

/// The gas payment of a simulated call, by geth's rules.
///
/// Without a price it pays nothing; otherwise the caller must own the whole amount.
///
/// Source: https://github.com/ethereum/go-ethereum/blob/v1.15.11/core/state_transition.go
struct CallPayment {
    /// The price of a unit of gas in wei: `tx.gasprice`.
    let price: UInt256
    private let from: Address
    private let gas: UInt64
    private let value: UInt256
    /// The maximum price of a unit; nil if no price was given.
    private let cap: Wei?

    /// - Throws: `NodeError` if no block would accept the price.
    init(_ request: CallMessage, gas: UInt64, in block: BlockContext) throws(NodeError) {
        from = request.from ?? .zero
        self.gas = gas
        value = request.value.rawValue
        let base = block.baseFee.rawValue
        guard let fee = request.fee else {
            (price, cap) = (.zero, nil)
            return
        }
        let (maximum, tip) = (fee.maximum, fee.tip ?? fee.maximum)
        guard maximum >= tip else {
            throw .refused(
                "err: max priority fee per gas higher than max fee per gas: address "
                    + "\(from.checksummed), maxPriorityFeePerGas: \(tip), maxFeePerGas: \(maximum) "
                    + "(supplied gas \(gas))"
            )
        }
        guard let room = maximum.subtracting(Wei(base)) else {
            throw .refused(
                "err: max fee per gas less than block base fee: address \(from.checksummed), "
                    + "maxFeePerGas: \(maximum), baseFee: \(base) (supplied gas \(gas))"
            )
        }
        cap = maximum
        // No more than `maximum`, so it does not overflow.
        price = base.addingSaturating(min(room, tip).rawValue)
    }

    /// Checks that the caller can pay for all the gas.
    ///
    /// - Throws: `NodeError` if the caller does not own its price in addition to the value.
    func check(_ ether: UInt256) throws(NodeError) {
        guard let cap else { return }
        let needed = cap.multiplied(by: UInt256(gas))?.adding(Wei(value))
        // No account can pay a price above 64 bits.
        guard let needed, needed.rawValue <= ether, price.uint64 != nil else {
            throw .refused(
                "err: insufficient funds for gas * price + value: address \(from.checksummed) "
                    + "have \(ether) want \(needed?.description ?? "more than 256 bits") "
                    + "(supplied gas \(gas))",
                as: ChainError.unaffordable
            )
        }
    }

    /// The gas that the caller can pay, the bound of eth_estimateGas's search.
    static func affordable(_ request: CallMessage, ether: UInt256, maximum: UInt64) -> UInt64 {
        guard let cap = request.fee?.maximum, cap != .zero,
            let left = Wei(ether).subtracting(request.value)
        else { return maximum }
        return min((left.rawValue / cap.rawValue).uint64 ?? .max, maximum)
    }
}
