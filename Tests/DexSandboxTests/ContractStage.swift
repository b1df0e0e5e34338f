import EVM
import Ethereum
import EthereumWallet

@testable import DexSandbox

/// The state of a genesis, on which transactions that cost nothing follow one another.
final class ContractStage {
    private let execution: Execution
    private let block: BlockContext
    let timestamp: UInt64

    init(_ genesis: Genesis, timestamp: UInt64 = 1_600_000_100) throws {
        try genesis.validate()
        let state = genesis.state
        let world = WorldState(
            slots: state.slots,
            codes: state.codes,
            commitment: .tries(StateTries([:])),
            number: 0
        )
        execution = Execution(
            world.latest,
            genesis.revision,
            recoverer: Secp256k1()
        )
        block = BlockContext(
            chainID: genesis.chainID,
            number: 1,
            timestamp: timestamp,
            gasLimit: 100_000_000
        )
        self.timestamp = timestamp
    }

    /// Runs a transaction, which the later ones begin with.
    func run(
        from: Address,
        to: Address,
        _ data: [UInt8],
        value: UInt256 = 0,
        gas: UInt64 = 2_000_000
    ) throws -> Execution.Outcome {
        try execution.run(
            Message(
                sender: from,
                to: to,
                nonce: nonce(of: from),
                value: Wei(value),
                data: data,
                gasLimit: gas
            ),
            in: block
        )
    }

    private func nonce(of account: Address) -> UInt64 {
        guard case .known(let record?) = execution.account(account) else { return 0 }
        return record.nonce
    }

    /// The outcome of a call that reads a price of gas and pays none.
    func call(
        from: Address = .zero,
        to: Address,
        _ data: [UInt8],
        gasPrice: UInt256 = 0
    ) throws -> Execution.Outcome {
        try execution.call(
            Message(sender: from, to: to, data: data, gasLimit: 50_000_000),
            price: gasPrice,
            in: block
        )
    }

    /// The words of a call's answer.
    func words(_ to: Address, _ data: [UInt8]) throws -> [UInt256] {
        let answer = try call(to: to, data).output
        return stride(from: 0, to: answer.count - answer.count % 32, by: 32).compactMap {
            UInt256(bigEndian: answer[$0..<$0 + 32])
        }
    }

    /// A value now.
    func value(_ address: Address, _ slot: Slot) -> UInt256 {
        switch slot {
        case .word(let place):
            if case .known(let word) = execution.word(place, of: address) { return word }
        case .ether:
            if case .known(let record?) = execution.account(address) {
                return record.balance.rawValue
            }
        case .nonce, .code: break
        }
        return .zero
    }

    func balance(_ token: Address, _ owner: Address) -> UInt256 {
        value(token, TokenLayout.balance(owner))
    }
}

extension Execution.Outcome {
    /// What it returned; nil if it failed.
    var answer: [UInt8]? { ending == .succeeded ? output : nil }
    /// With what it reverted; nil if it did not.
    var revert: [UInt8]? { ending == .reverted ? output : nil }
}
