package import DexCore
import ErrorTableSupport
import Testing
import ZeroEx

@testable package import DexSettings

extension PolicyFileError: ExemplifiedArea {
    package static let errors: [DexError] = [
        alterable("/p"),
        notText("/p"),
        malformed("/p", line: 7, what: "text", hint: nil),
    ]
}

extension SettingsError: ExemplifiedArea {
    package static let errors: [DexError] = [
        unknownNetwork(name: "x", known: ["mainnet", "sandbox"]),
        incompleteNetwork(name: "x", path: "/p", missing: "exchange"),
        otherSigning(network: "x", path: "/p", signing: .ethSign, version: .v4),
        otherFeeds(network: "x", path: "/p", feeds: 1, relays: 2),
        malformedFile(path: "/p", line: nil, what: "text", hint: nil),
        badValue(name: "trade.slippage", kind: .percent, value: .text("x")),
        layout(path: "/p", settings: ["network", "wallet"]),
        unknownKey(keys: ["a", "b"], known: ["network"]),
        badSigner(name: "x", path: "/p", .noWay),
        strayTokenList(path: "/p", network: "x"),
        tokenListChanged(path: "/p"),
        endedNetwork(name: "goerli"),
        refusesAll("trade.slippage", .highSlippage),
    ]
}

@Suite("The tables of the errors of settings")
struct SettingsErrorTableTests {
    @Test(
        "every error has a sentence, and a code that docs/output.md lists with its exit code",
        arguments: [PolicyFileError.self, SettingsError.self] as [any ExemplifiedArea.Type]
    )
    func rows(area: any ExemplifiedArea.Type) throws {
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
        let error = SettingsError.badSigner(name: "x", path: "/p", fault)
        #expect(error.message == "The signer x in /p \(words).")
        #expect(error.hint == hint)
    }
}
