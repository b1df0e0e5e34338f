import DexCore
import Ethereum
import EthereumWallet
import ZeroEx

/// Any error as one with an exit code and a sentence.
enum Failure {
    static func describe(_ error: any Error) -> DexError {
        switch error {
        case let error as DexError: error
        case let error as FileSystem.Failure:
            DexError(.configuration, code: "file", message: error.description)
        case let error as AddressError: DexError(error)
        case let error as Bytes32Error: DexError(error)
        case let error as DecimalTextError: DexError(error)
        case let error as PrivateKeyError: DexError(error)
        case let error as SignerError: DexError(error)
        case let error as OrderError: DexError(error)
        case let error as OrderRejection: DexError(error)
        case let error as ChainError: DexError(error)
        case let error as RelayError: DexError(error)
        case let error as ExchangeError: DexError(error)
        case is CancellationError: .interrupted
        default:
            DexError(
                .fault,
                code: "fault",
                message: "An unexpected error: \(String(describing: error)).",
                hint: "This is a fault of dex; please report it with the command that you ran."
            )
        }
    }
}
