import DexCore
import Ethereum
import StrictJSON
import Testing
import ZeroEx

@testable import DexTerminal

/// What `dex init` shows: its dialogue and its end.
@Suite("Screens of dex init")
struct SetupScreenTests {
    private static let main = SetupWallet(name: "main", address: Fixtures.address(77))

    private static let networks = Result { try NetworkCatalog.bundled() }

    /// All that a user meets on the way to a network with several mistakes, with the questions.
    private static let dialogue: ScreenTests.Draw = { screen in
        // An error: the embedded list is damaged, and the screen is not as recorded.
        let networks = (try? networks.get()) ?? []
        let sorted = NetworkGroup.groups(networks).flatMap(\.networks)
        let failure = DexError(
            .configuration,
            code: "wrong-chain",
            message: "The node is on chain 5 but the network \"base\" is chain 8453.",
            hint: "Check --network and --rpc; nothing was signed."
        )
        var lines: [String] = []
        func show(_ message: SetupMessage) {
            lines += SetupDialogText.lines(message, screen)
        }
        func ask(_ question: SetupQuestion, _ answer: String) {
            lines.append(SetupDialogText.prompt(question) + answer)
        }
        show(.welcome)
        show(.networks(NetworkGroup.groups(networks), usual: "sandbox"))
        ask(.network(usual: "sandbox"), "99")
        show(.noChoice("99", count: sorted.count, question: nil))
        ask(.network(usual: "sandbox"), "mainnet")
        for name in ["mainnet", "celo", "scroll"] {
            if let network = sorted.first(where: { $0.name == name }) { show(.network(network)) }
        }
        ask(.node(known: []), "https://other.example")
        show(.problem(failure))
        ask(.node(known: ["https://a.example", "https://b.example"]), "")
        show(.nodeAnswers(node: "https://a.example", chainID: 1, hasExchange: true))
        show(.nodeAnswers(node: "https://a.example", chainID: 534_352, hasExchange: false))
        ask(.relay(known: []), "https://relay.example/v0")
        show(.relayAnswers(relay: "https://relay.example", pairs: 12))
        show(.relayAnswers(relay: "https://relay.example", pairs: 0))
        show(
            .wallets(
                [.existing(main, isDefault: true), .new]
                    + SetupWalletForm.allCases.map { .imported($0) }
                    + [.none]
            )
        )
        ask(.wallet(usual: 1), "mian")
        show(.noChoice("mi\u{1B}[31man", count: 6, question: "Did you mean main?"))
        ask(.wallet(usual: 1), "3")
        ask(.keystoreFile, "~/key")
        ask(.walletName(usual: "wallet-1"), "")
        show(.walletReady(main))
        ask(.startSandbox, "")
        return lines
    }

    private static func state(
        _ name: String,
        checkup: DoctorState?,
        wallet: SetupWallet? = nil,
        isSandboxRunning: Bool = false
    ) throws -> SetupState {
        let network = try #require(try networks.get().first { $0.name == name })
        return SetupState(
            network: network,
            file: "/home/me/.config/dex/config.toml",
            changes: checkup == nil
                ? [
                    .init(key: "network", value: "\"celo\""),
                    .init(key: "networks.celo.rpc", value: "[\"https://node.example\"]"),
                ] : [],
            wallet: wallet,
            hasAccount: false,
            isSandboxRunning: isSandboxRunning,
            explorer: isSandboxRunning ? "http://127.0.0.1:8545/" : nil,
            tokens: try TokenMap(chainID: network.chainID),
            checkup: checkup
        )
    }

    private static let checkup = DoctorState(
        network: "celo",
        account: nil,
        rows: [.ok(.settings, "/x is read."), .skipped(.relay, "There is none.")]
    )

    private static func draw(_ state: @escaping @Sendable () throws -> SetupState)
        -> ScreenTests.Draw
    {
        { screen in
            do {
                return SetupView(try state()).lines(screen)
            } catch {
                return ["\(error)"]
            }
        }
    }

    /// Drawn by `ScreenTests` at 80 columns, and at every other width.
    static let screens: [(name: String, draw: ScreenTests.Draw)] = [
        ("init-dialogue", dialogue),
        ("init-missing", draw { try state("celo", checkup: checkup) }),
        (
            "init-sandbox",
            draw { try state("sandbox", checkup: checkup, isSandboxRunning: true) }
        ),
        (
            "init-dry-run",
            draw {
                try state("celo", checkup: nil, wallet: SetupWallet(name: "main", address: nil))
            }
        ),
    ]

    @Test("the JSON has what a script needs, and of a dry run no checkup")
    func json() throws {
        let data = SetupJSON.state(
            try Self.state("fantom", checkup: Self.checkup, wallet: Self.main)
        )
        #expect(data["network"] == "fantom")
        #expect(data["path"] == "/home/me/.config/dex/config.toml")
        #expect(data["wallet"]?["name"] == "main")
        #expect(data["wallet"]?["address"] == .string(Fixtures.address(77).checksummed))
        #expect(data["missingParts"]?.arrayValue?.count == 3)
        #expect(
            data["missingParts"]?.arrayValue?.first?["command"]
                == "dex config set networks.fantom.rpc URL"
        )
        #expect(data["next"] == "dex doctor")
        #expect(data["checkup"]?["checks"]?.arrayValue?.count == 2)
        let dry = SetupJSON.state(try Self.state("celo", checkup: nil))
        #expect(dry["newSettings"]?["networks.celo.rpc"] == "[\"https://node.example\"]")
        #expect(dry["checkup"] == .null && dry["wallet"] == .null)
    }
}
