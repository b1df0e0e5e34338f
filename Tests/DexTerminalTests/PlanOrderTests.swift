import DexCore
import Ethereum
import Testing

@testable import DexTerminal

/// Every plan has its rows in one order, the money right above the question.
@Suite("The order of rows in plans")
struct PlanOrderTests {
    /// The labels of all plans, as they stand one below the other.
    private static let order = [
        "account", "block", "hash", "token", "base", "quote", "venue", "shown by", "relay",
        "fees to", "filled by", "data", "signed", "signs", "asks", "exchange", "gas", "steps",
        "note", "order", "replaces", "left out", "nonce", "contract", "function", "calls", "by",
        "to", "only for", "goes to", "when", "now", "limit", "expires", "returns", "amount",
        "spend", "pay", "pays", "give", "sends along", "ether", "receive", "receives", "get",
        "allows", "then", "price", "mid", "market", "impact", "fees", "maker fee", "maker fees",
        "taker fee", "taker fees", "network fee", "data fee", "total", "total ether", "balance",
    ]

    /// What some plans say in another place than a row of that name has elsewhere.
    private static let exceptions: [String: [String: String]] = [
        "allowance": ["token": "contract", "now": "allows"],
        "broadcast": ["to": "contract"],
    ]

    private static let plans = ScreenTests.screens.filter { screen in
        let name = screen.name
        return ["plan", "transact-unread", "allowance"].contains { name.contains($0) }
            && draws(screen.draw)
    }

    /// A plan begins with its title, an empty line, and the account.
    private static func draws(_ draw: ScreenTests.Draw) -> Bool {
        let lines = draw(Screen(width: 120, style: .plain, now: Fixtures.now))
        return lines.count { $0.hasPrefix("  account ") } == 1
    }

    private static func place(_ label: String, in name: String) -> Int? {
        let kind = exceptions.first { name.contains($0.key) }?.value
        // A balance has its token's symbol as label.
        let isSymbol = ["ZRX", "WETH", "ETH", "USDC"].contains(label)
        return order.firstIndex(of: kind?[label] ?? (isSymbol ? "balance" : label))
    }

    @Test("one order for all plans", arguments: plans.map(\.name))
    func rows(name: String) throws {
        let draw = try #require(Self.plans.first { $0.name == name }).draw
        let lines = draw(Screen(width: 160, style: .plain, now: Fixtures.now))
        let blocks = lines.split(separator: "", omittingEmptySubsequences: false)
        // Lists and warnings stand in between.
        let rows = [1, blocks.count - 1].flatMap { blocks[$0] }.compactMap { line in
            line.firstMatch(of: #/^  (\S.*?)  +\S/#).map { String($0.output.1) }
        }
        #expect(rows.first == "account")
        let places = rows.map { label in
            let place = Self.place(label, in: name)
            #expect(place != nil, "\(name): \(label) has no place")
            return place ?? 0
        }
        #expect(places == places.sorted(), "\(name): \(rows)")
    }

    @Test("every operation is walked over")
    func all() {
        let names = Self.plans.map(\.name).joined(separator: " ")
        for word in [
            "plan", "fill", "limit", "replace", "ladder", "cancel", "send", "wrap", "allowance",
            "transact", "speedup", "tx-cancel", "broadcast", "guard", "swap",
        ] { #expect(names.contains(word), "\(word)") }
    }

    @Test("the account is named once", arguments: plans.map(\.name), [40, 80, 160])
    func accountOnce(name: String, width: Int) throws {
        let draw = try #require(Self.plans.first { $0.name == name }).draw
        let lines = draw(Screen(width: width, style: .plain, now: Fixtures.now))
        #expect(lines.count { $0.hasPrefix("  account ") } == 1)
        let account = try #require(
            draw(Screen(width: 160, style: .plain, now: Fixtures.now)).first {
                $0.hasPrefix("  account ")
            }?.split(separator: " ").last
        )
        #expect(lines.count { $0.contains(account) } <= 1, "\(name) at \(width)")
    }

    @Test("what is paid and what comes stay above the question at 40 columns")
    func narrow() throws {
        for (name, draw) in Self.plans {
            let lines = draw(Screen(width: 40, style: .plain, now: Fixtures.now))
            let last = try #require(
                lines.split(separator: "", omittingEmptySubsequences: false).last
            )
            #expect(last.count <= PlanScreen.maximumNumbers, "\(name)")
            for label in ["pay", "give", "receive", "get", "network fee"]
            where lines.contains(where: { $0.hasPrefix("  \(label) ") }) {
                #expect(last.contains { $0.hasPrefix("  \(label) ") }, "\(name): \(label)")
            }
        }
    }

    @Test("each decisive row has its turn to leave, and no other")
    func leaving() {
        #expect(PlanRow.leaving.sorted() == PlanRow.allCases.filter(\.isDecisive))
    }
}
