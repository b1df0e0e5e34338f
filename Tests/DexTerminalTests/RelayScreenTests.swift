import Ethereum
import StrictJSON
import Testing
import ZeroEx

@testable import DexCore
@testable import DexTerminal

@Suite("Screens about several relays")
struct RelayScreenTests {
    private static let state = RelayComparisonState(
        pair: Fixtures.pair,
        block: 123,
        timestamp: Fixtures.now,
        rows: [
            .init(
                relay: "https://relay-one.example",
                received: 120,
                usable: 100,
                onlyThere: 12,
                bid: Fixtures.price(1_190),
                ask: Fixtures.price(1_210),
                milliseconds: 84,
                failure: nil
            ),
            .init(
                relay: "https://two.example",
                received: 90,
                usable: 88,
                onlyThere: 0,
                bid: Fixtures.price(1_200),
                ask: nil,
                milliseconds: 1_240,
                failure: nil
            ),
            .init(
                relay: "http://127.0.0.1:3000",
                received: 0,
                usable: 0,
                onlyThere: 0,
                bid: nil,
                ask: nil,
                milliseconds: 10_000,
                failure: "no whole answer \u{1B}[31mcame within 10 s"
            ),
        ],
        usable: 100,
        bid: Fixtures.price(1_200),
        ask: Fixtures.price(1_210)
    )

    @Test("the comparison fits every width and names who is left out", arguments: [40, 80, 120])
    func comparison(width: Int) throws {
        let screen = Screen(width: width, style: .plain, now: Fixtures.now)
        let lines = RelayComparisonView(Self.state).lines(screen)
        #expect(lines.allSatisfy { TerminalText.width(of: $0) <= width })
        #expect(lines.allSatisfy { !$0.contains("\u{1B}") })
        try expectSnapshot(lines, named: "relays-\(width)")
    }

    @Test("the comparison as JSON has all that the screen has")
    func json() {
        let json = RelayJSON.comparison(Self.state)
        let relays = json["relayAnswers"]?.arrayValue ?? []
        #expect(relays.map { $0["state"]?.stringValue } == ["ok", "ok", "left-out"])
        #expect(relays[0]["onlyThere"]?.numberText == "12")
        #expect(relays[1]["ask"]?.isNull == true)
        #expect(relays[2]["reason"]?.stringValue?.contains("within 10 s") == true)
    }
}
