import DexSandbox
import DexStore
import Ethereum
import EthereumWallet
import Testing

@testable import DexCore
@testable import DexCoreTestSupport

@Suite("Plans to send, wrap and unwrap: what is checked before anything is signed")
struct TransferPlanTests {
    @Test("a token's transfer is planned in one request, with fee and total")
    func token() async throws {
        let market = try LiveMarket()
        let plan = try await market.plan(market.send("5", "ZRX")).content
        #expect(market.node.rounds.count == 1)
        #expect(plan.kind == .send)
        #expect(plan.recipient == market.rival.address)
        #expect(plan.amount == TestMarket.units("5"))
        #expect(plan.balance == TestMarket.units("10000"))
        #expect(plan.paid.token?.address == TestMarket.zrx)
        #expect(plan.total == plan.gas.maxCost)
        #expect(plan.steps.map(\.purpose) == [.send])
        #expect(
            plan.steps.first?.summary == "send 5 ZRX to \(market.rival.address.checksummed)"
        )
        #expect(plan.warnings.isEmpty)
        #expect(market.node.sent.isEmpty)
        #expect(try market.journaled().isEmpty)
    }

    @Test("the total of ether has both the amount and the gas in it")
    func ether() async throws {
        let market = try LiveMarket()
        let plan = try await market.plan(market.send("1.5", "eth")).content
        #expect(plan.paid == .coin(.ether))
        #expect(
            plan.total.rawValue == TestMarket.units("1.5") + plan.gas.maxCost.rawValue
        )
        #expect(plan.gas.limit == 23_100)
    }

    @Test("a share of the coin keeps the fee, and a share of a token is of its balance")
    func shares() async throws {
        let market = try LiveMarket()
        let all = try await market.plan(market.send("max", "ETH")).content
        #expect(all.total.rawValue == all.balance)
        #expect(all.amount + all.gas.maxCost.rawValue == all.balance)
        let half = try await market.plan(market.send("50%", "ETH")).content
        #expect(half.amount == all.amount / 2)
        let tokens = try await market.plan(market.send("25%", "ZRX")).content
        #expect(tokens.amount == TestMarket.units("2500"))
        #expect(
            try await market.plan(market.send("1.5k", "ZRX")).content.amount
                == TestMarket.units("1500")
        )
        let poor = try LiveMarket(LiveMarket.Holdings(ether: "0"))
        let nothing = await refusal { try await poor.plan(poor.send("max", "ETH")) }
        #expect(nothing?.exit == .refused)
    }

    @Test("more than there is is refused, ether with its gas counted")
    func tooMuch() async throws {
        let market = try LiveMarket(LiveMarket.Holdings(ether: "1"))
        let zrx = await refusal { try await market.plan(market.send("10000.1", "ZRX")) }
        #expect(zrx?.code == "insufficient-balance")
        #expect(zrx?.exit == .refused)
        #expect(zrx?.message == "The account has 10000 ZRX, less than the 10000.1 ZRX.")
        for amount in ["1", "1.0000001", "999999999"] {
            let ether = await refusal { try await market.plan(market.send(amount, "ETH")) }
            #expect(ether?.code == "insufficient-ether", "\(amount)")
            #expect(ether?.message.contains("\(amount) ETH go along") == true)
        }
        let wrap = await refusal { try await market.plan(.wrap("1")) }
        #expect(wrap?.code == "insufficient-ether")
        let unwrap = await refusal { try await market.plan(.unwrap("100.5")) }
        #expect(unwrap?.message == "The account has 100 WETH, less than the 100.5 WETH.")
    }

    @Test("without ether for the gas a token is not sent")
    func noGas() async throws {
        let market = try LiveMarket(LiveMarket.Holdings(ether: "0"))
        let error = await refusal { try await market.plan(market.send("5", "ZRX")) }
        #expect(error?.code == "insufficient-ether")
        #expect(error?.message.contains("the gas may cost") == true)
        #expect(error?.message.contains("go along") == false)
    }

    @Test("nothing goes to the zero address, to tokens' contracts or to the exchange's")
    func lostRecipients() async throws {
        let market = try LiveMarket()
        let cases: [(String, Address, String)] = [
            ("ZRX", .zero, "is the zero address, and nobody's"),
            ("ETH", .zero, "is the zero address, and nobody's"),
            ("ETH", TokenMap.coinAddress, "is what other programs write for the coin"),
            ("ZRX", TestMarket.zrx, "is the contract of ZRX itself"),
            ("ZRX", TestMarket.weth, "is the contract of the token WETH"),
            ("ETH", TestMarket.usdc, "is the contract of the token USDC"),
            ("ZRX", TestMarket.exchange, "is a contract of the exchange"),
            ("ETH", TestMarket.proxy, "is a contract of the exchange"),
            (LiveMarket.heavy.checksummed, LiveMarket.heavy, "itself: what is sent there is lost"),
        ]
        for (asset, recipient, words) in cases {
            let error = await refusal {
                try await market.plan(market.send("1", asset, to: recipient))
            }
            #expect(error?.code == "bad-recipient", "\(asset) to \(recipient)")
            #expect(error?.exit == .refused)
            #expect(error?.message.contains(words) == true, "\(error?.message ?? "")")
        }
    }

    @Test(
        "a recipient with a wrong checksum, a name and other texts are exit 2 without a request",
        arguments: [
            "0xD8dA6BF26964aF9D7eEd9e03E53415D37aA96045", "0x12", "", "vitalik.eth",
            "0x0000000000000000000000000000000000000000g",
        ]
    )
    func badAddress(text: String) async throws {
        let market = try LiveMarket()
        let error = await refusal {
            try await market.plan(.send(asset: "ZRX", amount: "1", to: text))
        }
        #expect(error?.code == "bad-address")
        #expect(error?.exit == .usage)
        #expect(error?.message.contains("ENS") == (text == "vitalik.eth"))
        #expect(market.node.rounds.isEmpty)
    }

    @Test(
        "amounts that are none are exit 2",
        arguments: ["0", "0.0", "", "-1", "1e3", "all", "1.0000000000000000001", "1,5"]
    )
    func badAmount(text: String) async throws {
        let market = try LiveMarket()
        for request in [market.send(text, "ZRX"), .wrap(text), .unwrap(text)] {
            let error = await refusal { try await market.plan(request) }
            #expect(error?.code == "bad-amount")
            #expect(error?.exit == .usage)
        }
        #expect(market.node.rounds.isEmpty)
    }

    @Test("an unknown symbol is exit 2, an address that is no token is refused")
    func badToken() async throws {
        let market = try LiveMarket()
        #expect(await refusal { try await market.plan(market.send("1", "NOPE")) }?.exit == .usage)
        let stranger = market.makers[0].address.checksummed
        let error = await refusal { try await market.plan(market.send("1", stranger)) }
        #expect(error?.code == "not-a-token")
        #expect(error?.exit == .refused)
    }

    @Test("a token in no list is sent with a warning, and by the decimals of its contract")
    func unlisted() async throws {
        let market = try LiveMarket()
        let plan = try await market.plan(market.send("1.5", LiveMarket.heavy.checksummed)).content
        #expect(plan.amount == TestMarket.units("1.5"))
        #expect(plan.warnings.contains { $0.contains("is in no token list") })
    }

    @Test("decimals that the chain contradicts stop it")
    func decimals() async throws {
        let market = try LiveMarket()
        market.node.onRead { reads, answers in
            zip(reads, answers).map { read, answer in
                if case .call(let call, _) = read, call.data == ERC20.decimals {
                    .success(.bytes(UInt256(6).bigEndianBytes))
                } else {
                    answer
                }
            }
        }
        let error = await refusal { try await market.plan(market.send("1", "ZRX")) }
        #expect(error?.code == "decimals-mismatch")
    }

    @Test("an address without a checksum, the account itself and a contract are warned of")
    func warnings() async throws {
        let market = try LiveMarket()
        func warnings(_ to: String, _ asset: String = "ZRX") async throws -> [String] {
            try await market.plan(.send(asset: asset, amount: "1", to: to)).content.warnings
        }
        let lower = try await warnings(market.rival.address.lowercaseHex)
        #expect(lower.count == 1)
        #expect(lower[0].contains("compare \(market.rival.address.checksummed)"))
        let own = try await warnings(market.trader.address.checksummed)
        #expect(own == ["The recipient is the account itself: only gas would be spent."])
        let contract = try await warnings(LiveMarket.heavy.checksummed)
        #expect(contract.first?.hasPrefix("The recipient is a contract") == true)
        let wrapping = try await warnings(TestMarket.weth.checksummed, "ETH")
        #expect(wrapping.first?.contains("`dex wrap`") == true)
    }

    @Test("a node of another chain stops everything")
    func wrongChain() async throws {
        let market = try LiveMarket()
        market.node.onRead { reads, answers in
            zip(reads, answers).map { read, answer in
                read == .chainID ? .success(.number(1)) : answer
            }
        }
        for request in [market.send("1", "ZRX"), .wrap("1"), .unwrap("1")] {
            let error = await refusal { try await market.plan(request) }
            #expect(error?.code == "wrong-chain")
        }
    }

    @Test("a transfer that answers false, or reverts, is exit 10 before anything is signed")
    func wouldFail() async throws {
        let market = try LiveMarket()
        let answers: [Result<ChainAnswer, ChainError>] = [
            .success(.bytes(UInt256(0).bigEndianBytes)),
            .failure(.reverted(data: [], message: "execution reverted: paused")),
        ]
        for answer in answers {
            market.node.onRead { reads, genuine in
                zip(reads, genuine).map { read, real in
                    if case .call(let call, _) = read, call.data.starts(with: [0xA9, 0x05]) {
                        answer
                    } else {
                        real
                    }
                }
            }
            let error = await refusal { try await market.plan(market.send("1", "ZRX")) }
            #expect(error?.exit == .simulationFailed)
            #expect(error?.code == "would-revert")
        }
    }

    @Test("a network without wrapped ether cannot wrap, and one without an exchange can send")
    func otherNetworks() async throws {
        let market = try LiveMarket()
        var session = try market.session()
        session.network.weth = nil
        session.network.exchange = market.makers[0].address
        let model = TransferModel(
            session: session,
            journal: market.journal,
            settings: TradeSettings()
        )
        let wrap = await refusal {
            try await model.plan(.wrap("1"), account: market.trader.address)
        }
        #expect(wrap?.code == "no-weth")
        #expect(wrap?.exit == .configuration)
        let plan = try await model.plan(
            market.send("1", "ZRX"),
            account: market.trader.address
        )
        #expect(plan.content.amount == TestMarket.units("1"))
    }

    @Test("a cap below the gas refuses, and one below the wish is told")
    func cap() async throws {
        let market = try LiveMarket()
        let model = try market.transfers { $0.feeCap = Wei(1) }
        let error = await refusal {
            try await model.plan(market.send("1", "ZRX"), account: market.trader.address)
        }
        #expect(error?.code == "fee-cap")
    }
}
