import Ethereum
import Testing
import ZeroEx

@testable import DexCore
@testable import DexCoreTestSupport

@Suite("The questions of dex init")
struct SetupModelTests {
    private static let main = SetupWallet(name: "main", address: TestMarket.weth)

    /// The network's number in the list of `SetupBench`: live ones come before the sandbox.
    private static let mainNumber = "1"

    @Test("on a fresh machine two times Enter is a sandbox that runs")
    func sandbox() async throws {
        let dialog = ScriptedDialog(["", ""])
        let answers = try await SetupBench().model(dialog).answers()
        #expect(answers.network.name == "sandbox")
        #expect(answers.startsSandbox)
        #expect(answers.nodes == nil && answers.relays == nil && answers.wallet == nil)
        #expect(dialog.questions == [.network(usual: "sandbox"), .startSandbox])
        let running = ScriptedDialog([""])
        let again = try await SetupBench().model(running, isSandboxRunning: true).answers()
        #expect(!again.startsSandbox && running.questions.count == 1)
        let no = try await SetupBench().model(ScriptedDialog(["3", "n"])).answers()
        #expect(!no.startsSandbox)
    }

    @Test("the list has what is set up first, then live networks, then the sandbox")
    func list() async throws {
        let dialog = ScriptedDialog(["", ""])
        _ = try await SetupBench().model(dialog).answers()
        guard case .networks(let groups, let usual) = dialog.messages[1] else {
            Issue.record("\(dialog.messages)")
            return
        }
        #expect(groups.map(\.kind) == [.live, .local])
        #expect(groups.map { $0.networks.map(\.name) } == [["main", "swaps"], ["sandbox"]])
        #expect(usual == "sandbox")
        let own = ScriptedDialog([""])
        let bench = try SetupBench(nodes: [SetupBench.good], relay: SetupBench.relay)
        _ = try await bench.model(own, isSandboxRunning: true).answers()
        guard case .networks(let all, _) = own.messages[1] else {
            Issue.record("\(own.messages)")
            return
        }
        #expect(all.first?.kind == .yours && all.first?.networks.map(\.name) == ["main"])
        // A default network that is not known is not offered.
        let old = ScriptedDialog(["", "n"])
        #expect(try await SetupBench().model(old, network: "old").answers().network.isSandbox)
    }

    @Test("a number out of the list and an unknown network are asked for again")
    func wrongNetwork() async throws {
        let dialog = ScriptedDialog(["0", "9", "nonsense", "old", "main", "", "", "5"])
        let answers = try await SetupBench().model(dialog).answers()
        #expect(answers.network.name == "main")
        #expect(dialog.problems == ["unknown-network", "unknown-network"])
        #expect(dialog.messages.contains(.noChoice("0", count: 3, question: nil)))
        #expect(dialog.messages.contains(.noChoice("9", count: 3, question: nil)))
        #expect(dialog.left.isEmpty)
    }

    @Test("an address that fails its test says why and is asked for again; the next one is kept")
    func addresses() async throws {
        let dialog = ScriptedDialog(
            [
                Self.mainNumber, "node", SetupBench.otherChain, SetupBench.garbage,
                SetupBench.silent, SetupBench.account, SetupBench.good, SetupBench.otherRelay,
                SetupBench.relay, "5",
            ]
        )
        let answers = try await SetupBench().model(dialog).answers()
        #expect(
            dialog.problems == [
                "bad-url", "wrong-chain", "node-nonsense", "node-unreachable", "not-an-exchange",
                "other-exchange",
            ]
        )
        #expect(answers.nodes == [SetupBench.good] && answers.network.rpc == [SetupBench.good])
        #expect(answers.relays == [SetupBench.relay])
        #expect(answers.network.relays == [RelayEndpoint(url: SetupBench.relay)])
        #expect(answers.wallet == nil)
        // No key of a URL is shown.
        let node = "https://node.example"
        #expect(
            dialog.messages.contains(.nodeAnswers(node: node, chainID: 1337, hasExchange: true))
        )
        #expect(dialog.messages.contains(.relayAnswers(relay: "https://relay.example", pairs: 1)))
        #expect(!"\(dialog.messages)".contains("KEY"))
    }

    @Test("of several addresses each is tested; one that fails keeps none of them")
    func several() async throws {
        let both = "\(SetupBench.good),\(SetupBench.silent)"
        let dialog = ScriptedDialog([Self.mainNumber, both, "", SetupBench.emptyRelay, "5"])
        let answers = try await SetupBench().model(dialog).answers()
        #expect(dialog.problems == ["node-unreachable"])
        #expect(answers.nodes == nil)
        // A relay without pairs may get some: it is kept, and said.
        #expect(answers.relays == [SetupBench.emptyRelay])
        #expect(dialog.messages.contains(.relayAnswers(relay: "https://empty.example", pairs: 0)))
    }

    @Test("a network without an exchange is asked for no relay")
    func swapsOnly() async throws {
        let dialog = ScriptedDialog(["swaps", SetupBench.good, "5"])
        let answers = try await SetupBench().model(dialog).answers()
        #expect(answers.nodes == [SetupBench.good] && answers.relays == nil)
        #expect(dialog.questions.count == 3)
    }

    @Test("run again, Enter to everything changes nothing")
    func again() async throws {
        let bench = try SetupBench(nodes: [SetupBench.good], relay: SetupBench.relay)
        let dialog = ScriptedDialog(["", "", "", ""])
        let wallets = FakeWallets([SetupWallet(name: "other", address: nil), Self.main])
        let answers = try await bench.model(
            dialog,
            wallets,
            network: "main",
            wallet: "main"
        ).answers()
        #expect(answers.network == bench.networks[0])
        #expect(answers.nodes == nil && answers.relays == nil)
        #expect(answers.wallet == Self.main)
        #expect(
            dialog.questions == [
                .network(usual: "main"), .node(known: ["https://node.example"]),
                .relay(known: ["https://relay.example"]), .wallet(usual: 2),
            ]
        )
        #expect(wallets.made.isEmpty)
    }

    @Test(
        "each way to a wallet",
        arguments: [
            (["", "mine"], "new mine"), (["1", ""], "new wallet-1"),
            (["2", "/f", ""], "keystore wallet-1 from /f"), (["3", "k"], "key k from -"),
            (["4", "w"], "words w from -"),
        ]
    )
    func wallets(lines: [String], made: String) async throws {
        let wallets = FakeWallets()
        let dialog = ScriptedDialog([Self.mainNumber, "", ""] + lines)
        let answers = try await SetupBench().model(dialog, wallets).answers()
        #expect(wallets.made == [made])
        #expect(answers.wallet?.name == String(made.split(separator: " ")[1]))
        #expect(dialog.messages.last == answers.wallet.map { SetupMessage.walletReady($0) })
    }

    @Test("what goes wrong with a wallet is said, and asked for again")
    func walletAgain() async throws {
        let wrong = DexError(.wallet, code: "wrong-password", message: "Wrong.")
        let weak = DexError(.usage, code: "weak-password", message: "Weak.")
        let wallets = FakeWallets([Self.main], failures: [wrong, weak])
        let dialog = ScriptedDialog(
            [
                // A keystore of no path goes back to the list.
                Self.mainNumber, "", "", "99", "mian", "3", "", "3", "/f", "a", "2", "main", "b",
                "2", "b",
            ]
        )
        let answers = try await SetupBench().model(dialog, wallets).answers()
        #expect(dialog.problems == ["wrong-password", "bad-name", "weak-password"])
        #expect(wallets.made == ["new b"])
        #expect(answers.wallet?.name == "b")
        #expect(dialog.messages.contains(.noChoice("99", count: 6, question: nil)))
        let meant = dialog.messages.contains { message in
            guard case .noChoice("mian", _, let question?) = message else { return false }
            return question.contains("main")
        }
        #expect(meant)
        #expect(dialog.left.isEmpty)
        let byName = ScriptedDialog([Self.mainNumber, "", "", "main"])
        let found = FakeWallets([Self.main])
        #expect(try await SetupBench().model(byName, found).answers().wallet == Self.main)
    }

    @Test("Ctrl-C and Ctrl-D at any question end it, and no wallet was made", arguments: 0..<5)
    func interrupted(at place: Int) async throws {
        let all = [Self.mainNumber, SetupBench.good, SetupBench.relay, "1", "mine"]
        for key in [ScriptedDialog.interrupt, ScriptedDialog.end] {
            let wallets = FakeWallets()
            let dialog = ScriptedDialog(all[..<place] + [key])
            let model = try SetupBench().model(dialog, wallets)
            await #expect {
                try await model.answers()
            } throws: { error in
                key == ScriptedDialog.interrupt
                    ? error is CancellationError : (error as? DexError)?.exit == .declined
            }
            #expect(wallets.made.isEmpty)
            #expect(dialog.questions.count == place + 1)
        }
    }

    @Test("Ctrl-C during a test is no failure of the address")
    func interruptedTest() async throws {
        let dialog = ScriptedDialog([Self.mainNumber, SetupBench.silent])
        let model = try SetupBench().model(
            dialog,
            onSession: { withUnsafeCurrentTask { $0?.cancel() } }
        )
        let task = Task { try await model.answers() }
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(dialog.problems.isEmpty)
    }

    // MARK: Flags

    @Test("flags alone change what they name, and nothing else")
    func flags() async throws {
        let wallets = FakeWallets()
        let answers = try await SetupBench().model(
            nil,
            wallets,
            flags: SetupFlags(
                network: "main",
                nodes: [SetupBench.good],
                wallet: .imported(.key, file: "/f", name: "k")
            )
        ).answers()
        #expect(answers.network.name == "main")
        #expect(answers.nodes == [SetupBench.good] && answers.relays == nil)
        #expect(wallets.made == ["key k from /f"])
        let nothing = try await SetupBench().model(nil, network: "main").answers()
        #expect(nothing.network.name == "main")
        #expect(nothing.nodes == nil && nothing.relays == nil && nothing.wallet == nil)
        // The sandbox has accounts of its own, and is not started unasked.
        let alice = SetupFlags(wallet: .existing("alice"))
        let sandbox = try await SetupBench().model(nil, flags: alice).answers()
        #expect(!sandbox.startsSandbox && sandbox.wallet == nil)
    }

    @Test("a flag that cannot be used is the error, before any wallet is made")
    func badFlags() async throws {
        let cases: [(SetupFlags, ExitCode, String)] = [
            (SetupFlags(network: "nonsense"), .configuration, "unknown-network"),
            (SetupFlags(nodes: [SetupBench.otherChain]), .configuration, "wrong-chain"),
            (SetupFlags(nodes: [SetupBench.silent]), .unreachable, "node-unreachable"),
            (SetupFlags(relays: [SetupBench.otherRelay]), .configuration, "other-exchange"),
            (SetupFlags(wallet: .existing("nobody")), .wallet, "unknown-wallet"),
        ]
        for (flags, exit, code) in cases {
            var flags = flags
            if flags.wallet == nil { flags.wallet = .new("k") }
            let wallets = FakeWallets()
            let model = try SetupBench().model(nil, wallets, flags: flags, network: "main")
            await #expect {
                try await model.answers()
            } throws: { error in
                let error = error as? DexError
                return error?.code == code && error?.exit == exit
            }
            #expect(wallets.made.isEmpty, "\(code)")
        }
    }

    @Test("on a terminal a flag answers its question, and one that fails is asked for")
    func flagsAndQuestions() async throws {
        let dialog = ScriptedDialog([SetupBench.good, ""])
        let wallets = FakeWallets()
        let answers = try await SetupBench().model(
            dialog,
            wallets,
            flags: SetupFlags(network: "main", nodes: [SetupBench.silent], wallet: .new("k"))
        ).answers()
        #expect(answers.nodes == [SetupBench.good])
        #expect(answers.wallet?.name == "k")
        #expect(dialog.questions == [.node(known: []), .relay(known: [])])
        #expect(dialog.problems == ["node-unreachable"])
    }
}
