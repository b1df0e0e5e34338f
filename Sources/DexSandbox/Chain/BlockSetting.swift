import EVM
import Ethereum

/// What a block's code can read of it, before it is made.
struct BlockSetting: Sendable {
    let number: UInt64
    let timestamp: UInt64
    /// In wei per gas.
    let baseFee: UInt64
    var coinbase: Address
}

extension BlockSetting {
    init(_ header: SandboxHeader) {
        self.init(
            number: header.number,
            timestamp: header.timestamp,
            baseFee: header.baseFee,
            coinbase: header.coinbase
        )
    }
}

extension SandboxChain {
    /// The block's values as the EVM has them, without the hashes of blocks before it.
    func context(of setting: BlockSetting) -> BlockContext {
        BlockContext(
            chainID: genesis.chainID,
            number: setting.number,
            timestamp: setting.timestamp,
            gasLimit: head.header.gasLimit,
            baseFee: Wei(UInt256(setting.baseFee)),
            coinbase: setting.coinbase
        )
    }

    /// The same with the hashes of the 256 blocks before it, which few contracts ask for.
    func withHashes(_ context: BlockContext) -> BlockContext {
        var context = context
        let first = context.number > 256 ? context.number - 256 : 0
        for number in first..<min(context.number, UInt64(blocks.count)) {
            context.hashes[number] = blocks[Int(number)].hash
        }
        return context
    }

    /// Runs something of a block, once more with the hashes of the blocks before it if it asks for
    /// them.
    func run(
        in context: BlockContext,
        _ body: (BlockContext) throws(Execution.Gap) -> Execution.Outcome
    ) throws(Execution.Gap) -> Execution.Outcome {
        do throws(Execution.Gap) {
            return try body(context)
        } catch .needs(let keys) where keys.allSatisfy(\.isBlockHash) {
            return try body(withHashes(context))
        }
    }

    /// An execution on a state.
    func execution(on view: StateView) -> Execution {
        Execution(
            ViewReader(view),
            genesis.revision,
            recoverer: recoverer,
            codes: codeCache
        )
    }
}

extension StateKey {
    fileprivate var isBlockHash: Bool {
        if case .blockHash = self { true } else { false }
    }
}

extension Execution.Gap {
    /// Why a transaction or call is not run, as a sentence; nil where a later block may take it.
    var refusal: String? {
        switch self {
        case .precompile(let address):
            "it calls the precompile \(address.lowercaseHex), which this chain does not have"
        case .foreignCode(let address):
            "it calls code at \(address.lowercaseHex) that is none of the EVM"
        case .needs, .revision: "this chain cannot run it: \(self)"
        case .refused(.contract):
            "sender is not an EOA"
        case .refused: nil
        }
    }
}
