import DexSandbox
import Ethereum
import EthereumWallet
import StrictJSON
import Testing

@testable import DexCore
@testable import DexCoreTestSupport

@Suite("Contracts are called by the names of their ABI")
struct ContractABICallTests {
    private static let text = #"""
        [{"type":"function","name":"balanceOf","inputs":[{"name":"who","type":"address"}],
          "outputs":[{"name":"amount","type":"uint256"}]},
         {"type":"function","name":"transfer","inputs":[{"name":"to","type":"address"},
          {"name":"value","type":"uint256"}],"outputs":[{"name":"","type":"bool"}]},
         {"type":"function","name":"mint","inputs":[]},
         {"type":"function","name":"mint","inputs":[{"name":"n","type":"uint256"}]},
         {"type":"error","name":"Denied","inputs":[{"name":"who","type":"address"},
          {"name":"note","type":"string"}]}]
        """#

    private func abi(_ text: String = text) throws -> ContractABI {
        try ContractABI(Array(text.utf8), path: "Token.json")
    }

    private func request(_ function: String, _ arguments: String...) throws -> ContractRequest {
        ContractRequest(
            contract: "ZRX",
            function: function,
            arguments: arguments,
            abi: try abi()
        )
    }

    @Test("a name is enough, and results have their names")
    func call() async throws {
        let market = try LiveMarket()
        for function in ["balanceOf", "balanceOf(address)", "function balanceOf(address a) view"] {
            let state = try await ContractReadModel(session: try market.session()).load(
                try request(function, market.trader.address.checksummed),
                caller: nil
            )
            #expect(state.values?.map(\.name) == ["amount"])
            #expect(state.values?.map(\.value) == [.uint(TestMarket.units("10000"))])
            #expect(state.call.arguments.map(\.name) == ["who"])
        }
    }

    @Test("a transaction is planned by its name, and its bool has to be true")
    func transact() async throws {
        let market = try LiveMarket()
        let plan = try await market.contracts().plan(
            try request("transfer", market.rival.address.checksummed, "5"),
            account: market.trader.address
        ).content
        #expect(plan.call.function == "transfer(address,uint256)")
        #expect(plan.values?.map(\.value) == [.bool(true)])
        let tooMuch = await #expect(throws: DexError.self) {
            try await market.contracts().plan(
                try request("transfer", market.rival.address.checksummed, UInt256.max.description),
                account: market.trader.address
            )
        }
        #expect(tooMuch?.code == "would-revert")
    }

    @Test("a name that is not there, or is of several functions, is told with what there is")
    func names() throws {
        let missing = #expect(throws: DexError.self) { try request("balanceof").signature() }
        #expect(missing?.code == "no-such-function" && missing?.exit == .usage)
        #expect(missing?.hint?.contains("balanceOf") == true)
        let several = #expect(throws: DexError.self) { try request("mint").signature() }
        #expect(several?.code == "ambiguous-function" && several?.exit == .usage)
        #expect(several?.hint?.contains("  mint()\n  mint(uint256)") == true)
        #expect(try request("mint(uint)").signature().function.signature == "mint(uint256)")
        let malformed = #expect(throws: DexError.self) { try request("mint(").signature() }
        #expect(malformed?.code == "bad-function")
        let others = #expect(throws: DexError.self) { try request("mint(bool)").signature() }
        #expect(others?.code == "no-such-function")
        let odd = #expect(throws: DexError.self) { try request("\u{1B}[31m").signature() }
        #expect(odd?.description.contains("\u{1B}") == false)
    }

    @Test("a revert with an error of the ABI is shown by name, hostile text cleaned")
    func reverts() async throws {
        let market = try LiveMarket()
        let denied = try ABIFunction("Denied(address,string)")
        let data = try denied.encode([.address(.zero), .string("no\u{1B}[2J way")])
        let reason = RevertReason(data, by: market.exchangeProtocol, abi: try abi())
        #expect(
            reason.text == "Denied(who 0x0000000000000000000000000000000000000000, note no way)"
        )
        #expect(RevertReason(data, by: market.exchangeProtocol) == .custom(data))
        let other = Array(data.prefix(3)) + [data[3] ^ 1] + data.dropFirst(4)
        #expect(RevertReason(other, by: market.exchangeProtocol, abi: try abi()) == .custom(other))
        let long = try denied.encode([
            .address(.zero), .string(String(repeating: "long ", count: 5_000)),
        ])
        #expect(RevertReason(long, by: market.exchangeProtocol, abi: try abi()).text.count <= 600)
    }

    @Test("a file that is no ABI is named", arguments: ["", "{", "[1]", "{}", "\u{0}"])
    func files(text: String) {
        let error = #expect(throws: DexError.self) { try abi(text) }
        #expect(error?.code == "bad-abi" && error?.exit == .usage)
        #expect(error?.message.hasPrefix("Token.json cannot be used:") == true)
    }
}
