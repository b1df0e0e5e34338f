package import Ethereum

/// A contract call that is impossible or fails.
package enum CallError: ErrorArea {
    case approvalFails(Token)
    case badResults(count: Int, shown: String, error: ABIError)
    case readFails(function: String, Address, words: String)
    case badFunction(reason: String)
    /// A file that is not the ABI of a contract.
    case badABI(path: String, reason: String)
    case noSuchFunction(String, known: [String])
    /// A name of several functions of an ABI, by their signatures.
    case ambiguousFunction(String, candidates: [String])
    case badArguments(function: String, count: Int, given: Int)
    case badArgument(index: Int, function: String, reason: String)
    case badArgumentText(reason: String)
    case notAContract(Address, network: String)
    /// Call data with more calls inside than can be read and shown.
    case tooManyCalls(Address, most: Int)
    /// Something of another program that no screen can show whole: what, and how much of it.
    case tooLongToShow(what: String, count: Int, most: Int)
    case wouldRevert(subject: String, words: String)

    package var report: ErrorReport {
        switch self {
        case .approvalFails(let token):
            ErrorReport(
                .simulationFailed,
                "approval-fails",
                "The token \(PlainText.name(token.symbol)) refuses to be "
                    + "approved in the simulation.",
                hint: "It may be paused, or may have blocked this account."
            )
        case .badResults(let count, let shown, let error):
            ErrorReport(
                .usage,
                "bad-results",
                "The contract returned \(count) bytes (\(shown)), which do not "
                    + "fit the types that were given: \(PlainText.clean(error.description))",
                hint: "Leave the second parenthesis out to see what comes back as it is."
            )
        case .readFails(let function, let address, let words):
            ErrorReport(
                .simulationFailed,
                "would-revert",
                "\(PlainText.clean(function, limit: 200)) of "
                    + "\(address.checksummed) fails: "
                    + PlainText.sentence(words)
            )
        case .badFunction(let reason):
            ErrorReport(
                .usage,
                "bad-function",
                PlainText.clean(reason, limit: 300),
                hint: "Put it in quotes: \"balanceOf(address)(uint256)\". What the function "
                    + "returns stands in parentheses of its own."
            )
        case .badABI(let path, let reason):
            ErrorReport(
                .usage,
                "bad-abi",
                "\(PlainText.clean(path, limit: 200)) cannot be used: "
                    + PlainText.sentence(reason, limit: 400),
                hint: "--abi takes the JSON of a compiler: solc --abi, or a build artifact."
            )
        case .noSuchFunction(let name, let known):
            ErrorReport(
                .usage,
                "no-such-function",
                "The ABI has no function \(PlainText.quoted(name, limit: 200)) that can be "
                    + "called.",
                hint: Suggestion.behind(name, among: known, Self.list(known))
            )
        case .ambiguousFunction(let name, let candidates):
            ErrorReport(
                .usage,
                "ambiguous-function",
                "The ABI has \(candidates.count) functions called "
                    + "\(PlainText.quoted(name, limit: 200)).",
                hint: "Give the whole signature, in quotes:\n"
                    + candidates.prefix(20).map { "  \(PlainText.clean($0, limit: 300))" }
                    .joined(separator: "\n")
            )
        case .badArguments(let function, let count, let given):
            ErrorReport(
                .usage,
                "bad-arguments",
                "\(PlainText.clean(function, limit: 200)) takes \(count) "
                    + "\(count == 1 ? "argument" : "arguments"), not \(given).",
                hint: "An array is one argument: [1,2]. A tuple too: (1,2)."
            )
        case .badArgument(let index, let function, let reason):
            ErrorReport(
                .usage,
                "bad-argument",
                "Argument \(index + 1) of \(function): "
                    + PlainText.clean(reason, limit: 400)
            )
        case .badArgumentText(let reason):
            ErrorReport(.usage, "bad-argument", reason)
        case .notAContract(let address, let network):
            ErrorReport(
                .refused,
                "not-a-contract",
                "There is no contract at \(address.checksummed) on the network "
                    + "\"\(network)\".",
                hint: "Check the address and --network."
            )
        case .tooManyCalls(let address, let most):
            ErrorReport(
                .refused,
                "too-many-calls",
                "The call of \(address.checksummed) has more than \(most) calls inside: they "
                    + "cannot all be shown, and nothing is signed.",
                hint: "Ask the application for fewer at once."
            )
        case .tooLongToShow(let what, let count, let most):
            ErrorReport(
                .refused,
                "too-long-to-show",
                "It has \(count) \(what), and \(most) can be shown: nothing is signed that is not "
                    + "shown whole.",
                hint: "Ask the application for less at once."
            )
        case .wouldRevert(let subject, let words):
            ErrorReport(
                .simulationFailed,
                "would-revert",
                "The simulation of \(subject) fails (\(words)); nothing was signed."
            )
        }
    }

    /// The names of an ABI's functions in a sentence, at most 30.
    private static func list(_ names: [String]) -> String {
        var seen: Set<String> = []
        let names = names.filter { seen.insert($0).inserted }
        guard !names.isEmpty else { return "It has none: is it the right file?" }
        let shown = names.prefix(30).map { PlainText.clean($0, limit: 100) }
        let rest = names.count - shown.count
        return "It has \(shown.joined(separator: ", "))" + (rest > 0 ? " and \(rest) more." : ".")
    }
}
