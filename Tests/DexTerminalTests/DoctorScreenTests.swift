import DexTerminal
import Ethereum
import StrictJSON
import Testing

@testable import DexCore

@Suite("Screens and JSON of a checkup")
struct DoctorScreenTests {
    private static let node = "https://node.example:8545"

    private static let hash = "0x" + String(repeating: "5f", count: 32)

    private static let state = DoctorState(
        network: "mainnet",
        account: Fixtures.address(77),
        rows: [
            .ok(.settings, "/home/me/.config/dex/config.toml is read."),
            .fail(
                .policy,
                DexError(
                    .configuration,
                    code: "alterable-policy",
                    message: "Others than you may change /home/me/.config/dex/policy.toml, so its "
                        + "rules protect nothing; nothing is signed.",
                    hint: "Look through it, then: chmod 600 /home/me/.config/dex/policy.toml"
                )
            ),
            .ok(.node, node: node, "\(node) answers in 23 ms."),
            .ok(.chainID, node: node, "It is on chain 1."),
            .warn(
                .clock,
                node: node,
                "This machine's clock is at least 3 s behind the node's.",
                "Let the network set it: timedatectl set-ntp true"
            ),
            .warn(
                .logs,
                node: node,
                "It returns no \u{1B}[31mevents\u{202E}.",
                "Use another node: dex config set networks.mainnet.rpc URL"
            ),
            .skipped(.relay, "No node of chain 1 answers."),
            .fail(
                .transactions,
                "One transaction (fill), signed 200 s ago, is not mined yet: \(hash).",
                "Pay more for it: dex tx speedup \(hash)\nOr take it back: dex tx cancel \(hash)",
                .notMinedYet
            ),
        ]
    )

    private static let healthy = DoctorState(
        network: nil,
        account: nil,
        rows: [.ok(.settings, "/x is read.")]
    )

    /// Drawn by `ScreenTests` at 80 columns, and at every other width.
    static let screens: [(name: String, draw: ScreenTests.Draw)] = [
        ("doctor", { DoctorView(state).lines($0) }),
        ("doctor-healthy", { DoctorView(healthy).lines($0) }),
    ]

    @Test("without colours the marks say the same")
    func plain() throws {
        let screen = Screen(width: 80, style: .plain, now: Fixtures.now)
        try expectSnapshot(DoctorView(Self.state).lines(screen), named: "doctor-plain")
    }

    @Test("at 80 columns no line is longer, in colour and without")
    func width() {
        let screen = Screen(width: 80, style: .plain, now: Fixtures.now)
        for line in DoctorView(Self.state).lines(screen) {
            #expect(TerminalText.width(of: line) <= 80, "\(line)")
        }
    }

    @Test("each check is an object with its status, what was found and what mends it")
    func json() {
        let json = DoctorJSON.state(Self.state)
        #expect(json["network"] == "mainnet")
        #expect(json["account"]?.stringValue == Fixtures.address(77).checksummed)
        let rows = json["checks"]?.arrayValue ?? []
        #expect(
            rows.map { $0["status"] } == [
                "ok", "fail", "ok", "ok", "warn", "warn", "skipped", "fail",
            ]
        )
        #expect(rows[0]["node"] == .null && rows[0]["remedies"]?.arrayValue == [])
        #expect(rows[3]["check"] == "chain-id" && rows[3]["node"]?.stringValue == Self.node)
        #expect(rows[4]["remedies"] == ["Let the network set it: timedatectl set-ntp true"])
        #expect(rows[7]["remedies"]?.arrayValue?.count == 2)
        #expect(rows[5]["found"] == "It returns no events.")
        #expect(DoctorJSON.state(Self.healthy)["network"] == .null)
    }
}
