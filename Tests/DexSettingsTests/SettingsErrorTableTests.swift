import DexCore
import ErrorTableSupport
import Testing
import ZeroEx

@testable package import DexSettings

extension PolicyFileError: ExemplifiedError {
    package static let examples: [PolicyFileError] = [
        .alterable("/p"),
        .notText("/p"),
        .malformed("/p", line: 7, what: "text", hint: nil),
    ]

    package var number: Int {
        switch self {
        case .alterable: 0
        case .notText: 1
        case .malformed: 2
        }
    }
}

extension SettingsError: ExemplifiedError {
    package static let examples: [SettingsError] = [
        .unknownNetwork(name: "x", known: ["mainnet", "sandbox"]),
        .incompleteNetwork(name: "x", path: "/p", missing: "exchange"),
        .otherSigning(network: "x", path: "/p", signing: .ethSign, version: .v4),
        .otherFeeds(network: "x", path: "/p", feeds: 1, relays: 2),
        .malformedFile(path: "/p", line: nil, what: "text", hint: nil),
        .badValue(name: "trade.slippage", kind: .percent, value: .text("x")),
        .layout(path: "/p", settings: ["network", "wallet"]),
        .unknownKey(keys: ["a", "b"], known: ["network"]),
        .badSigner(name: "x", path: "/p", .noWay),
        .strayTokenList(path: "/p", network: "x"),
        .tokenListChanged(path: "/p"),
        .endedNetwork(name: "goerli"),
        .refusesAll("trade.slippage", .highSlippage),
    ]

    package var number: Int {
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
        case .strayTokenList: 9
        case .tokenListChanged: 10
        case .endedNetwork: 11
        case .refusesAll: 12
        }
    }
}

@Suite("The tables of the errors of settings")
struct SettingsErrorTableTests {
    @Test(
        "every case has a sentence, and a code that docs/output.md lists with its exit code",
        arguments: [PolicyFileError.self, SettingsError.self] as [any ExemplifiedError.Type]
    )
    func rows(area: any ExemplifiedError.Type) throws {
        #expect(try ErrorTable().faults(of: area) == [])
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
