import Ethereum
import StrictJSON
import Testing

@testable import DexSandbox

@Suite("What clients of the node may do")
struct RPCAccessTests {
    private func error(
        _ body: String,
        _ access: RPCAccess,
        _ test: TestChain
    ) async throws -> JSONValue? {
        let json = try JSONParser.parse(
            await test.chain.answer(body: Array(body.utf8), access: access)
        )
        return (json.arrayValue?.last ?? json)["error"]
    }

    @Test(
        "another machine cannot steer the chain, alone or in a batch",
        arguments: RPCMethod.allCases.filter(\.steers).map(\.rawValue)
    )
    func remote(method: String) async throws {
        let test = try TestChain()
        let parameter =
            switch method {
            case "evm_mine", "evm_snapshot": ""
            case "evm_setAutomine": "false"
            default: "\(TestChain.start + 1_000)"
            }
        let parameters = "[\(parameter)]"
        let call = #"{"jsonrpc":"2.0","id":1,"method":"\#(method)","params":\#(parameters)}"#
        let before = await test.chain.latestBlock.number
        for body in [call, "[\(call)]"] {
            let refused = try #require(try await error(body, .remote, test))
            #expect(refused["code"]?.numberText == "-32601")
            #expect(refused["message"]?.stringValue?.contains("only for programs") == true)
        }
        #expect(await test.chain.latestBlock.number == before)
        #expect(try await error(call, .full, test) == nil)
    }

    @Test("all other methods are for everybody")
    func others() {
        let steering: Set<RPCMethod> = [
            .evm_mine, .evm_setAutomine, .evm_increaseTime, .evm_setNextBlockTimestamp,
            .hardhat_setNextBlockBaseFeePerGas, .evm_snapshot, .evm_revert,
        ]
        for method in RPCMethod.allCases {
            #expect(RPCAccess.full.allows(method))
            #expect(RPCAccess.remote.allows(method) == !steering.contains(method))
        }
    }
}
