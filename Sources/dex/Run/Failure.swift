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
        case let error as AddressError:
            DexError(.usage, code: "bad-address", message: error.description)
        case let error as DecimalTextError:
            DexError(.usage, code: "bad-amount", message: error.description)
        case let error as PrivateKeyError:
            DexError(.wallet, code: "bad-key", message: error.description)
        case let error as SignerError:
            DexError(.wallet, code: "not-signed", message: error.description)
        case let error as OrderError:
            DexError(.usage, code: "bad-order", message: error.description)
        case let error as ChainError: chain(error)
        case let error as RelayError: relay(error)
        case let error as ExchangeError:
            DexError(.configuration, code: "bad-exchange", message: error.description)
        case is CancellationError: CommandRunner.interrupted
        default:
            DexError(
                .fault,
                code: "fault",
                message: "An unexpected error: \(String(describing: error)).",
                hint: "This is a fault of dex; please report it with the command that you ran."
            )
        }
    }

    private static func chain(_ error: ChainError) -> DexError {
        switch error {
        case .unreachable, .rateLimited:
            DexError(
                .unreachable,
                code: "node-unreachable",
                message: error.description,
                hint: "Check --rpc, DEX_RPC_URL or the network's rpc in config.toml.",
                retryable: true
            )
        case .nonsense, .rpc:
            DexError(.unreachable, code: "node-answer", message: error.description)
        case .reverted:
            DexError(.simulationFailed, code: "would-revert", message: error.description)
        }
    }

    private static func relay(_ error: RelayError) -> DexError {
        switch error {
        case .unreachable, .rateLimited:
            DexError(
                .unreachable,
                code: "relay-unreachable",
                message: error.description,
                hint: "Check --relay, DEX_RELAY_URL or the network's relay in config.toml.",
                retryable: true
            )
        case .nonsense:
            DexError(.unreachable, code: "relay-answer", message: error.description)
        case .refused:
            DexError(.relayRefused, code: "relay-refused", message: error.description)
        }
    }
}
