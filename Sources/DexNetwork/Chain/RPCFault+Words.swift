/// The only code that knows the error texts of the different nodes, in any letter case.
extension RPCFault {

    /// The contract's own code failed, so the same transaction would fail too.
    ///
    /// Source: https://github.com/ethereum/go-ethereum/blob/master/core/vm/errors.go; Nethermind,
    /// Besu, Reth, Hardhat and older ones.
    var isRevert: Bool {
        // 3 is the code of geth, and of most others, for a revert with data.
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

    /// The call was not run: it has too little gas, or the account too little ether.
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

    /// The node, or a gateway before it, does not have the method, whatever the code.
    var isMethodMissing: Bool {
        let words = message.lowercased()
        guard words.contains("method") else { return false }
        return contains(
            "unsupported",
            "not supported",
            "not found",
            "not available",
            "does not exist",
            "doesn't exist",
            "not whitelisted",
            "not allowed",
            "unknown method",
            "no such"
        )
    }

    // MARK: Blocks

    /// The node does not have the requested block, or no longer has its state.
    var isBlockMissing: Bool {
        isBehind
            || contains(
                "missing trie node",
                "no state available",
                "state is not available",
                "state unavailable",
                "state not available",
                // By its hash: geth, Erigon; Nethermind.
                "not currently canonical",
                "not canonical"
            )
    }

    /// A retry may succeed a moment later: the node lags behind the one asked before.
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

    // MARK: Pools

    /// The node does not count the transactions in its pool.
    var isPendingMissing: Bool {
        isMethodMissing || contains("pending")
            || contains("block", "tag", "parameter", "argument")
                && contains(
                    "unsupported",
                    "not supported",
                    "unknown",
                    "invalid",
                    "not allowed",
                    "must be"
                )
    }

    // MARK: Limits

    /// Too many requests for now; a retry may succeed later.
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

    /// The batch is refused as a whole: too many calls, or too large an answer.
    var isBatchLimit: Bool {
        guard !isRateLimit else { return false }
        return [-32600, -32005, -32003].contains(code)
            || contains("batch", "too large", "too big", "too many", "limit", "exceed", "max")
    }

    /// Each call of a batch is refused, since they came together.
    var isBatchRefusal: Bool {
        !isRateLimit && contains("batch")
    }

    /// One question asks for too much, so the same question is refused again: too many blocks, or
    /// too many results.
    var isQuestionLimit: Bool {
        contains(
            "block range",
            "blocks range",
            "range of blocks",
            "range is too",
            "range too",
            "range exceed",
            "exceeds the range",
            "maximum range",
            "max range",
            "range limit",
            "blocks at a time",
            "blocks per",
            "fewer blocks",
            "less blocks",
            "smaller range",
            "smaller block",
            "too many blocks",
            "too many results",
            "too many logs",
            "too many events",
            "more than 10000 results",
            "more results than",
            "returned more than",
            "log response size",
            "logs matched by query exceeds",
            "narrow"
        )
    }

    /// The node stopped answering in the middle of a batch (geth's -32003).
    var isAnswerLimit: Bool {
        contains("response too large", "response size", "response is too big")
    }

    // MARK: Broadcasts

    /// The node has exactly this transaction.
    var isAlreadyKnown: Bool {
        // Older geth and Besu; "unknown transaction type" does not match.
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

    /// The account has already used the nonce, perhaps for this very transaction.
    var isNonceUsed: Bool {
        // geth, Reth, Erigon, Besu; Nethermind and OpenEthereum.
        contains("nonce too low", "nonce is too low", "old nonce", "oldnonce")
    }

    /// A gateway's own failure, whatever it quotes of its node.
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

    /// The node cannot have accepted it.
    ///
    /// Other errors do not count, such as "transaction underpriced" or "txpool is full": they
    /// describe one pool at one moment, and another node may have accepted the same bytes.
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
