import Ethereum
import Testing

@testable import DexNetwork

@Suite("What a node's words say of where a transaction is")
struct SendWordsTests {
    @Test(
        "only what a client says before it takes anything is a refusal",
        arguments: [
            // geth
            "insufficient funds for gas * price + value: balance 1, tx cost 2",
            "invalid sender: invalid chain id for signer: have 5 want 1",
            "intrinsic gas too low: gas 1, minimum needed 21000",
            "insufficient gas for floor data gas cost: gas 1",
            "max fee per gas less than block base fee: address 0x1",
            "replacement transaction underpriced", "exceeds block gas limit",
            "transaction type not supported",
            // Nethermind
            "InsufficientFunds, Account balance: 0, cumulative cost: 1",
            "InvalidTxChainId: Expected 1, got 5", "ReplacementNotAllowed",
            "GasLimitExceeded, Gas limit: 1, gas limit of rejected tx: 2", "NotSupportedTxType",
            // Erigon
            "could not replace existing tx",
            // Besu
            "Upfront cost exceeds account balance", "Wrong chainId",
            "Intrinsic gas exceeds gas limit", "Gas price below current base fee",
            "Transaction gas limit exceeds block gas limit", "Invalid transaction type",
            // Reth
            "invalid chain ID",
        ]
    )
    func refused(words: String) {
        for text in [words, words.uppercased(), words.lowercased()] {
            for code in [-32_603, -32_000, -32_003, -32_010, 0] {
                let fault = RPCFault(code: code, message: text)
                #expect(fault.errorOfSend == .notTaken(code: code, message: text))
                #expect(!fault.isAlreadyKnown)
            }
        }
    }

    @Test(
        "what a node does not take now another one may have",
        arguments: [
            "gas limit", "Transaction rejected", "transaction underpriced", "txpool is full",
            "nonce too high", "already", "unknown transaction", "funds",
            "transaction underpriced: gas tip cap 1000000000, minimum needed 25000000000",
            "tx fee (2.00 ether) exceeds the configured cap (1.00 ether)", "oversized data",
            "execution reverted: insufficient balance", "header not found",
        ]
    )
    func declined(words: String) {
        let fault = RPCFault(code: -32_000, message: words)
        #expect(fault.errorOfSend == .declined(code: -32_000, message: words))
        #expect(!fault.isAlreadyKnown)
    }

    @Test(
        "everything else may hide a transaction that is on its way",
        arguments: [
            "", "(no message)", "Internal error", "request timed out", "context deadline exceeded",
            "context canceled", "limit exceeded", "503 Service Unavailable",
            "server error: insufficient funds for gas * price + value",
            "upstream timeout (intrinsic gas too low)",
        ]
    )
    func doubtful(words: String) {
        let fault = RPCFault(code: -32_000, message: words)
        #expect(fault.errorOfSend == .rpc(code: -32_000, message: words))
        #expect(!fault.isAlreadyKnown)
    }

    @Test("a node that has it, or has its nonce used, tells that apart")
    func known() {
        for words in [
            "already known", "Known transaction", "known transaction: 0xab", "AlreadyKnown",
        ] {
            #expect(RPCFault(code: -32_000, message: words).isAlreadyKnown)
        }
        for words in ["nonce too low: next nonce 1, tx nonce 0", "OldNonce, Current nonce: 1"] {
            let fault = RPCFault(code: -32_000, message: words)
            #expect(fault.errorOfSend == .nonceUsed(code: -32_000, message: words))
            #expect(!fault.isAlreadyKnown)
        }
    }
}
