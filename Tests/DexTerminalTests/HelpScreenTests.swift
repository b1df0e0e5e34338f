import Testing

@testable import DexTerminal

@Suite("Help screens")
struct HelpScreenTests {
    private static let limit = CommandHelp(
        name: "dex place-limit",
        aliases: ["limit"],
        summary: "Build, sign and post a limit order.",
        examples: [
            CommandHelp.Example(
                "Offer 50 ZRX at 0.00076 WETH each for a day",
                "dex limit sell ZRX/WETH 50 --price 0.00076"
            ),
            CommandHelp.Example(
                "Keep it under a short name",
                "dex alias set offer 'limit sell ZRX/WETH 50' -j"
            ),
        ],
        discussion: """
            The order stands until it is filled, cancelled on chain, or expired.

            With --no-post it is only printed.
            """,
        parameters: [
            parameter(.argument, [], "side", "What you want to do with BASE: buy or sell.", true),
            parameter(.argument, [], "pair", "BASE/QUOTE: symbols or addresses.", true),
            parameter(.argument, [], "amount", "How much of BASE.", true),
            parameter(.option, ["--price"], "p", "QUOTE per BASE.", true),
            parameter(.flag, ["--no-post"], "", "Print the signed order, and do not post it."),
            CommandHelp.Parameter(
                kind: .option,
                names: ["--max-gas-cost"],
                value: "ether",
                text: "The most ether that gas may cost.",
                section: "Trading"
            ),
            parameter(
                .option,
                ["-w", "--wallet"],
                "name|address",
                "The account: a name or an address."
            ),
        ]
    )

    private static let wallet = CommandHelp(
        name: "dex wallet",
        summary: "Make, bring in, use and back up encrypted keys.",
        groups: [
            CommandHelp.MemberGroup(
                title: "Commands",
                members: [
                    CommandHelp.Member(
                        names: ["new"],
                        summary: "Make a new key from a new recovery phrase."
                    ),
                    CommandHelp.Member(
                        names: ["import", "in"],
                        summary: "Bring a key in: a keystore, a private key or a recovery phrase."
                    ),
                ]
            )
        ]
    )

    private static func parameter(
        _ kind: CommandHelp.Parameter.Kind,
        _ names: [String],
        _ value: String,
        _ text: String,
        _ isRequired: Bool = false
    ) -> CommandHelp.Parameter {
        CommandHelp.Parameter(
            kind: kind,
            names: names,
            value: value,
            text: text,
            isRequired: isRequired
        )
    }

    @Test(
        "a command's help: sentence, examples, usage, own options, then the others",
        arguments: [40, 80, 120]
    )
    func command(width: Int) throws {
        let lines = HelpView(Self.limit).lines(Screen(width: width, style: .plain, now: 0))
        #expect(lines.allSatisfy { $0.count <= width })
        try expectSnapshot(lines, named: "help-\(width)")
    }

    @Test("headings and what explains are set apart in colours")
    func colours() throws {
        let lines = HelpView(Self.limit).lines(Screen(width: 80, style: .marked, now: 0))
        try expectSnapshot(lines, named: "help-colours")
    }

    @Test("a group's help lists its commands", arguments: [40, 80])
    func group(width: Int) throws {
        let lines = HelpView(Self.wallet).lines(Screen(width: width, style: .plain, now: 0))
        try expectSnapshot(lines, named: "help-group-\(width)")
    }

    @Test("a manual page is mdoc in which no word of ours is taken for a macro")
    func manualPage() throws {
        let day = try #require(ManualPage.Day(iso: "2026-11-23"))
        let help = CommandHelp(
            name: "dex odd",
            summary: "No At In Os: words that are macros.",
            discussion: ".Sh is here.\n'quoted' and C:\\path. It begins a sentence. 5 more."
        )
        try expectSnapshot(
            ManualPage(help).text(day: day).split(
                separator: "\n",
                omittingEmptySubsequences: false
            ).map(String.init),
            named: "manual-odd"
        )
        let page = ManualPage(Self.limit).text(day: day)
        #expect(page.contains(".It Fl w , Fl -wallet Ar name|address\n"))
        #expect(page.contains(".Dd November 23, 2026\n.Dt DEX-PLACE-LIMIT 1\n"))
    }

    @Test("a day is a day of the calendar", arguments: ["", "2026-13-01", "2026-00-01", "today"])
    func noDay(text: String) {
        #expect(ManualPage.Day(iso: text) == nil)
    }
}
