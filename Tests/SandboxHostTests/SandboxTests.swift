import DexNetwork
import DexRelay
import DexSandbox
import DexTestSupport
import Ethereum
import EthereumWallet
import Foundation
import NetworkTestSupport
import StrictJSON
import Testing
import ZeroEx

@testable import SandboxHost

/// A whole sandbox, spoken to over its sockets by the clients that `dex` uses.
@Suite struct SandboxTests {
    private static let transport = CurlTransport(options: .patient(environment: { _ in nil }))

    /// Runs a sandbox while the body talks to it.
    func running(
        _ options: Sandbox.Options,
        _ body: @escaping @Sendable (Sandbox.Report) async throws -> Void
    ) async throws {
        let (reports, sender) = AsyncStream.makeStream(of: Sandbox.Report.self)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                defer { sender.finish() }
                try await Sandbox(options: options).run { sender.yield($0) }
            }
            group.addTask {
                guard let report = try await reports.next("the sandbox's start") else { return }
                try await body(report)
            }
            try await group.next()
            group.cancelAll()
            try await group.waitForAll()
        }
    }

    private func relay(
        _ report: Sandbox.Report,
        _ venue: SandboxDeployment = SandboxDeployment(.v1)
    ) throws -> any RelayClient {
        RelayClients.client(
            baseURL: try #require(report.state.relay(venue.version)),
            exchangeProtocol: venue.exchangeProtocol,
            transport: Self.transport
        )
    }

    private func chain(_ report: Sandbox.Report) -> JSONRPCChainClient {
        JSONRPCChainClient(urls: [report.state.rpc], transport: Self.transport)
    }

    @Test("node and relay answer, with a whole market that is funded on the chain")
    func fresh() async throws {
        let folder = try TemporaryFolder()
        var options = Sandbox.Options(folder: folder.value)
        options.isInMemory = true
        options.version = "9.8.7"
        try await running(options) { report in
            #expect(report.isSeeded)
            let url = try #require(report.state.relay(.v1)?.replacing(/\/v0$/, with: "/relay.json"))
            let reported = try await Self.transport.send(HTTPRequest(.get, url: url))
            #expect(try JSONParser.parse(reported.body)["version"]?.stringValue == "9.8.7")
            #expect(report.orders == [5 * 84, 5 * 84])
            #expect(report.state.networks.map(\.name) == ["sandbox", "sandbox-v4"])
            #expect(report.state.networks.map(\.version) == [.v1, .v4])
            #expect(try SandboxState.read(folder.value) == report.state)
            let chain = chain(report)
            #expect(try await chain.read(.chainID) == 1337)
            for (venue, offer) in zip(SandboxDeployment.all(), report.state.networks) {
                let book = try await relay(report, venue).orderbook(
                    base: SandboxTokens.zrx.address,
                    quote: SandboxTokens.weth.address
                )
                #expect(book.bids.orders.count == 42)
                #expect(book.asks.orders.count == 42)
                let auditor = OrderAuditor(
                    exchangeProtocol: venue.exchangeProtocol,
                    chain: chain,
                    contracts: venue.contracts
                )
                let orders = book.bids.orders + book.asks.orders
                let audits = try await auditor.audit(orders)
                #expect(audits.allSatisfy { $0.shortage == nil })
                #expect(audits.count { $0.fillable < $0.state.filled + $0.state.remaining } == 6)
                let url = try #require(offer.relay)
                #expect(
                    await RelayClients.orderCount(
                        baseURL: url,
                        version: offer.version,
                        transport: Self.transport
                    ) == 420
                )
            }
        }
        #expect(try SandboxState.read(folder.value) == nil)
        #expect(!FileManager.default.fileExists(atPath: folder.value.stateFile))
        #expect(!FileManager.default.fileExists(atPath: folder.value.chainFile))
    }

    @Test("without named accounts only funded addresses own anything, under the chosen chain id")
    func withoutAccounts() async throws {
        let folder = try TemporaryFolder()
        var options = Sandbox.Options(folder: folder.value)
        let owner = Address(truncating: UInt256(0xabc).word)
        options.choices.chainID = 5_555
        options.choices.coin = CoinSymbol("LAB")
        options.choices.hasNamedAccounts = false
        options.choices.funded = [owner]
        let fixed = options
        func check(_ options: Sandbox.Options) async throws {
            try await running(options) { report in
                #expect(report.orders == [0, 0])
                #expect(report.state.accounts.isEmpty)
                #expect(try report.state.namedAccounts().all.isEmpty)
                #expect(report.state.chainID == 5_555)
                #expect(report.state.coin.text == "LAB")
                let chain = chain(report)
                #expect(try await chain.read(.chainID) == 5_555)
                let ether = try await chain.read(.balance(owner, .latest))
                #expect(ether == Wei(100_000_000_000_000_000_000_000))
                for account in try SandboxAccounts(seed: 1).all {
                    #expect(try await chain.read(.balance(account.address, .latest)) == .zero)
                }
                for token in SandboxTokens.all {
                    let answer = try await chain.call(
                        CallRequest(
                            from: owner,
                            to: token.address,
                            data: ERC20.balanceOf(owner)
                        )
                    )
                    #expect(UInt256(bigEndian: answer) ?? .zero > .zero)
                }
                let version = SandboxDeployment(.v4, chainID: 5_555)
                let contract = version.exchangeProtocol
                let calls = contract.contractCalls(exchange: version.contracts.exchange)
                var answers: [[UInt8]] = []
                for call in calls { answers.append(try await chain.call(call)) }
                let found = try contract.contracts(
                    exchange: version.contracts.exchange,
                    answers: answers
                )
                #expect(found.exchange == version.contracts.exchange)
            }
        }
        try await check(fixed)
        try await check(Sandbox.Options(folder: folder.value))
    }

    @Test("the contract of v4 takes the protocol fee that was asked for, also after a restart")
    func protocolFee() async throws {
        let folder = try TemporaryFolder()
        var options = Sandbox.Options(folder: folder.value)
        options.choices.protocolFee = 70_000
        options.choices.orders = 2
        func multiplier(_ options: Sandbox.Options) async throws {
            try await running(options) { report in
                let exchange = SandboxDeployment(.v4)
                let calls = exchange.exchangeProtocol.contractCalls(
                    exchange: exchange.contracts.exchange
                )
                var answers: [[UInt8]] = []
                for call in calls { answers.append(try await chain(report).call(call)) }
                let contracts = try exchange.exchangeProtocol.contracts(
                    exchange: exchange.contracts.exchange,
                    answers: answers
                )
                #expect(contracts.protocolFeeMultiplier == 70_000)
                #expect(report.orders == [2 + 4 * 84, 2 + 4 * 84])
            }
        }
        try await multiplier(options)
        try await multiplier(Sandbox.Options(folder: folder.value))
        options.choices.protocolFee = 0
        let other = options
        await #expect(
            throws: SandboxHostError.otherSettings(
                name: "protocol-fee",
                found: "70000",
                asked: "0"
            )
        ) {
            try await Sandbox(options: other).run { _ in }
        }
    }

    @Test("what was posted is there after a restart, and the same accounts own the same")
    func restart() async throws {
        let folder = try TemporaryFolder()
        let options = Sandbox.Options(folder: folder.value)
        let accounts = try SandboxAccounts(seed: 1)
        let bob = try #require(accounts.signer(named: "bob"))
        let order = try await ZeroExV1().sign(
            OrderDraft(
                exchange: SandboxTokens.contracts.exchange,
                maker: bob.address,
                makerToken: SandboxTokens.weth.address,
                takerToken: SandboxTokens.zrx.address,
                makerAmount: 750_000_000_000_000,
                takerAmount: 1_000_000_000_000_000_000,
                expiry: UInt256(Sandbox.systemTime() + 3600),
                salt: 5
            ),
            with: bob
        )
        try await running(options) { report in
            try await relay(report).post(order)
        }
        try await running(options) { report in
            #expect(!report.isSeeded)
            #expect(report.orders == [5 * 84 + 1, 5 * 84])
            let found = try await relay(report).order(order.hash)
            #expect(found?.hash == order.hash)
            let data = ERC20.balanceOf(bob.address)
            let answer = try await chain(report).call(
                CallRequest(to: SandboxTokens.weth.address, data: data)
            )
            #expect(UInt256(bigEndian: answer) == 50_000_000_000_000_000_000)
        }
    }

    @Test("a sandbox in memory takes no journal over and leaves none, and disturbs no kept one")
    func memory() async throws {
        let folder = try TemporaryFolder()
        var options = Sandbox.Options(folder: folder.value)
        options.isInMemory = true
        let journal = folder.value.journalFile
        try SandboxFolder.replace(journal, with: [1])
        try await running(options) { _ in
            #expect(!FileManager.default.fileExists(atPath: journal))
            try SandboxFolder.replace(journal, with: [2])
        }
        #expect(!FileManager.default.fileExists(atPath: journal))
        _ = try SandboxSettings.load(folder.value, now: 60)
        let again = options
        let error = await #expect(throws: SandboxHostError.self) {
            try await Sandbox(options: again).run { _ in }
        }
        #expect(error == .keptHere(folder: folder.value.path))
        #expect(error?.description.contains("leave --memory out") == true)
    }

    @Test("two sandboxes do not share a folder, and a port that is taken is told by name")
    func conflicts() async throws {
        let folder = try TemporaryFolder()
        let elsewhere = try TemporaryFolder()
        var options = Sandbox.Options(folder: folder.value)
        options.isInMemory = true
        let first = options
        try await running(first) { report in
            await #expect(throws: SandboxHostError.alreadyRunning(folder: folder.value.path)) {
                try await Sandbox(options: first).run { _ in }
            }
            let port = try #require(
                report.state.networks.first?.relay?.dropLast(3).split(separator: ":").last
            )
            var second = Sandbox.Options(folder: elsewhere.value)
            second.isInMemory = true
            second.relayPort = try #require(Int(port))
            let taken = second
            let error = await #expect(throws: SandboxHostError.self) {
                try await Sandbox(options: taken).run { _ in }
            }
            #expect(error?.description.contains("The relay cannot listen on port \(port)") == true)
        }
    }
}
