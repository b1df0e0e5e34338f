import Ethereum
import Uniswap

extension UniswapDeployment {
    /// What the v3 factory says of the spacing of a fee; nil for another question.
    static func tickSpacingAnswer(_ question: [UInt8]) -> [UInt8]? {
        fees.first { ContractRead.tickSpacing(fee: $0).data == question }
            .flatMap { spacing(fee: $0) }
            .map { UInt256(UInt64($0)).word.bytes }
    }
}
