import ErrorTableSupport
import SandboxHost

@testable import DexCommandLine

extension SandboxUseError: ExemplifiedError {
    static let examples: [SandboxUseError] = [
        .badState(.unreadable(path: "/p", reason: "text")), .notRunning(so: "nothing is shown"),
        .nothingSetUp, .endedAtStart(lastWords: " It said: text.", log: "/p"),
        .noAnswerAtStart(seconds: 60, log: "/p"), .cannotStart(code: 13),
        .notStopped(pid: 7, code: 1), .hangs(pid: 7), .badFault(message: "Text."),
        .silent(reason: "text"), .unreadableFaults, .running(pid: 7),
        .publicChain(id: 1, network: "x"), .ownRuns(pid: 7), .copyRuns(pid: 7), .isCopy,
        .nothingFollowed, .noFork, .isFork(lacks: "faults"), .notOfFork("--orders"),
    ]

    var number: Int {
        switch self {
        case .badState: 0
        case .notRunning: 1
        case .nothingSetUp: 2
        case .endedAtStart: 3
        case .noAnswerAtStart: 4
        case .cannotStart: 5
        case .notStopped: 6
        case .hangs: 7
        case .badFault: 8
        case .silent: 9
        case .unreadableFaults: 10
        case .running: 11
        case .publicChain: 12
        case .ownRuns: 13
        case .copyRuns: 14
        case .isCopy: 15
        case .nothingFollowed: 16
        case .noFork: 17
        case .isFork: 18
        case .notOfFork: 19
        }
    }
}

extension SetupError: ExemplifiedError {
    static let examples: [SetupError] = [
        .badURL(source: "--rpc", isFlag: true), .tooManyRelays(9),
        .networkLacks("relay", network: "x", key: "relay", isAll: true),
        .noTokenList("/p", network: "x"), .alterableConfig("/p", signer: "x"),
        .alterableAddresses("/p"), .exposedFolder("/p", held: ", which holds it"), .noHome,
        .noCurrentFolder(home: "x"), .notSet(key: "trade.pair", path: "/p"),
        .nothingToUnset(key: "trade.pair", path: "/p"), .editorFailed("vi", status: 1),
        .changedMeanwhile(path: "/p"), .tooFewNodes(network: "x", quorum: 2, nodes: 1),
    ]

    var number: Int {
        switch self {
        case .badURL: 0
        case .tooManyRelays: 1
        case .networkLacks: 2
        case .noTokenList: 3
        case .alterableConfig: 4
        case .alterableAddresses: 5
        case .exposedFolder: 6
        case .noHome: 7
        case .noCurrentFolder: 8
        case .notSet: 9
        case .nothingToUnset: 10
        case .editorFailed: 11
        case .changedMeanwhile: 12
        case .tooFewNodes: 13
        }
    }
}
