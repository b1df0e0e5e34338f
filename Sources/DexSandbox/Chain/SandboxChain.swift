package import Ethereum

/// A simulation of an Ethereum chain with 0x v1 contracts and tokens. It is not an Ethereum
/// Virtual Machine: the contracts are written in Swift after the genuine ones.
package actor SandboxChain {
    let genesis: Genesis
    let configuration: ChainConfiguration

    /// Opens the chain of the configuration's file, or begins one from the genesis.
    ///
    /// - Throws: `SandboxError` where the file is not such a chain's or has another genesis.
    package init(genesis: Genesis, configuration: ChainConfiguration) throws(SandboxError) {
        self.genesis = genesis
        self.configuration = configuration
    }

    /// Answers one HTTP body: a JSON-RPC request or a batch.
    package func answer(body: [UInt8]) -> [UInt8] {
        fatalError("unimplemented")
    }

    /// Answers the questions of an in-process client.
    package func read(_ reads: [ChainRead]) -> [Result<ChainAnswer, ChainError>] {
        fatalError("unimplemented")
    }

    /// Takes a signed transaction (eth_sendRawTransaction).
    ///
    /// - Throws: `ChainError.rpc` with the words of a real node.
    package func send(raw: [UInt8]) throws(ChainError) -> TransactionHash {
        fatalError("unimplemented")
    }

    /// Makes a block from what is pending and can run.
    ///
    /// - Returns: the block.
    /// - Throws: `SandboxError` where it cannot be kept.
    @discardableResult
    package func mine() throws(SandboxError) -> Block {
        fatalError("unimplemented")
    }

    /// Makes each transaction's block at once, or no longer.
    package func setAutomine(_ enabled: Bool) {
        fatalError("unimplemented")
    }

    /// Moves the chain's clock ahead, for all blocks to come.
    package func increaseTime(by seconds: UInt64) {
        fatalError("unimplemented")
    }
}
