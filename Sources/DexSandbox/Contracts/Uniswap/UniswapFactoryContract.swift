import Ethereum
import Uniswap

/// Both factories: they name the pools that there are; here nobody can create one.
struct UniswapFactoryContract {
    let frame: ContractFrame
    let deployment: UniswapDeployment

    private static let getPair: UInt32 = 0xe6a4_3905
    private static let getPool: UInt32 = 0x1698_ee82
    private static let feeAmountTickSpacing: UInt32 = 0x22af_cccb

    func run() throws(CallFailure) -> [UInt8] {
        try frame.execution.charge(.view)
        try frame.refuseEther()
        let input = CalldataReader(bytes: frame.message.data)
        let isV2 = frame.address == deployment.v2Factory
        // The decoder of the time drops what a number has too many bits for.
        func fee(_ index: Int) -> UInt32 {
            UInt32(truncatingIfNeeded: input.number(index).w0) & 0xff_ffff
        }
        switch (input.selector, isV2) {
        case (Self.getPair, true) where input.has(arguments: 2): return try pool(input, .v2)
        case (Self.getPool, false) where input.has(arguments: 3):
            return try pool(input, .v3(fee: fee(2)))
        case (Self.feeAmountTickSpacing, false) where input.has(arguments: 1):
            try frame.execution.charge(GasSchedule.coldSlot)
            return Words.number(
                Words.signed(Int64(UniswapDeployment.spacing(fee: fee(0)) ?? 0))
            )
        default: throw .revert([])
        }
    }

    /// The address of a pool of two tokens in any order; zero if there is none.
    private func pool(_ input: CalldataReader, _ kind: PoolKind) throws(CallFailure) -> [UInt8] {
        try frame.execution.charge(GasSchedule.coldSlot)
        guard let pool = PoolID(input.address(0), input.address(1), kind) else {
            return Words.number(.zero)
        }
        let address = deployment.address(of: pool)
        return Words.bytes((frame.contracts.isContract(address) ? address : .zero).word)
    }
}
