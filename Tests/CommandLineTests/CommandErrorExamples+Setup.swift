import DexCore
import ErrorTableSupport
import SandboxHost

@testable import DexCommandLine

extension SandboxUseError: ExemplifiedArea {
    static let errors: [DexError] = [
        badState(.unreadable(path: "/p", reason: "text")), notRunning(so: "nothing is shown"),
        nothingSetUp, endedAtStart(lastWords: " It said: text.", log: "/p"),
        noAnswerAtStart(seconds: 60, log: "/p"), cannotStart(code: 13),
        notStopped(pid: 7, code: 1), hangs(pid: 7), badFault(message: "Text."),
        silent(reason: "text"), unreadableFaults, running(pid: 7),
        publicChain(id: 1, network: "x"), ownRuns(pid: 7), copyRuns(pid: 7), isCopy,
        nothingFollowed, noFork, isFork(lacks: "faults"), notOfFork("--orders"),
    ]
}

extension SetupError: ExemplifiedArea {
    static let errors: [DexError] = [
        badURL(source: "--rpc", isFlag: true), tooManyRelays(9),
        networkLacks("relay", network: "x", key: "relay", isAll: true),
        noTokenList("/p", network: "x"), alterableConfig("/p", signer: "x"),
        alterableAddresses("/p"), exposedFolder("/p", held: ", which holds it"), noHome,
        noCurrentFolder(home: "x"), notSet(key: "trade.pair", path: "/p"),
        nothingToUnset(key: "trade.pair", path: "/p"), editorFailed("vi", status: 1),
        changedMeanwhile(path: "/p"), tooFewNodes(network: "x", quorum: 2, nodes: 1),
    ]
}
