import DexStore
import Ethereum
import StrictJSON
import Testing

@testable import DexCore
@testable import DexTerminal

/// Allowances of any spender, in tokens and in Permit2, and how they are taken back.
extension Fixtures {
    static func grant(
        _ token: Token,
        _ allowance: UInt256?,
        to name: String? = nil,
        _ spender: UInt64 = 78,
        permit2: Permit2Terms? = nil
    ) -> TokenGrant {
        TokenGrant(
            token: token,
            spender: address(spender),
            name: name,
            allowance: allowance,
            permit2: permit2
        )
    }

    static let others = [
        grant(usdc, 5_250_000, to: "Permit2", 22), grant(zrx, .max, to: "bo\u{1B}[31mb"),
        grant(weth, nil, 79),
    ]

    static let inPermit2 = [
        grant(
            usdc,
            Permit2Terms.unlimited,
            to: "router",
            80,
            permit2: Permit2Terms(expiration: now + 30 * 86_400, tokenAllowance: 5_250_000)
        ),
        grant(
            zrx,
            milli(2_500),
            79,
            permit2: Permit2Terms(expiration: now + 11_520, tokenAllowance: 0)
        ),
        grant(
            odd,
            12,
            81,
            permit2: Permit2Terms(expiration: (1 << 48) - 1, tokenAllowance: nil)
        ),
        grant(weth, nil, 81, permit2: Permit2Terms(expiration: nil, tokenAllowance: 7)),
    ]

    static var allAllowances: AllowancesState {
        var state = allowances
        state.others = others
        state.permit2 = inPermit2
        state.warnings = ["1 allowance inside Permit2 could not be read: unknown, not zero."]
        return state
    }

    static func revocationPlan(
        _ grants: [TokenGrant] = others + inPermit2,
        warnings: [String] = []
    ) -> RevocationPlan {
        let permit2 = grants.count { $0.permit2 != nil }
        let lockdown = step(
            .resetAllowance,
            "set \(NumberText.count(permit2, "allowance")) inside Permit2 "
                + "\(address(22).checksummed) to 0"
        )
        return RevocationPlan(
            account: address(77),
            grants: grants,
            block: 21_345_678,
            steps: (permit2 == 0 ? [] : [lockdown])
                + grants.filter { $0.permit2 == nil }.map {
                    step(
                        .resetAllowance,
                        "set the allowance of \($0.token.symbol) to \($0.spender.checksummed)"
                            + " to 0"
                    )
                },
            gas: grants.isEmpty ? nil : gas,
            warnings: warnings
        )
    }

    static func revocationOutcome(
        _ plan: RevocationPlan,
        _ allowances: [UInt256?],
        _ stage: TransactionStage = .confirmed,
        _ ending: Ending = .done,
        _ warnings: [String] = []
    ) -> RevocationOutcome {
        RevocationOutcome(
            plan: plan,
            transactions: plan.steps.map { sent($0.purpose, stage) },
            allowances: allowances,
            warnings: warnings,
            ending: ending
        )
    }
}

@Suite("Screens, JSON and CSV of the allowances of every spender, and of taking them back")
struct RevocationScreenTests {
    /// Drawn by `ScreenTests` at every width.
    static let screens: [(name: String, draw: ScreenTests.Draw)] = [
        ("allowances-others", { AllowancesView(Fixtures.allAllowances).lines($0) }),
        ("revocation-plan", { RevocationPlanView(plan: Fixtures.revocationPlan()).lines($0) }),
        (
            "revocation-plan-one",
            {
                RevocationPlanView(
                    plan: Fixtures.revocationPlan(
                        [Fixtures.inPermit2[0]],
                        warnings: ["The allowance of USDC is unknown, and left as it is."]
                    )
                ).lines($0)
            }
        ),
        (
            "revocation-outcome",
            {
                let plan = Fixtures.revocationPlan()
                return RevocationOutcomeView(
                    outcome: Fixtures.revocationOutcome(
                        plan,
                        plan.grants.map { _ in 0 as UInt256? }
                    )
                ).lines($0)
            }
        ),
        (
            "revocation-outcome-less",
            {
                RevocationOutcomeView(
                    outcome: Fixtures.revocationOutcome(
                        Fixtures.revocationPlan(Fixtures.inPermit2),
                        [Permit2Terms.unlimited, 0, 12, nil],
                        .confirmed,
                        .less,
                        ["Not every allowance could be read again."]
                    )
                ).lines($0)
            }
        ),
        (
            "revocation-nothing",
            {
                RevocationOutcomeView(
                    outcome: Fixtures.revocationOutcome(Fixtures.revocationPlan([]), [])
                ).lines($0)
            }
        ),
    ]

    private func texts(_ csv: CSV, _ column: String) throws -> [String] {
        let index = try #require(csv.header.firstIndex(of: column))
        return csv.rows.map { $0[index] }
    }

    private func csv(_ state: AllowancesState) -> CSV {
        MoneyJSON.allowed.csv(MoneyJSON.all(state))
    }

    @Test("CSV has every row of the screen in its order, also zero and unknown ones")
    func rows() throws {
        var state = Fixtures.allAllowances
        state.rows.append(.init(token: Fixtures.zrx, balance: 0, allowance: 0))
        let csv = csv(state)
        let symbols = try texts(csv, "token")
        #expect(
            symbols.filter { !$0.hasPrefix("O") }
                == [
                    "ZRX", "USDC", "WETH", "ZRX", "USDC", "ZRX", "WETH", "USDC", "ZRX", "WETH",
                ]
        )
        #expect(csv.rows.count == 12)
        #expect(
            try texts(csv, "by") == Array(repeating: "token", count: 8)
                + Array(repeating: "permit2", count: 4)
        )
        // WETH and WETH are unknown; the amount of a token without decimals is in base units only.
        let unknown = [true, false, false, false, true, false, false, false, true]
        #expect(try texts(csv, "allowance_raw").suffix(9).map(\.isEmpty) == unknown)
        #expect(try texts(csv, "allowance_raw").suffix(2).first == "12")
        #expect(try texts(csv, "allowance").suffix(2) == ["", ""])
        #expect(try texts(csv, "allowance").suffix(8).first == "0")
        #expect(try texts(csv, "usable").suffix(4) == ["true", "false", "", "true"])
        #expect(
            try texts(csv, "expires").suffix(4) == [
                "2026-03-04T02:40:00Z", "2026-02-02T05:52:00Z", "never", "",
            ]
        )
        #expect(
            try texts(csv, "spender_name").prefix(5)
                == [
                    "the transfer contract", "the transfer contract", "the transfer contract",
                    "the transfer contract", "the transfer contract",
                ]
        )
        #expect(try texts(csv, "spender").allSatisfy { $0.hasPrefix("0x") })
        // JSON has the same in three lists, in the same order.
        let json = MoneyJSON.allowances(state)
        let listed = ["allowances", "others", "permit2"].flatMap {
            json[$0]?.arrayValue ?? []
        }
        #expect(listed.map { $0["token"]?["symbol"]?.stringValue } == symbols)
    }

    @Test("each part is sorted by itself, and the limit counts all of them")
    func selection() {
        func symbols(
            _ sort: String?,
            reversed: Bool = false,
            limit: Int? = nil
        ) -> (symbols: [[String]], left: Int) {
            var state = Fixtures.allAllowances
            let selection = ListSelection(
                sort: MoneyJSON.allowed.sorts.first { $0.name == sort },
                isReversed: reversed,
                limit: limit
            )
            let left = state.select(selection)
            return (
                [
                    state.rows.map(\.token.symbol), state.others.map(\.token.symbol),
                    state.permit2.map(\.token.symbol),
                ], left
            )
        }
        let odd = Fixtures.odd.symbol
        #expect(
            symbols(nil).symbols == [
                ["ZRX", "USDC", odd, "WETH"], ["USDC", "ZRX", "WETH"],
                ["USDC", "ZRX", odd, "WETH"],
            ]
        )
        #expect(
            symbols("token").symbols == [
                [odd, "USDC", "WETH", "ZRX"], ["USDC", "WETH", "ZRX"],
                [odd, "USDC", "WETH", "ZRX"],
            ]
        )
        // What is unknown comes first.
        #expect(symbols("allowance").symbols[1].last == "USDC")
        #expect(symbols("allowance").symbols[2].first == "WETH")
        #expect(symbols(nil, reversed: true).symbols[1] == ["WETH", "ZRX", "USDC"])
        for (limit, counts, left) in [
            (1, [1, 0, 0], 10), (4, [4, 0, 0], 7), (6, [4, 2, 0], 5), (8, [4, 3, 1], 3),
            (11, [4, 3, 4], 0), (90, [4, 3, 4], 0),
        ] {
            let shown = symbols(nil, limit: limit)
            #expect(shown.symbols.map(\.count) == counts)
            #expect(shown.left == left)
        }
    }

    @Test("the data has exactly the keys that docs/output.md tells")
    func keys() {
        func names(_ value: JSONValue?) -> String {
            value?.objectValue?.members.map(\.key).joined(separator: " ") ?? ""
        }
        let list = MoneyJSON.allowances(Fixtures.allAllowances)
        #expect(names(list["others"]?.arrayValue?.first) == "token allowance spender spenderName")
        #expect(
            names(list["permit2"]?.arrayValue?.first)
                == "token allowance spender spenderName expires isUsable permit2Allowance"
        )
        let plan = Fixtures.revocationPlan()
        let outcome = MoneyJSON.outcome(
            Fixtures.revocationOutcome(plan, plan.grants.map { _ in nil as UInt256? })
        )
        #expect(names(outcome) == "plan transactions allowances")
        let revocations = outcome["plan"]?["revocations"]?.arrayValue ?? []
        #expect(names(revocations.first) == "token spender spenderName current by")
        #expect(
            revocations.map { $0["by"]?.stringValue }
                == ["token", "token", "token", "permit2", "permit2", "permit2", "permit2"]
        )
        #expect(names(outcome["allowances"]?.arrayValue?.first) == "token spender allowance by")
        #expect(outcome["allowances"]?.arrayValue?.first?["allowance"] == .null)
    }
}
