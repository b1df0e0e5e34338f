import Ethereum
import Testing

@Suite("What a node's words say of where a transaction is")
struct SendVerdictTests {
    @Test(
        "only what a client says before it takes anything is a refusal",
        arguments: [
            // geth
            (
                "insufficient funds for gas * price + value: balance 1, tx cost 2",
                .insufficientFunds
            ),
            ("invalid sender: invalid chain id for signer: have 5 want 1", .wrongChain),
            ("intrinsic gas too low: gas 1, minimum needed 21000", .belowIntrinsicGas),
            ("insufficient gas for floor data gas cost: gas 1", .belowIntrinsicGas),
            ("max fee per gas less than block base fee: address 0x1", .belowBaseFee),
            ("replacement transaction underpriced", .replacementUnderpriced),
            ("exceeds block gas limit", .overBlockLimit),
            ("transaction type not supported", .unsupportedType),
            // Nethermind
            ("InsufficientFunds, Account balance: 0, cumulative cost: 1", .insufficientFunds),
            ("InvalidTxChainId: Expected 1, got 5", .wrongChain),
            ("ReplacementNotAllowed", .replacementUnderpriced),
            ("GasLimitExceeded, Gas limit: 1, gas limit of rejected tx: 2", .overBlockLimit),
            ("NotSupportedTxType", .unsupportedType),
            // Erigon
            ("could not replace existing tx", .replacementUnderpriced),
            // Besu
            ("Upfront cost exceeds account balance", .insufficientFunds),
            ("Wrong chainId", .wrongChain),
            ("Intrinsic gas exceeds gas limit", .belowIntrinsicGas),
            ("Gas price below current base fee", .belowBaseFee),
            ("Transaction gas limit exceeds block gas limit", .overBlockLimit),
            ("Invalid transaction type", .unsupportedType),
            // Reth
            ("invalid chain ID", .wrongChain),
        ] as [(String, SendRefusal)]
    )
    func refused(words: String, reason: SendRefusal) {
        for text in [words, words.uppercased(), words.lowercased()] {
            #expect(SendVerdict(message: text) == .refused(reason))
            for code in [-32_603, -32_000, -32_003, -32_010, 0] {
                #expect(SendVerdict(.rpc(code: code, message: text)) == .refused(reason))
            }
        }
    }

    @Test(
        "everything else may hide a transaction that is on its way",
        arguments: [
            "", "(no message)", "Internal error", "request timed out", "context deadline exceeded",
            "context canceled", "limit exceeded", "gas limit", "Transaction rejected",
            "transaction underpriced", "txpool is full", "nonce too high", "already",
            "unknown transaction", "server error: insufficient funds for gas * price + value",
            "upstream timeout (intrinsic gas too low)", "503 Service Unavailable", "funds",
            "tx fee (2.00 ether) exceeds the configured cap (1.00 ether)", "oversized data",
        ]
    )
    func doubtful(words: String) {
        #expect(SendVerdict(message: words) == .doubtful)
    }

    @Test("a node that has it, or has its nonce used, tells that apart")
    func known() {
        for words in [
            "already known", "Known transaction", "known transaction: 0xab", "AlreadyKnown",
        ] {
            #expect(SendVerdict(message: words) == .alreadyKnown)
        }
        for words in ["nonce too low: next nonce 1, tx nonce 0", "OldNonce, Current nonce: 1"] {
            #expect(SendVerdict(message: words) == .nonceUsed)
        }
    }

    @Test("an answer that is no error of JSON-RPC proves nothing, whatever it quotes")
    func otherErrors() {
        let words = "insufficient funds for gas * price + value"
        for error in [
            ChainError.unreachable(url: "http://a", reason: words), .nonsense(words),
            .rateLimited(url: "http://a", retryAfter: nil), .reverted(data: [], message: words),
        ] {
            #expect(SendVerdict(error) == .doubtful)
        }
    }
}
