/// The price of gas that a block burns, as it follows from the block before it.
///
/// Source: https://eips.ethereum.org/EIPS/eip-1559
public enum BaseFee {
    /// A block may use so many times its target.
    public static let elasticity: UInt64 = 2
    /// The fee moves by at most a fraction of one to this.
    public static let changeDenominator: UInt64 = 8

    /// The base fee of the block after one, in wei per gas, on Ethereum and chains with its numbers.
    ///
    /// OP Stack chains have others, in `extraData`.
    ///
    /// Example: after a full block at 8 wei it is 9 wei, after an empty one 7.
    ///
    /// - Returns: nil beyond 256 bits.
    public static func next(after baseFee: Wei, gasUsed: UInt64, gasLimit: UInt64) -> Wei? {
        let target = gasLimit / elasticity
        guard target > 0, gasUsed != target else { return baseFee }
        let distance = gasUsed > target ? gasUsed - target : target - gasUsed
        guard let product = baseFee.multiplied(by: UInt256(distance)) else { return nil }
        let step = product.rawValue / UInt256(target) / UInt256(changeDenominator)
        if gasUsed > target { return baseFee.adding(Wei(max(step, 1))) }
        return Wei(baseFee.rawValue - step)
    }
}

extension BlockHeader {
    /// The base fee of the next block, in wei per gas; nil before London and beyond 256 bits.
    public var nextBaseFee: Wei? {
        london.flatMap { london in
            BaseFee.next(after: london.baseFeePerGas, gasUsed: gasUsed, gasLimit: gasLimit)
        }
    }
}
