import DexCore
import Foundation
import Testing
import ZeroEx

@testable import DexSettings

/// An area of errors with an example of each of its cases, in the order of `number`: a switch
/// without a default, so that a new case does not compile before it has an example.
private protocol ExemplifiedError: ErrorArea {
    static var examples: [Self] { get }
    var number: Int { get }
}

extension PolicyFileError: ExemplifiedError {
    static let examples: [PolicyFileError] = [
        .alterable("/p"),
        .notText("/p"),
        .malformed("/p", line: 7, what: "text", hint: nil),
    ]

    var number: Int {
        switch self {
        case .alterable: 0
        case .notText: 1
        case .malformed: 2
        }
    }
}

extension SettingsError: ExemplifiedError {
    static let examples: [SettingsError] = [
        .unknownNetwork(name: "x", known: ["mainnet", "sandbox"]),
        .incompleteNetwork(name: "x", path: "/p", missing: "exchange"),
        .otherSigning(network: "x", path: "/p", signing: .ethSign, version: .v4),
        .otherFeeds(network: "x", path: "/p", feeds: 1, relays: 2),
        .malformedFile(path: "/p", line: nil, what: "text", hint: nil),
        .badValue(name: "trade.slippage", kind: .percent, value: .text("x")),
        .layout(path: "/p", settings: ["network", "wallet"]),
        .unknownKey(keys: ["a", "b"], known: ["network"]),
        .badSigner(name: "x", path: "/p", .noWay),
    ]

    var number: Int {
        switch self {
        case .unknownNetwork: 0
        case .incompleteNetwork: 1
        case .otherSigning: 2
        case .otherFeeds: 3
        case .malformedFile: 4
        case .badValue: 5
        case .layout: 6
        case .unknownKey: 7
        case .badSigner: 8
        }
    }
}

@Suite("The tables of the errors of settings")
struct SettingsErrorTableTests {
    private static func reports<Area: ExemplifiedError>(_ area: Area.Type) -> [ErrorReport] {
        #expect(area.examples.map(\.number) == Array(area.examples.indices))
        return area.examples.map(\.report)
    }

    @Test("every case has a sentence, and a code that docs/output.md lists with its exit code")
    func rows() throws {
        let page = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appending(path: "docs/output.md")
        let rows = try String(contentsOf: page, encoding: .utf8).split(separator: "\n")
            .compactMap { $0.wholeMatch(of: /\| ([\d, ]+) \| (.*) \|/) }
        for report in Self.reports(PolicyFileError.self) + Self.reports(SettingsError.self) {
            let exit = String(report.kind.exit.rawValue)
            let isListed = rows.contains { row in
                row.1.split(separator: ", ").contains { $0 == exit }
                    && row.2.contains("`\(report.code)`")
            }
            #expect(isListed, "\(report.code), exit \(exit)")
            #expect(report.message.last == ".", "\(report.message)")
            for text in [report.message, report.hint].compactMap({ $0 }) {
                #expect(!text.isEmpty && !text.contains("  ") && !text.contains("nil"), "\(text)")
            }
        }
    }

    @Test(
        "each fault of a signer says what mends it",
        arguments: [
            (.noAddress, "has no address", "Set it: dex config set signers.x.address ADDRESS"),
            (.noWay, "has neither rpc nor command", "Set it: dex config set signers.x.rpc URL"),
            (.twoWays, "has both rpc and command", "Correct [signers.x] in an editor."),
            (
                .commandWithMethod, "has a command, to which message_method means nothing",
                "Correct [signers.x] in an editor."
            ),
            (
                .timeout(0), "has a timeout of 0 s, and 1 to 86400 are possible",
                "Correct [signers.x] in an editor."
            ),
        ] as [(SignerFault, String, String)]
    )
    func signer(fault: SignerFault, words: String, hint: String) {
        let report = SettingsError.badSigner(name: "x", path: "/p", fault).report
        #expect(report.message == "The signer x in /p \(words).")
        #expect(report.hint == hint)
    }
}
