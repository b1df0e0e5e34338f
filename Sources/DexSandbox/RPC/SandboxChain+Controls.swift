import Ethereum
import StrictJSON

extension RPCMethod {
    /// It steers the chain: the operator's alone.
    var steers: Bool {
        switch self {
        case .evm_mine, .evm_setAutomine, .evm_increaseTime, .evm_setNextBlockTimestamp,
            .hardhat_setNextBlockBaseFeePerGas, .evm_snapshot, .evm_revert:
            true
        default: false
        }
    }
}

/// The methods by which test chains are steered, as in hardhat and anvil.
extension SandboxChain {
    /// The maximum number of blocks of one evm_mine.
    static let maximumMinedBlocks: UInt64 = 1_024

    /// The result of a method that steers the chain; nil for any other.
    func control(
        _ method: RPCMethod,
        _ parameters: RPCParameters
    ) async throws(NodeError) -> JSONValue? {
        switch method {
        case .evm_mine:
            let count = try blockCount(parameters)
            for _ in 0..<count {
                work(Self.workOfNewBlock)
                _ = try await keeping { () async throws(SandboxError) in try await mine() }
            }
            return "0x0"
        case .evm_setAutomine:
            guard let enabled = try parameters.value(0).boolValue else {
                throw .invalidParameters("invalid argument 0: a boolean is wanted")
            }
            try await keeping { () async throws(SandboxError) in try await setAutomine(enabled) }
            return true
        case .evm_increaseTime:
            let seconds = try number(parameters)
            let offset = try await keeping { () async throws(SandboxError) in
                try increaseTime(by: seconds)
            }
            return .integer(offset)
        case .evm_setNextBlockTimestamp:
            try setNextTimestamp(number(parameters))
            return .null
        case .hardhat_setNextBlockBaseFeePerGas:
            let fee = try number(parameters)
            guard fee < Genesis.maximumBaseFee else {
                throw .invalidParameters("the base fee is above 2^56 wei")
            }
            setNextBaseFee(fee)
            return true
        case .evm_snapshot:
            return RPCEncoding.quantity(try takeSnapshot())
        case .evm_revert:
            return .bool(try revert(to: try number(parameters)))
        default: return nil
        }
    }

    /// A number, as a quantity or as JSON's.
    private func number(_ parameters: RPCParameters) throws(NodeError) -> UInt64 {
        try RPCParameters.looseQuantity(try parameters.value(0), "argument 0")
    }

    private func blockCount(_ parameters: RPCParameters) throws(NodeError) -> UInt64 {
        guard let object = parameters.optional(0) else { return 1 }
        guard let blocks = object["blocks"] else {
            throw .invalidParameters("invalid argument 0: only {\"blocks\": n} is known")
        }
        let count = try RPCParameters.looseQuantity(blocks, "argument 0")
        guard count <= Self.maximumMinedBlocks else {
            throw .invalidParameters("at most \(Self.maximumMinedBlocks) blocks at once")
        }
        return count
    }

    private func keeping<Value>(
        _ body: () async throws(SandboxError) -> Value
    ) async throws(NodeError) -> Value {
        do throws(SandboxError) {
            return try await body()
        } catch {
            throw .storage(error)
        }
    }
}
