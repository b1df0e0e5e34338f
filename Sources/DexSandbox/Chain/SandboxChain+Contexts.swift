import EVM
import Ethereum

extension SandboxChain {
    /// The block that would be made now.
    var nextContext: BlockContext {
        let header = head.header
        return context(
            number: header.number + 1,
            timestamp: max(header.timestamp + 1, nextTimestamp ?? now),
            baseFee: nextBaseFee ?? header.nextBaseFee,
            coinbase: genesis.coinbase
        )
    }

    /// What the code of a block can read of it.
    func context(of header: SandboxHeader) -> BlockContext {
        context(
            number: header.number,
            timestamp: header.timestamp,
            baseFee: header.baseFee,
            coinbase: header.coinbase
        )
    }

    /// - Parameter baseFee: in wei per gas.
    private func context(
        number: UInt64,
        timestamp: UInt64,
        baseFee: UInt64,
        coinbase: Address
    ) -> BlockContext {
        BlockContext(
            chainID: genesis.chainID,
            home: fork?.point.chainID,
            number: number,
            timestamp: timestamp,
            gasLimit: head.header.gasLimit,
            baseFee: Wei(UInt256(baseFee)),
            coinbase: coinbase
        )
    }

    /// The same with the hashes of the 256 blocks before it, which few contracts ask for; of before a
    /// fork with those that are asked for.
    private func with(_ keys: Set<StateKey>, _ context: BlockContext) -> BlockContext {
        var context = context
        let oldest = context.number > 256 ? context.number - 256 : 0
        for block in blocks[max(0, blocks.count - 257)...]
        where (oldest..<context.number).contains(block.header.number) {
            context.hashes[block.header.number] = block.hash
        }
        for case .blockHash(let number) in keys where number < first {
            context.hashes[number] = fork?.state.hash(of: number)
        }
        return context
    }

    /// Runs something of a block, again with the hashes of the blocks before it for which it asks.
    func run(
        in context: BlockContext,
        _ body: (BlockContext) throws(Execution.Gap) -> Execution.Outcome
    ) throws(Execution.Gap) -> Execution.Outcome {
        var context = context
        while true {
            do throws(Execution.Gap) {
                return try body(context)
            } catch .needs(let keys) where keys.allSatisfy(\.isBlockHash) {
                let known = context.hashes.count
                context = with(keys, context)
                guard context.hashes.count > known else { throw .needs(keys) }
            }
        }
    }

    /// An execution on a state.
    func execution(on state: any StateReader) -> Execution {
        Execution(
            state,
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
        case .otherNumber:
            "it reads the block's number, which on the chain that was forked is Ethereum's"
        case .needs, .revision: "this chain cannot run it: \(self)"
        case .refused(.contract):
            "sender is not an EOA"
        case .refused: nil
        }
    }
}
