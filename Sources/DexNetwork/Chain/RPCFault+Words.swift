/// The one place that knows what kinds of nodes say, in any spelling of upper and lower case.
extension RPCFault {
    // MARK: Calls

    /// The contract's own code failed, so the same transaction would fail too.
    ///
    /// Source: https://github.com/ethereum/go-ethereum/blob/master/core/vm/errors.go; Nethermind,
    /// Besu, Reth, Hardhat and those of old.
    var isRevert: Bool {
        // 3 is what geth, and after it most others, say of a revert with data.
        if code == 3 || contains("revert") { return true }
        if isUnaffordable { return false }
        // An error of the virtual machine (OpenEthereum, Nethermind).
        return code == -32_015
            || contains(
                "opcode",
                "bad instruction",
                "jump destination",
                "invalid jump",
                "stack underflow",
                "stackunderflow",
                "stack overflow",
                "stack limit",
                "out of gas",
                "outofgas",
                "gas uint64 overflow",
                "gas required exceeds",
                "always failing transaction",
                "write protection",
                "return data out of bounds",
                "call depth",
                "code size",
                "initcode",
                "vm execution",
                "vm exception",
                "evm error"
            )
    }

    /// The call was not run, since its gas or the account's ether does not suffice.
    var isUnaffordable: Bool {
        contains(
            "intrinsic gas",
            "insufficient gas",
            "block gas limit",
            "insufficient funds",
            "insufficient balance",
            "insufficient sender balance",
            "upfront cost exceeds",
            "not enough funds"
        )
    }

    // MARK: Blocks

    /// The node does not have the block that was asked for, or no longer its state.
    var isBlockMissing: Bool {
        isBehind
            || contains(
                "missing trie node",
                "no state available",
                "state is not available",
                "state unavailable",
                "state not available"
            )
    }

    /// The same may be answered a moment later: the node has not caught up with the one that was
    /// asked before it.
    var isLagging: Bool {
        isBehind || contains("try again")
    }

    /// In the words of geth, Nethermind, Erigon, Besu, Reth, Avalanche and public gateways.
    private var isBehind: Bool {
        contains(
            "header not found",
            "header for hash not found",
            "unknown block",
            "block not found",
            "could not find block",
            "block is not available",
            "after last accepted block",
            "block requested not found"
        )
    }

    // MARK: Limits

    /// Too many requests for now; the same one may pass later.
    var isRateLimit: Bool {
        code == 429
            || contains(
                "rate limit",
                "rate-limit",
                "ratelimit",
                "too many requests",
                "compute units",
                "throughput",
                "request count exceeded",
                "requests per second",
                "requests per minute"
            )
    }

    /// The batch is refused as a whole: it has too many calls, or too large an answer.
    var isBatchLimit: Bool {
        guard !isRateLimit else { return false }
        return [-32600, -32005, -32003].contains(code)
            || contains("batch", "too large", "too big", "too many", "limit", "exceed", "max")
    }

    /// The node stopped answering in the middle of a batch (geth's -32003).
    var isAnswerLimit: Bool {
        contains("response too large", "response size", "response is too big")
    }

    // MARK: Broadcasts

    /// The node has exactly this transaction.
    var isAlreadyKnown: Bool {
        // geth of old and Besu; "unknown transaction type" is none of these.
        message.lowercased().hasPrefix("known transaction")
            || contains(
                // geth, Reth, Erigon.
                "already known",
                "existing tx with same hash",
                // Nethermind, OpenEthereum, gateways.
                "alreadyknown",
                "already imported",
                "already exists",
                "already_exists",
                "already in mempool",
                "already in the mempool"
            )
    }

    /// The account has used the nonce, perhaps by this very transaction.
    var isNonceUsed: Bool {
        // geth, Reth, Erigon, Besu; Nethermind and OpenEthereum.
        contains("nonce too low", "nonce is too low", "old nonce", "oldnonce")
    }

    /// What a gateway says of itself, whatever it quotes of the node behind it.
    var isGatewayFailure: Bool {
        contains(
            "internal error",
            "server error",
            "timed out",
            "timeout",
            "time out",
            "deadline",
            "cancel",
            "unavailable",
            "gateway",
            "upstream",
            "try again",
            "limit exceeded",
            "rate limit",
            "too many requests"
        )
    }

    /// The node cannot have taken it.
    ///
    /// All else that nodes say is left out, such as "transaction underpriced" or "txpool is full":
    /// those speak of one pool at one moment, and another node may have taken the same bytes.
    ///
    /// Source: geth core/error.go, core/txpool/errors.go, core/types/transaction_signing.go;
    /// Nethermind AcceptTxResult, TxErrorMessages; Erigon txpool DiscardReason; Besu
    /// RpcErrorType, TransactionInvalidReason; Reth RpcInvalidTransactionError, RpcPoolError.
    var isRefusal: Bool {
        contains(
            "insufficient funds",  // geth, Erigon, Reth
            "insufficientfunds",  // Nethermind
            "upfront cost exceeds account balance",  // Besu
            "invalid chain id",  // geth, Reth
            "invalid chainid",  // Erigon
            "invalidtxchainid",  // Nethermind
            "wrong chainid",
            "wrong chain id",  // Besu
            "intrinsic gas too low",  // geth, Erigon, Nethermind, Reth
            "insufficient gas for floor data gas cost",  // geth
            "intrinsic gas exceeds gas limit",  // Besu
            "max fee per gas less than block base fee",  // geth, Reth, Nethermind
            "below current base fee",  // Besu
            "replacement transaction underpriced",  // geth, Besu, Reth
            "could not replace existing tx",  // Erigon
            "replacementnotallowed",  // Nethermind
            "exceeds block gas limit",  // geth, Reth, Erigon, Besu
            "gaslimitexceeded",  // Nethermind
            "transaction type not supported",  // geth, Erigon, Reth
            "notsupportedtxtype",  // Nethermind
            "invalid transaction type"  // Besu, Nethermind
        )
    }

    private func contains(_ phrases: String...) -> Bool {
        let text = message.lowercased()
        return phrases.contains { text.contains($0) }
    }
}
