import DexSandbox
import DexStore
import Ethereum
import EthereumWallet
import Testing

@testable import DexCore
@testable import DexCoreTestSupport

@Suite("Any contract is asked")
struct ContractReadTests {
    private func ask(
        _ market: LiveMarket,
        _ contract: String,
        _ function: String,
        _ arguments: String...,
        block: UInt64? = nil
    ) async throws -> ContractReadState {
        try await ContractReadModel(session: try market.session()).load(
            ContractRequest(contract: contract, function: function, arguments: arguments),
            caller: nil,
            block: block
        )
    }

    @Test("a function is asked by symbol or address, in one request")
    func reading() async throws {
        let market = try LiveMarket()
        let owner = market.trader.address.checksummed
        for contract in ["ZRX", TestMarket.zrx.checksummed, TestMarket.zrx.lowercaseHex] {
            let state = try await ask(market, contract, "balanceOf(address)(uint256)", owner)
            #expect(state.values?.map(\.value) == [.uint(TestMarket.units("10000"))])
            #expect(state.call.address == TestMarket.zrx)
            #expect(state.call.token?.symbol == "ZRX")
        }
        #expect(market.node.rounds.count == 3)
        let symbol = try await ask(market, "ZRX", "function symbol() view returns (string name)")
        #expect(symbol.values?.map(\.value) == [.string("ZRX")])
        #expect(symbol.values?.map(\.name) == ["name"])
        let raw = try await ask(market, "ZRX", "decimals()")
        #expect(raw.values == nil)
        #expect(raw.returned == UInt256(18).bigEndianBytes)
    }

    @Test("an older block is asked where one is named")
    func block() async throws {
        let market = try LiveMarket()
        _ = try await market.transfer(market.send("1", "ZRX"))
        let owner = market.trader.address.checksummed
        let function = "balanceOf(address)(uint256)"
        let then = try await ask(market, "ZRX", function, owner, block: 0)
        #expect(then.values?.map(\.value) == [.uint(TestMarket.units("10000"))])
        #expect(then.block == 0)
        let now = try await ask(market, "ZRX", function, owner)
        #expect(now.values?.map(\.value) == [.uint(TestMarket.units("9999"))])
    }

    @Test("what cannot be understood is exit 2, each with its own code, without a request")
    func badInput() async throws {
        let market = try LiveMarket()
        let cases: [(String, String, [String], String)] = [
            ("ZRX", "balanceOf", ["x"], "bad-function"),
            ("ZRX", "balanceOf(address", ["x"], "bad-function"),
            ("ZRX", "balanceOf(address)", [], "bad-arguments"),
            ("ZRX", "balanceOf(address)", ["0x1", "2"], "bad-arguments"),
            ("ZRX", "balanceOf(address)", ["0x12"], "bad-argument"),
            ("ZRX", "f(uint8)", ["256"], "bad-argument"),
            ("NOPE", "name()", [], "unknown-token"),
            ("0x12", "name()", [], "bad-address"),
            ("0xE41D2489571d322189246DaFA5ebDe1F4699F498", "name()", [], "bad-address"),
        ]
        for (contract, function, arguments, code) in cases {
            let request = ContractRequest(
                contract: contract,
                function: function,
                arguments: arguments
            )
            let session = try market.session()
            let read = await refusal {
                try await ContractReadModel(session: session).load(request, caller: nil)
            }
            #expect(read?.code == code, "\(contract) \(function) \(arguments)")
            #expect(read?.exit == .usage)
            let transact = await refusal {
                try await market.contracts().plan(request, account: market.trader.address)
            }
            #expect(transact?.code == code)
        }
        #expect(market.node.rounds.isEmpty)
    }

    @Test("a part of the coin goes along: of what the highest fee leaves")
    func relativeValue() async throws {
        let market = try LiveMarket()
        let ether = try await market.ether(of: market.trader.address)
        let all = try await market.plan("WETH", "deposit()", [], value: "max").content
        #expect(all.total.rawValue == ether && all.value > .zero)
        #expect(all.gas.maxCost > .zero)
        let half = try await market.plan("WETH", "deposit()", [], value: "50%").content
        #expect(half.value.rawValue == all.value.rawValue / 2)
        let thousand = await refusal {
            try await market.plan("WETH", "deposit()", [], value: "1k")
        }
        #expect(thousand?.code == "insufficient-ether")
        let bad = await refusal { try await market.plan("WETH", "deposit()", [], value: "101%") }
        #expect(bad?.code == "bad-amount" && bad?.exit == .usage)
        // It can be sent as planned.
        let planned = try await market.plan("WETH", "deposit()", [], value: "max")
        let outcome = try await market.contracts().execute(planned, signer: market.signer)
        #expect(outcome.exit == .done)
        // A question has no balance to take a part of.
        let session = try market.session()
        let read = await refusal {
            try await ContractReadModel(session: session).load(
                ContractRequest(
                    contract: "WETH",
                    function: "deposit()",
                    arguments: [],
                    value: "max"
                ),
                caller: market.trader.address
            )
        }
        #expect(read?.code == "bad-amount" && read?.exit == .usage)
    }

    @Test("an account is no contract, exit 6")
    func noContract() async throws {
        let market = try LiveMarket()
        let account = market.rival.address.checksummed
        let read = await refusal { try await ask(market, account, "name()(string)") }
        #expect(read?.code == "not-a-contract")
        #expect(read?.exit == .refused)
        let transact = await refusal {
            try await market.plan(account, "deposit()", [], value: "1")
        }
        #expect(transact?.code == "not-a-contract")
    }

    @Test("a revert is exit 10 with the contract's reason, in words that are safe to show")
    func reverts() async throws {
        let market = try LiveMarket()
        let words = try ABIFunction("Error(string)").encode([.string("not\u{1B}[2J today")])
        market.node.onRead { reads, answers in
            zip(reads, answers).map { read, answer in
                if case .call(let call, _) = read, call.to == TestMarket.zrx {
                    .failure(.reverted(data: words, message: "execution reverted"))
                } else {
                    answer
                }
            }
        }
        let read = await refusal { try await ask(market, "ZRX", "name()(string)") }
        #expect(read?.exit == .simulationFailed)
        #expect(
            read?.message
                == "name() of \(TestMarket.zrx.checksummed) fails: \"not\\u{1B}[2J today\"."
        )
        let transact = await refusal { try await market.plan("ZRX", "name()", []) }
        #expect(transact?.exit == .simulationFailed)
        #expect(transact?.message.contains("(\"not\\u{1B}[2J today\")") == true)
    }

    @Test("an answer that does not fit the types that were given is exit 2, with the bytes")
    func wrongTypes() async throws {
        let market = try LiveMarket()
        let error = await refusal { try await ask(market, "ZRX", "decimals()(string)") }
        #expect(error?.code == "bad-results")
        #expect(error?.exit == .usage)
        #expect(error?.message.contains("returned 32 bytes (0x00") == true)
    }
}
