import Ethereum
import StrictJSON
import Testing
import ZeroEx

@testable import DexCore
@testable import DexStore
@testable import DexTerminal

/// What `dex watch` shows; `ScreenTests` compares the screens.
@Suite("Watching, shown")
struct WatchScreenTests {
    static let screens: [(name: String, draw: ScreenTests.Draw)] = [
        ("watch", { screen in notices.flatMap { WatchView($0).lines(screen) } }),
        (
            "watch-status",
            { screen in statuses.flatMap { screen.sentences(WatchText.sentence($0)) } }
        ),
    ]

    static let notices: [WatchNotice] = [
        notice(.fill), notice(.cancel), notice(.received), notice(.sent),
        notice(.sent, counterparty: Fixtures.address(77)), notice(.expiring), notice(.expired),
        notice(.unfunded), notice(.funded), notice(.fill, turn: 1), notice(.received, turn: 2),
        notice(.received, token: Fixtures.token(5, "E\u{1B}[31mVIL\u{202E}", "", nil)),
        notice(.wrapped, token: Fixtures.weth), notice(.unwrapped, token: Fixtures.weth),
        notice(.trade), notice(.trade, token: nil),
        notice(.sent, token: nil), notice(.received, token: nil, isReported: false),
        notice(.received, turn: 1, token: nil, isReported: false), alert,
    ]

    private static let statuses: [WatchStatus] = [
        .alertsUnknown("The book of ZRX/WETH has no bid that can be filled."), .alertsKnown,
        .alertsWithoutMean("The oracle of the pool v3:0.3% does not reach back 5 minutes."),
        .begun(next: 21_345_679), .attached(next: 21_345_679), .unread(from: 21_345_679),
        .rewound(to: 21_345_670),
        .nodeBehind(latest: 21_345_677, read: 21_345_678),
        .failing(
            DexError(
                .unreachable,
                code: "node-unreachable",
                message: "The node at https://node.example cannot be reached.",
                retryable: true
            )
        ),
        .relayFailing("The relay at https://relay.example cannot be reached: down."), .recovered,
        .etherPaymentsUnavailable(
            from: 21_300_000,
            reason: "The node answered with error -32000: no state."
        ),
        .etherReported(from: 21_345_552),
        .undelivered(sink: "webhook", reason: "It answered with HTTP status 500."),
        .deliveredAgain(sink: "webhook"),
        .givenUp(sink: "command", message: "00aa-0", reason: "It ended with status 3."),
    ]

    private static let alert = WatchNotice(
        network: "mainnet",
        chainID: 1,
        account: Fixtures.address(77),
        message: WatchMessage(
            row: 1,
            event: WatchEvent(
                key: UInt256(0xABC).word,
                kind: .alert,
                amount: .zero,
                alert: FiredAlert(id: 3, text: "ZRX/WETH < 0.00074", value: "0.00073"),
                place: WatchEvent.Place(
                    block: WatchedBlock(number: 21_345_678, hash: Fixtures.hash(9)),
                    logIndex: nil,
                    time: Fixtures.now - 12
                )
            ),
            turn: 0,
            noted: Fixtures.now,
            attempts: 0,
            nextTry: 0
        ),
        currency: .coin(.ether),
        other: nil
    )

    static func notice(
        _ kind: WatchEvent.Kind,
        turn: UInt64 = 0,
        counterparty: Address = Fixtures.address(78),
        token: Token? = Fixtures.zrx,
        isReported: Bool = true
    ) -> WatchNotice {
        let isTransfer = kind == .received || kind == .sent
        let isOfOrder =
            !isTransfer && kind != .wrapped && kind != .unwrapped && kind != .trade
        let isExchange = isOfOrder || kind == .trade
        let hasParty = isTransfer || kind == .fill || kind == .trade
        let isOnChain = kind.isInBlock
        let event = WatchEvent(
            key: UInt256(0xABC).word,
            kind: kind,
            orderHash: isOfOrder ? Fixtures.hash(31) : nil,
            transaction: isOnChain && isReported ? Fixtures.hash(600) : nil,
            token: token?.address,
            amount: Fixtures.milli(2_500),
            otherToken: isExchange ? Fixtures.weth.address : nil,
            otherAmount: isExchange ? Fixtures.milli(3) : nil,
            counterparty: isReported && hasParty ? counterparty : nil,
            expiry: isOnChain ? nil : UInt256(Fixtures.now + 700),
            place: WatchEvent.Place(
                block: WatchedBlock(number: 21_345_678, hash: Fixtures.hash(9)),
                logIndex: isOnChain && token != nil ? 4 : nil,
                time: Fixtures.now - 12
            )
        )
        return WatchNotice(
            network: "mainnet",
            chainID: 1,
            account: Fixtures.address(77),
            message: WatchMessage(
                row: 1,
                event: event,
                turn: turn,
                noted: Fixtures.now,
                attempts: 0,
                nextTry: 0
            ),
            currency: token.map { .token($0) } ?? .coin(.ether),
            other: isExchange
                ? TokenAmount(raw: Fixtures.milli(3), token: Fixtures.weth) : nil
        )
    }

    @Test("a payload of ids has no amount, price or party, in JSON, in words and in a template")
    func ids() throws {
        for kind in WatchEvent.Kind.allCases where kind != .alert {
            let notice = Self.notice(kind)
            let data = try #require(WatchJSON.line(notice, .ids)["data"]?.objectValue)
            #expect(
                data.members.map(\.key) == [
                    "eventId", "event", "phase", "network", "chainId", "account", "orderHash",
                    "transaction", "alert",
                ]
            )
            #expect(!JSONValue.object(data).text.contains("2.5"))
            #expect(WatchText.title(notice).contains("2.5"))
            #expect(!WatchText.title(notice, .ids).contains("2.5"))
        }
        #expect(WatchJSON.line(Self.alert, .ids)["data"]?["alert"] == ["id": 3])
        #expect(WatchText.title(Self.alert, .ids) == "Alert 3")
    }

    @Test("a template's fields are the event's own, without control characters")
    func template() throws {
        var notice = Self.notice(.fill, turn: 1)
        let template = try WatchTemplate("{phase} {event} {amount} for {wants}: {wallet} {alert}")
        let address = Fixtures.address(77).checksummed
        #expect(
            WatchText.text(template, notice) == "undone fill 2.5 ZRX for 0.003 WETH: \(address) "
        )
        notice.accountName = "bob\u{1B}[31m"
        #expect(WatchText.title(notice).hasPrefix("bob"))
        #expect(!WatchText.title(notice).contains("\u{1B}"))
        #expect(!WatchText.text(template, notice).contains("\u{1B}"))
        let form = WatchForm(template: template)
        #expect(WatchJSON.body(notice, form) == Array(WatchText.text(template, notice).utf8))
    }

    @Test("the line of an event names what it is of, and nothing that does not apply")
    func json() throws {
        let fill = WatchJSON.line(Self.notice(.fill))
        #expect(fill["schema"] == "dex/2" && fill["command"] == "watch")
        #expect(fill["exitCode"] == 0 && fill["error"]?.isNull == true)
        let data = try #require(fill["data"])
        #expect(data["eventId"] == "00000000000000000000000000000000-0")
        #expect(data["event"] == "fill" && data["phase"] == "new")
        #expect(data["orderHash"]?.stringValue == (Fixtures.hash(31) as OrderHash).hex)
        #expect(data["transaction"]?.stringValue == (Fixtures.hash(600) as OrderHash).hex)
        #expect(data["gives"]?["value"] == "2.5" && data["wants"]?["value"] == "0.003")
        #expect(data["amount"]?.isNull == true && data["expires"]?.isNull == true)
        #expect(data["counterparty"]?.stringValue == Fixtures.address(78).checksummed)
        #expect(data["block"]?.numberText == "21345678" && data["logIndex"]?.numberText == "4")
        let sent = WatchJSON.notice(Self.notice(.sent, turn: 1))
        #expect(sent["phase"] == "undone" && sent["amount"]?["value"] == "2.5")
        #expect(sent["gives"]?.isNull == true && sent["orderHash"]?.isNull == true)
        let paid = WatchJSON.notice(Self.notice(.received, token: nil, isReported: false))
        #expect(paid["amount"]?["symbol"] == "ETH" && paid["amount"]?["address"]?.isNull == true)
        #expect(paid["transaction"]?.isNull == true && paid["logIndex"]?.isNull == true)
        #expect(paid["block"]?.numberText == "21345678")
        let wrapped = WatchJSON.notice(Self.notice(.wrapped, token: Fixtures.weth))
        #expect(wrapped["event"] == "wrapped" && wrapped["amount"]?["symbol"] == "WETH")
        #expect(wrapped["counterparty"]?.isNull == true && wrapped["gives"]?.isNull == true)
        let expiring = WatchJSON.notice(Self.notice(.expiring))
        #expect(expiring["transaction"]?.isNull == true && expiring["logIndex"]?.isNull == true)
        #expect(expiring["expires"]?.numberText == "\(Fixtures.now + 700)")
    }

    @Test("the line of an alert has its number, its condition and what was found")
    func alert() {
        let data = WatchJSON.notice(Self.alert)
        #expect(data["event"] == "alert" && data["phase"] == "new")
        #expect(data["alert"]?["id"]?.numberText == "3")
        #expect(data["alert"]?["condition"] == "ZRX/WETH < 0.00074")
        #expect(data["alert"]?["found"] == "0.00073")
        for key in ["amount", "gives", "wants", "orderHash", "transaction"] {
            #expect(data[key]?.isNull == true, "\(key)")
        }
        #expect(WatchJSON.notice(Self.notice(.fill))["alert"]?.isNull == true)
    }

    @Test("every status has a word of its own, and bad news is a warning")
    func statuses() {
        let words = Self.statuses.map { WatchJSON.status($0)["status"]?.stringValue ?? "" }
        #expect(Set(words).count == Self.statuses.count)
        #expect(Self.statuses.map(WatchText.isWarning).filter { $0 }.count == 10)
    }
}
