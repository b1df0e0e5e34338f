import Ethereum
import StrictJSON
import Testing

@testable import DexNetwork

@Suite("errors in the words of different nodes")
struct RPCFaultTests {
    private func fault(_ json: String) throws -> RPCFault {
        RPCFault(try JSONParser.parse(text: json))
    }

    @Test(
        "a revert is one in every node's words, with its data where there is any",
        arguments: [
            // geth, erigon, reth, anvil
            (
                #"{"code":3,"message":"execution reverted: no","data":"0x08c379a0"}"#,
                [8, 0xC3, 0x79, 0xA0]
            ),
            (#"{"code":-32000,"message":"execution reverted"}"#, []),
            // OpenEthereum and Parity
            (
                #"{"code":-32015,"message":"VM execution error.","data":"Reverted 0x08c379a0"}"#,
                [8, 0xC3, 0x79, 0xA0]
            ),
            (#"{"code":-32015,"message":"VM execution error.","data":"Bad instruction fe"}"#, []),
            // Nethermind
            (#"{"code":-32015,"message":"VM execution error.","data":"0x01"}"#, [1]),
            // Ganache
            (
                #"{"code":-32000,"message":"VM Exception while processing transaction: revert","data":{"0xabcd":{"error":"revert","program_counter":1,"return":"0x0102","reason":"x"},"stack":"Error","name":"RuntimeError"}}"#,
                [1, 2]
            ),
            // Hardhat
            (
                #"{"code":-32603,"message":"Error: VM Exception while processing transaction: reverted with reason string 'x'","data":{"message":"Error","txHash":"0x00","data":"0x0304"}}"#,
                [3, 4]
            ),
            // Wallet-like proxies
            (
                #"{"code":-32603,"message":"execution reverted","data":{"originalError":{"code":3,"data":"0x05","message":"x"}}}"#,
                [5]
            ),
            (#"{"code":-32000,"message":"invalid opcode: INVALID"}"#, []),
            (#"{"code":-32000,"message":"out of gas"}"#, []),
            (#"{"code":-32000,"message":"gas required exceeds allowance (30000000)"}"#, []),
            (#"{"code":-32000,"message":"stack limit reached 1024 (1023)"}"#, []),
            // Reth, and errors of the machine that only code can make
            (#"{"code":-32003,"message":"EVM error: InvalidFEOpcode"}"#, []),
            (#"{"code":-32015,"message":"Bad instruction fe"}"#, []),
            (#"{"code":-32015,"message":"the machine stopped"}"#, []),
            (#"{"code":-32000,"message":"write protection"}"#, []),
            (#"{"code":-32000,"message":"return data out of bounds"}"#, []),
            (#"{"code":-32000,"message":"max call depth exceeded"}"#, []),
        ] as [(String, [UInt8])]
    )
    func reverts(json: String, data: [UInt8]) throws {
        let fault = try fault(json)
        #expect(fault.errorOfCall == .reverted(data: data, message: fault.message))
    }

    @Test(
        "what is not the contract's doing is no revert",
        arguments: [
            (
                -32000, "insufficient funds for gas * price + value",
                ChainError.unaffordable
            ),
            (-32015, "insufficient sender balance", ChainError.unaffordable),
            (-32000, "header not found", ChainError.missingBlock),
            // By its hash: geth, its logs, Erigon, Nethermind.
            (-32000, "header for hash not found", ChainError.missingBlock),
            (-32000, "unknown block", ChainError.missingBlock),
            (-32603, "hash 0d30 is not currently canonical", ChainError.missingBlock),
            (-32001, "0x0d30 block is not canonical", ChainError.missingBlock),
            (-32602, "invalid argument 0: hex string has length 0", ChainError.rpc),
            (-32601, "the method eth_call does not exist", ChainError.rpc),
        ] as [(Int, String, @Sendable (Int, String) -> ChainError)]
    )
    func noRevert(
        code: Int,
        message: String,
        error: @Sendable (Int, String) -> ChainError
    ) {
        #expect(RPCFault(code: code, message: message).errorOfCall == error(code, message))
    }

    @Test("data without end or of another kind is left out")
    func hostileData() throws {
        var nested = #"{"data":"0x01"}"#
        for _ in 0..<20 { nested = #"{"data":\#(nested)}"# }
        for data in [nested, "7", "[]", "null", #""0xzz""#, #""\u001b[2J""#, "true", "{}"] {
            let fault = try fault(#"{"code":3,"message":"execution reverted","data":\#(data)}"#)
            #expect(fault.errorOfCall == .reverted(data: [], message: "execution reverted"))
        }
    }

    @Test("an error that lacks its members is still an error")
    func lacking() throws {
        #expect(try fault("{}").error == .rpc(code: 0, message: "(no message)"))
        #expect(try fault("7").error == .rpc(code: 0, message: "(no message)"))
        #expect(try fault(#""down""#).error == .rpc(code: 0, message: "down"))
        #expect(
            try fault(#"{"code":"-32000","message":"x"}"#).error == .rpc(code: -32000, message: "x")
        )
        #expect(
            try fault(#"{"code":99999999999999999999,"message":"x"}"#).error
                == .rpc(code: 0, message: "x")
        )
        let long = String(repeating: "x", count: 100_000)
        guard case .rpc(_, let message) = try fault(#"{"message":"\#(long)"}"#).error else {
            return
        }
        #expect(message.count == 1000)
    }

    @Test("rate limits, lagging nodes and batch limits are told apart")
    func kinds() throws {
        let rate = try fault(
            #"{"code":-32005,"message":"daily request count exceeded, request rate limited"}"#
        )
        #expect(rate.isRateLimit)
        #expect(!rate.isBatchLimit)
        let batch = try fault(#"{"code":-32005,"message":"Batch size limit exceeded"}"#)
        #expect(batch.isBatchLimit)
        #expect(!batch.isRateLimit)
        #expect(try fault(#"{"code":-32000,"message":"header not found"}"#).isLagging)
        #expect(try fault(#"{"code":-32003,"message":"response too large"}"#).isAnswerLimit)
        let other = try fault(#"{"code":-32000,"message":"unauthorized"}"#)
        #expect(
            !other.isRateLimit && !other.isBatchLimit && !other.isLagging && !other.isAnswerLimit
        )
    }

    @Test("every error of a node has its sentence")
    func sentences() {
        #expect(
            ChainError.rpc(code: -32000, message: "nonce too low").description
                == "The node answered with error -32000: \"nonce too low\""
        )
        #expect(
            ChainError.reverted(data: [], message: "execution reverted").description
                == "The call would revert: \"execution reverted\""
        )
        #expect(
            ChainError.nonsense("it is empty").description
                == "The node's answer makes no sense: it is empty."
        )
        #expect(
            ChainError.rateLimited(url: "https://a.b", retryAfter: nil).description
                == "The node at https://a.b limits our requests; try again later."
        )
    }
}
