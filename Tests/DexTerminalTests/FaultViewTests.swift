import DexTerminal
import Ethereum
import Testing

@Suite("Screens of faults")
struct FaultViewTests {
    private static let list = FaultList(
        rows: [
            .init(
                name: "flaky",
                server: "node",
                effect: "30 % fail: cut, lost, body, 429, 503",
                struck: "12 of 40"
            ),
            .init(
                name: "stuck",
                server: "chain",
                effect: "the base fee rises above what is paid",
                struck: "1 of 1"
            ),
            .init(name: "wrong-chain", server: "chain", effect: "says it is 5", struck: ""),
        ],
        block: 12,
        baseFee: Wei(8_933_158_444),
        waiting: (501...505).map { Fixtures.hash($0) }
    )

    private static let reorganization = ReorganizationState(
        fork: 2,
        block: 6,
        replaced: 3,
        transactions: zip(["pool", "gone", "mined"], 3...).map { now, block in
            .init(
                hash: Fixtures.hash(UInt64(block)),
                block: UInt64(block),
                now: now
            )
        }
    )

    private static let screens: [(name: String, draw: @Sendable (Screen) -> [String])] = [
        ("faults", { FaultView(list, news: ["Every answer comes 2 s later."]).lines($0) }),
        (
            "faults-none",
            {
                let none = FaultList(rows: [], block: 0, baseFee: Wei(875_000_000), waiting: [])
                return FaultView(none).lines($0)
            }
        ),
        ("reorganization", { ReorganizationView(reorganization).lines($0) }),
    ]

    @Test("each is as recorded at 80 columns", arguments: screens.map(\.name))
    func recorded(name: String) throws {
        let draw = try #require(Self.screens.first { $0.name == name }).draw
        try expectSnapshot(
            draw(Screen(width: 80, style: .marked, now: Fixtures.now)),
            named: name
        )
    }

    @Test("each survives every width", arguments: [1, 10, 40, 79, 130])
    func everyWidth(width: Int) {
        for (name, draw) in Self.screens {
            #expect(!draw(Screen(width: width, style: .plain, now: 0)).isEmpty, "\(name)")
        }
    }
}
