import DexCore
package import DexTerminal
import ErrorTableSupport
import Ethereum
import EthereumWallet
import PrivateFiles

@testable import DexCommandLine

private let failure = PrivateFiles.Failure(path: "/p", action: "read", code: 13)

extension AccountError: ExemplifiedError {
    static let examples: [AccountError] = [
        .noKey(.zero), .noneNamed, .otherThanWallet(label: "alice", key: .zero),
        .otherThanAddress(.zero, key: .zero), .ambiguousName("Alice"), .noAddress(label: "alice"),
        .notInSandbox("eve", known: ["alice"]), .badKey(.malformed), .noneToUnlock,
        .noWords(label: "The wallet alice", name: "alice"),
    ]

    var number: Int {
        switch self {
        case .noKey: 0
        case .noneNamed: 1
        case .otherThanWallet: 2
        case .otherThanAddress: 3
        case .ambiguousName: 4
        case .noAddress: 5
        case .notInSandbox: 6
        case .badKey: 7
        case .noneToUnlock: 8
        case .noWords: 9
        }
    }
}

extension AgentStartError: ExemplifiedError {
    static let examples: [AgentStartError] = [
        .notStarted(reason: "text"), .noKey, .silent(.zero),
    ]

    var number: Int {
        switch self {
        case .notStarted: 0
        case .noKey: 1
        case .silent: 2
        }
    }
}

extension ArgumentError: ExemplifiedError {
    static let examples: [ArgumentError] = [
        .unlockedTooLong, .badLimit("x", option: "--max"),
        .limitTwice(token: "ZRX", option: "--max"), .networkExists("x"), .badNetworkName,
        .badLabel("x"), .labelTaken("x", by: .addressBook), .aliasOfCommand("buy"),
        .aliasOfNothing("x", known: ["buy"]), .noSuchAlias("x", known: ["y"]), .noSuchOrder("x"),
        .orderNotText(file: "/p"), .badDuration("x"), .badExpiry("x"),
        .unrecoverable(reason: "The signature is of no key."),
        .otherSigner(expected: .zero, signer: .zero), .noFile("/p"), .badSignature("x"),
        .usage(message: "Unknown option."), .nobodyToAsk, .liveNeedsTerminal(pair: "ZRX/WETH"),
        .noPair, .badTypedData(reason: "It has no types."), .secret(.key),
    ]

    var number: Int {
        switch self {
        case .unlockedTooLong: 0
        case .badLimit: 1
        case .limitTwice: 2
        case .networkExists: 3
        case .badNetworkName: 4
        case .badLabel: 5
        case .labelTaken: 6
        case .aliasOfCommand: 7
        case .aliasOfNothing: 8
        case .noSuchAlias: 9
        case .noSuchOrder: 10
        case .orderNotText: 11
        case .badDuration: 12
        case .badExpiry: 13
        case .unrecoverable: 14
        case .otherSigner: 15
        case .noFile: 16
        case .badSignature: 17
        case .usage: 18
        case .nobodyToAsk: 19
        case .liveNeedsTerminal: 20
        case .noPair: 21
        case .badTypedData: 22
        case .secret: 23
        }
    }
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

extension MCPError: ExemplifiedError {
    static let examples: [MCPError] = [
        .needsClient, .notAllowed(tool: "execute", ring: .do), .noLimits(tool: "execute"),
        .busy(most: 8), .tooLarge(bytes: 300_000, most: 262_144), .noAccount,
    ]

    var number: Int {
        switch self {
        case .needsClient: 0
        case .notAllowed: 1
        case .noLimits: 2
        case .busy: 3
        case .tooLarge: 4
        case .noAccount: 5
        }
    }
}

extension ProcessError: ExemplifiedError {
    static let examples: [ProcessError] = [
        .tooFewDescriptors(free: 3, needed: 64),
        .tooLittleMemory(allowed: 1 << 20, bytes: 1 << 28, option: "-v"), .outOfMemory,
    ]

    var number: Int {
        switch self {
        case .tooFewDescriptors: 0
        case .tooLittleMemory: 1
        case .outOfMemory: 2
        }
    }
}

extension ProviderError: ExemplifiedError {
    static let examples: [ProviderError] = [
        .needsTerminal, .cannotListen(place: "127.0.0.1:8548", reason: "Address already in use"),
        .withdrawn,
    ]

    var number: Int {
        switch self {
        case .needsTerminal: 0
        case .cannotListen: 1
        case .withdrawn: 2
        }
    }
}

extension RelayUseError: ExemplifiedError {
    static let examples: [RelayUseError] = [
        .silent(url: "http://h/v0", reason: "text"), .refused(url: "http://h/v0", status: 403),
        .otherProgram(url: "http://h/v0"), .exportNeedsFile, .noToken(.zero, chainID: 1),
        .badSubject("x"), .badReason(most: 1), .badClient("A"),
        .badClientLimit("--post-burst", most: 1),
    ]

    var number: Int {
        switch self {
        case .silent: 0
        case .refused: 1
        case .otherProgram: 2
        case .exportNeedsFile: 3
        case .noToken: 4
        case .badSubject: 5
        case .badReason: 6
        case .badClient: 7
        case .badClientLimit: 8
        }
    }
}

extension SecretError: ExemplifiedError {
    static let examples: [SecretError] = [
        .exposed("/p", source: "DEX_PASSWORD_FILE"),
        .unreadable(failure, source: "DEX_PASSWORD_FILE"),
        .missing("/p", source: "DEX_PASSWORD_FILE"), .noTerminal(instead: "Set it."),
        .otherPassword, .noTerminalToConfirm,
        .exposedWallet(message: "Others may read it.", path: "/p"), .emptyPassword,
        .weakPassword(count: 1),
    ]

    var number: Int {
        switch self {
        case .exposed: 0
        case .unreadable: 1
        case .missing: 2
        case .noTerminal: 3
        case .otherPassword: 4
        case .noTerminalToConfirm: 5
        case .exposedWallet: 6
        case .emptyPassword: 7
        case .weakPassword: 8
        }
    }
}

extension SwapKeyError: ExemplifiedError {
    static let examples: [SwapKeyError] = [
        .exposed("/p"), .unreadable(failure), .missing("/p", network: "x"),
        .malformed(source: "/p", longest: 200),
    ]

    var number: Int {
        switch self {
        case .exposed: 0
        case .unreadable: 1
        case .missing: 2
        case .malformed: 3
        }
    }
}

extension WatchSetupError: ExemplifiedError {
    static let examples: [WatchSetupError] = [
        .badSeconds(0, key: "interval"), .noSink, .notSet("webhook", example: "URL"),
        .emptySecret(source: "watch.webhook_secret_file"), .alreadyWatching(.zero),
        .sinkFailed(left: ["webhook"]), .withheld(field: "amount", key: "webhook_template"),
    ]

    var number: Int {
        switch self {
        case .badSeconds: 0
        case .noSink: 1
        case .notSet: 2
        case .emptySecret: 3
        case .alreadyWatching: 4
        case .sinkFailed: 5
        case .withheld: 6
        }
    }
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
