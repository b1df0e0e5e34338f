import DexCore
package import DexTerminal
import ErrorTableSupport
import Ethereum
import EthereumWallet
import PrivateFiles

@testable import DexCommandLine

private let failure = PrivateFiles.Failure(path: "/p", action: "read", code: 13)

extension AccountError: ExemplifiedArea {
    static let errors: [DexError] = [
        noKey(.zero), noneNamed, otherThanWallet(label: "alice", key: .zero),
        otherThanAddress(.zero, key: .zero), ambiguousName("Alice"), noAddress(label: "alice"),
        notInSandbox("eve", known: ["alice"]), badKey(.malformed), noneToUnlock,
        noWords(label: "The wallet alice", name: "alice"),
    ]
}

extension AgentStartError: ExemplifiedArea {
    static let errors: [DexError] = [
        notStarted(reason: "text"), noKey, silent(.zero),
    ]
}

extension ArgumentError: ExemplifiedArea {
    static let errors: [DexError] = [
        unlockedTooLong, badLimit("x", option: "--max"),
        limitTwice(token: "ZRX", option: "--max"), networkExists("x"), badNetworkName,
        badLabel("x"), labelTaken("x", by: .addressBook), aliasOfCommand("buy"),
        aliasOfNothing("x", known: ["buy"]), noSuchAlias("x", known: ["y"]), noSuchOrder("x"),
        orderNotText(file: "/p"), badDuration("x"), badExpiry("x"),
        unrecoverable(reason: "The signature is of no key."),
        otherSigner(expected: .zero, signer: .zero), noFile("/p"), badSignature("x"),
        usage(message: "Unknown option."), nobodyToAsk, liveNeedsTerminal(pair: "ZRX/WETH"),
        noPair, badTypedData(reason: "It has no types."), secret(.key),
    ]
}

extension DeclinedError: ExemplifiedError {
    static let examples: [DeclinedError] = [
        .nothingEntered, .nothingDone, .nothingSigned, .nothingChanged,
    ]

    var number: Int {
        switch self {
        case .nothingEntered: 0
        case .nothingDone: 1
        case .nothingSigned: 2
        case .nothingChanged: 3
        }
    }
}

extension MCPError: ExemplifiedArea {
    static let errors: [DexError] = [
        needsClient, notAllowed(tool: "execute", ring: .do), noLimits(tool: "execute"),
        busy(maximum: 8), tooLarge(bytes: 300_000, maximum: 262_144), noAccount,
    ]
}

extension ProcessError: ExemplifiedArea {
    static let errors: [DexError] = [
        tooFewDescriptors(free: 3, needed: 64),
        tooLittleMemory(allowed: 1 << 20, bytes: 1 << 28, option: "-v"), outOfMemory,
    ]
}

extension ProviderError: ExemplifiedArea {
    static let errors: [DexError] = [
        needsTerminal, cannotListen(place: "127.0.0.1:8548", reason: "Address already in use"),
        withdrawn,
    ]
}

extension RelayUseError: ExemplifiedArea {
    static let errors: [DexError] = [
        silent(url: "http://h/v0", reason: "text"), refused(url: "http://h/v0", status: 403),
        otherProgram(url: "http://h/v0"), exportNeedsFile, noToken(.zero, chainID: 1),
        badSubject("x"), badReason(maximum: 1), badClient("A"),
        badClientLimit("--post-burst", maximum: 1),
    ]
}

extension SecretError: ExemplifiedArea {
    static let errors: [DexError] = [
        exposed("/p", source: "DEX_PASSWORD_FILE"),
        unreadable(failure, source: "DEX_PASSWORD_FILE"),
        missing("/p", source: "DEX_PASSWORD_FILE"), noTerminal(instead: "Set it."),
        otherPassword, noTerminalToConfirm,
        exposedWallet(message: "Others may read it.", path: "/p"), emptyPassword,
        weakPassword(count: 1),
    ]
}

extension SwapKeyError: ExemplifiedArea {
    static let errors: [DexError] = [
        exposed("/p"), unreadable(failure), missing("/p", network: "x"),
        malformed(source: "/p", longest: 200),
    ]
}

extension WatchSetupError: ExemplifiedArea {
    static let errors: [DexError] = [
        badSeconds(0, key: "interval"), noSink, notSet("webhook", example: "URL"),
        emptySecret(source: "watch.webhook_secret_file"), alreadyWatching(.zero),
        sinkFailed(left: ["webhook"]), withheld(field: "amount", key: "webhook_template"),
    ]
}

extension ToolArgumentError: ExemplifiedError {
    package static let examples: [ToolArgumentError] = [
        .unknown("yes", known: ["pair"]), .wrong("depth", expected: "an integer from 1 to 100"),
        .missing("pair", expected: "a string"), .refused("Add --amount N."),
    ]

    package var number: Int {
        switch self {
        case .unknown: 0
        case .wrong: 1
        case .missing: 2
        case .refused: 3
        }
    }
}
