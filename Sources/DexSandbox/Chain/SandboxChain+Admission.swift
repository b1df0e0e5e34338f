import EVM
import Ethereum

extension SandboxChain {
    /// The maximum size of a transaction in bytes, as in geth's pool.
    static let maximumTransactionSize = 131_072

    /// Checks a raw transaction as a node does, keeps it, and mines it if mining is instant.
    func submit(raw: [UInt8]) async throws(NodeError) -> TransactionHash {
        let signed = try decoded(raw: raw)
        let hash = TransactionHash(Keccak256.hash(raw))
        try await onState(for: signed.request) { () throws(NodeError) in
            guard pool[hash] == nil else { throw .refused("already known") }
            try checkByItself(signed)
            try checkAgainstState(signed)
            try checkKnown(as: NodeError.self)
            do throws(SandboxError) {
                let replaced = pool[signed.sender, signed.transaction.nonce]
                try noteOwn(hash)
                try store?.keep(signed, hash: hash, replacing: replaced?.hash)
                pool.insert(signed, hash: hash)
            } catch {
                throw .storage(error)
            }
        }
        do throws(SandboxError) {
            if isAutomining { try await mineWaiting() }
        } catch {
            throw .storage(error)
        }
        return hash
    }

    /// The transaction of raw bytes, with its sender recovered from the signature.
    func decoded(raw: [UInt8]) throws(NodeError) -> SignedTransaction {
        guard raw.count <= Self.maximumTransactionSize else {
            throw .refused(
                "oversized data: transaction size \(raw.count), "
                    + "limit \(Self.maximumTransactionSize)"
            )
        }
        do throws(TransactionError) {
            return try SignedTransaction(raw: raw, recoverer: configuration.recoverer)
        } catch {
            throw Self.refusal(of: error)
        }
    }

    private static func refusal(of error: TransactionError) -> NodeError {
        switch error {
        case .malformed(let reason): .refused("rlp: \(reason)")
        case .unsupportedType(let type): refusal(ofType: UInt256(UInt64(type)))
        case .badSignature, .highS:
            .refused("invalid sender: invalid transaction v, r, s values")
        }
    }

    /// Refuses a transaction or call of a type that no block here has: geth's words, and what is taken.
    static func refusal(ofType type: UInt256) -> NodeError {
        let reason =
            switch type {
            case 4:
                "set-code transactions (type 4) came with Prague, and this chain's rules are older"
            default:
                (type == 3 ? "blob transactions (type 3)" : "transactions of type \(type)")
                    + " are not supported by this sandbox, which takes types 0, 1, 2 and 4"
            }
        return .refused("transaction type not supported: \(reason)", as: ChainError.notTaken)
    }

    /// Refuses authorizations where the chain's rules do not have them.
    func checkRules(of authorizations: [Transaction.Authorization]) throws(NodeError) {
        guard authorizations.isEmpty || genesis.revision >= .prague else {
            throw Self.refusal(ofType: 4)
        }
    }

    /// Checks what needs no state.
    func checkByItself(_ signed: SignedTransaction) throws(NodeError) {
        let transaction = signed.transaction
        try checkRules(of: transaction.authorizations)
        guard let chainID = transaction.chainID else {
            throw .refused("only replay-protected (EIP-155) transactions allowed over RPC")
        }
        let own = claimedChainID ?? genesis.chainID
        guard chainID == own else {
            throw .refused(
                "invalid sender: invalid chain id for signer: have \(chainID) want \(own)",
                as: ChainError.notTaken
            )
        }
        guard transaction.to != nil || transaction.data.count <= Message.maximumInitCode else {
            throw Self.initCodeRefusal(transaction.data.count)
        }
        guard transaction.gasLimit <= head.header.gasLimit else {
            throw .refused("exceeds block gas limit", as: ChainError.notTaken)
        }
        guard transaction.tipCap <= transaction.maximumGasPrice else {
            throw .refused("max priority fee per gas higher than max fee per gas")
        }
        // No account can pay more, and receipts store the price in 64 bits.
        guard transaction.maximumGasPrice.rawValue.uint64 != nil else {
            throw .refused("max fee per gas higher than 2^64-1")
        }
        let intrinsic = signed.message.intrinsicGas(genesis.revision)
        guard transaction.gasLimit >= intrinsic else {
            throw .refused(
                "intrinsic gas too low: gas \(transaction.gasLimit), minimum needed \(intrinsic)",
                as: ChainError.notTaken
            )
        }
        let floor = transactionGas.floor(of: transaction.data)
        guard transaction.gasLimit >= floor else {
            throw .refused(
                "insufficient gas for floor data gas cost: gas \(transaction.gasLimit), "
                    + "minimum needed \(floor)",
                as: ChainError.notTaken
            )
        }
    }

    private func checkAgainstState(_ signed: SignedTransaction) throws(NodeError) {
        let transaction = signed.transaction
        let next = world.value(StorageKey(signed.sender, .nonce)).uint64 ?? 0
        guard transaction.nonce >= next else {
            throw .refused(
                "nonce too low: next nonce \(next), tx nonce \(transaction.nonce)",
                as: ChainError.nonceUsed
            )
        }
        // As in geth's pool, a cap below the base fee is accepted: the transaction waits.
        let feeCap = transaction.maximumGasPrice.rawValue
        try checkFunds(signed)
        if let waiting = pool[signed.sender, transaction.nonce] {
            guard Self.outbids(feeCap, waiting.feeCap),
                Self.outbids(transaction.tipCap.rawValue, waiting.tipCap)
            else { throw .refused("replacement transaction underpriced", as: ChainError.notTaken) }
        } else {
            guard pool.count < TransactionPool.capacity else { throw .refused("txpool is full") }
        }
        if transaction.nonce == next { try checkRun(signed) }
    }

    /// Refuses what this chain cannot run, such as a call of a precompile that it does not have.
    private func checkRun(_ signed: SignedTransaction) throws(NodeError) {
        do throws(Execution.Gap) {
            let outcome = try outcome(
                of: signed,
                in: nextContext,
                on: execution(on: world.latest)
            )
            work(outcome.gasUsed)
        } catch {
            // What only the next block does not take waits.
            if let reason = error.refusal { throw .refused(reason, as: ChainError.notTaken) }
        }
    }

    private func checkFunds(_ signed: SignedTransaction) throws(NodeError) {
        let balance = world.value(StorageKey(signed.sender, .ether))
        let words = "insufficient funds for gas * price + value: balance \(balance)"
        guard let cost = signed.transaction.maximumCost?.rawValue else {
            throw .refused("\(words), tx cost exceeds 2^256-1", as: ChainError.notTaken)
        }
        guard balance >= cost else {
            throw .refused(
                "\(words), tx cost \(cost), overshot \(cost - balance)",
                as: ChainError.notTaken
            )
        }
        let queued = pool.cost(of: signed.sender, excluding: signed.transaction.nonce)
        guard balance - cost >= queued else {
            throw .refused(
                "\(words), queued cost \(queued), tx cost \(cost), "
                    + "overshot \(queued - (balance - cost))",
                as: ChainError.notTaken
            )
        }
    }

    /// The price is high enough to replace another: 10 % more, rounded up.
    private static func outbids(_ new: UInt256, _ old: UInt256) -> Bool {
        // Caps fit in 64 bits, so neither product overflows.
        new > old && new * 100 >= old * UInt256(100 + TransactionPool.priceBump)
    }
}
