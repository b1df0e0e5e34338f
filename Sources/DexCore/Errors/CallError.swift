package import Ethereum

/// A contract call that is impossible or fails.
package enum CallError: ErrorArea {
    package static func approvalFails(_ token: Token) -> DexError {
        row(
            .simulationFailed("approval-fails"),
            "The token \(PlainText.name(token.symbol)) refuses to be approved in the simulation.",
            hint: "It may be paused, or may have blocked this account."
        )
    }

    package static func badResults(count: Int, shown: String, error: ABIError) -> DexError {
        row(
            .usage("bad-results"),
            "The contract returned \(count) bytes (\(shown)), which do not "
                + "fit the types that were given: \(PlainText.clean(error.description))",
            hint: "Leave the second parenthesis out to see what comes back as it is."
        )
    }

    package static func readFails(
        function: String,
        _ address: Address,
        words: String
    ) -> DexError {
        row(
            .simulationFailed("would-revert"),
            "\(PlainText.clean(function, limit: 200)) of \(address.checksummed) fails: "
                + PlainText.sentence(words)
        )
    }

    package static func badFunction(reason: String) -> DexError {
        row(
            .usage("bad-function"),
            PlainText.clean(reason, limit: 300),
            hint: "Put it in quotes: \"balanceOf(address)(uint256)\". What the function "
                + "returns stands in parentheses of its own."
        )
    }

    /// A file that is not the ABI of a contract.
    package static func badABI(path: String, reason: String) -> DexError {
        row(
            .usage("bad-abi"),
            "\(PlainText.clean(path, limit: 200)) cannot be used: "
                + PlainText.sentence(reason, limit: 400),
            hint: "--abi takes the JSON of a compiler: solc --abi, or a build artifact."
        )
    }

    package static func noSuchFunction(_ name: String, known: [String]) -> DexError {
        row(
            .usage("no-such-function"),
            "The ABI has no function \(PlainText.quoted(name, limit: 200)) that can be called.",
            hint: Suggestion.behind(name, among: known, Self.list(known))
        )
    }

    /// A name of several functions of an ABI, by their signatures.
    package static func ambiguousFunction(_ name: String, candidates: [String]) -> DexError {
        row(
            .usage("ambiguous-function"),
            "The ABI has \(candidates.count) functions called "
                + "\(PlainText.quoted(name, limit: 200)).",
            hint: "Give the whole signature, in quotes:\n"
                + candidates.prefix(20).map { "  \(PlainText.clean($0, limit: 300))" }
                .joined(separator: "\n")
        )
    }

    package static func badArguments(function: String, count: Int, given: Int) -> DexError {
        row(
            .usage("bad-arguments"),
            "\(PlainText.clean(function, limit: 200)) takes \(count) "
                + "\(count == 1 ? "argument" : "arguments"), not \(given).",
            hint: "An array is one argument: [1,2]. A tuple too: (1,2)."
        )
    }

    package static func badArgument(index: Int, function: String, reason: String) -> DexError {
        row(
            .usage("bad-argument"),
            "Argument \(index + 1) of \(function): "
                + PlainText.clean(reason, limit: 400)
        )
    }

    package static func badArgumentText(reason: String) -> DexError {
        row(.usage("bad-argument"), reason)
    }

    package static func notAContract(_ address: Address, network: String) -> DexError {
        row(
            .refused("not-a-contract"),
            "There is no contract at \(address.checksummed) on the network \"\(network)\".",
            hint: "Check the address and --network."
        )
    }

    /// Call data with more calls inside than can be read and shown.
    package static func tooManyCalls(_ address: Address, maximum: Int) -> DexError {
        row(
            .refused("too-many-calls"),
            "The call of \(address.checksummed) has more than \(maximum) calls inside: they "
                + "cannot all be shown, and nothing is signed.",
            hint: "Ask the application for fewer at once."
        )
    }

    /// Something of another program that no screen can show whole: what, and how much of it.
    package static func tooLongToShow(what: String, count: Int, maximum: Int) -> DexError {
        row(
            .refused("too-long-to-show"),
            "It has \(count) \(what), and \(maximum) can be shown: nothing is signed that is not "
                + "shown whole.",
            hint: "Ask the application for less at once."
        )
    }

    package static func wouldRevert(subject: String, words: String) -> DexError {
        row(
            .simulationFailed("would-revert"),
            "The simulation of \(subject) fails (\(words)); nothing was signed."
        )
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
