import Ethereum
import Testing

@testable import DexCore
@testable import DexTerminal

@Suite("Values of other programs stand behind a margin on every line")
struct ForeignValueTests {
    /// Each ends with a mark by which its lines are found.
    static let hostile = [
        String(repeating: "Z", count: 300),
        String(repeating: "\u{A0}", count: 70) + "Signed:\u{A0}yesZZ",
        "x\nZZ Sent 5 ETH\r\nZZ total: nothing\u{2028}ZZ\u{85}ZZ",
        "\u{1B}[2J\u{1B}[1;1HZZ\u{9B}31mZZ",
        "\u{202E}ZZ\u{2066}ZZ\u{200B}ZZ\u{FEFF}",
        "\"ZZ\", allow: \"ZZ\"",
        String(repeating: "界", count: 90) + "ZZ",
        String(repeating: " ", count: 90) + "ZZ Confirm? y",
    ]

    private func lines(_ text: String, width: Int) -> [String] {
        let call = ContractCall(
            address: Fixtures.zrx.address,
            token: Fixtures.zrx,
            function: "mix(string,bytes,string[])",
            arguments: [
                ContractValue(name: "note", type: "string", value: .string(text)),
                ContractValue(name: text, type: "string", value: .string(text)),
                ContractValue(
                    name: nil,
                    type: "string[]",
                    value: .array([.string(text), .string(text)])
                ),
            ],
            data: [1, 2, 3, 4]
        )
        let plan = Fixtures.transactPlan(
            Fixtures.review(CallEffects()),
            warnings: [],
            call: call,
            values: [ContractValue(name: nil, type: "string", value: .string(text))]
        )
        return TransactPlanView(plan: plan).lines(Screen(width: width, style: .plain, now: 0))
    }

    @Test("arguments of a call and what it returns", arguments: hostile, [40, 80])
    func arguments(text: String, width: Int) {
        let lines = lines(text, width: width)
        #expect(lines.contains { $0.contains("Z") })
        for line in lines where line.contains("Z") || line.contains("界") {
            let isName = line.contains("ZRX")
            #expect(isName || line.hasPrefix(ForeignText.margin), "\(line)")
        }
        for line in lines {
            #expect(!line.unicodeScalars.contains { $0.properties.generalCategory == .control })
            #expect(!line.unicodeScalars.contains { $0.properties.generalCategory == .format })
            // An address, a hash and a function stay whole.
            let isOwn = line.contains("0x") || line.contains("mix(")
            #expect(isOwn || TerminalText.width(of: line) <= width, "\(line)")
        }
    }

    @Test("a long word that is no number, address, path or URL is cut at the edge of the screen")
    func longWords() {
        for width in [40, 80] {
            for text in Self.hostile {
                for line in TerminalText.wrap(TerminalText.clean(text), width: width) {
                    #expect(TerminalText.width(of: line) <= width, "\(line)")
                }
            }
            for whole in [
                "0x" + String(repeating: "ab", count: 65),
                "(0x" + String(repeating: "ab", count: 65) + ").",
                "https://" + String(repeating: "a", count: 99),
                "/home/" + String(repeating: "b", count: 99),
                String(repeating: "7", count: 99),
            ] {
                #expect(TerminalText.wrap("see \(whole)", width: width) == ["see", whole])
            }
            let forged = "0x12" + String(repeating: "z", count: 90)
            #expect(TerminalText.wrap(forged, width: width).count > 1)
        }
    }
}
