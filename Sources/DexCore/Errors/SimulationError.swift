/// A transaction that does something else than its plan, in a run on this machine.
package enum SimulationError: ErrorArea {
    /// It fails, while the node says that it does not.
    package static func fails(subject: String, words: String) -> DexError {
        row(
            .simulationFailed("run-fails"),
            "\(subject.prefix(1).uppercased() + subject.dropFirst()) fails in a run on this "
                + "machine: \(PlainText.sentence(words))",
            hint: "The node says that it would succeed. Try again; if it stays so, ask "
                + "another node: `dex doctor`."
        )
    }

    /// What it does beyond its plan, each as a sentence.
    package static func unplanned(subject: String, _ differences: [String]) -> DexError {
        row(
            .refused("unplanned-change"),
            "\(subject.prefix(1).uppercased() + subject.dropFirst()) would do what its plan "
                + "does not say, in a run on this machine: "
                + differences.prefix(Self.maximumShown).joined(separator: " ")
                + " It was not signed.",
            hint: "A token may keep a part of each transfer, or a contract may be another "
                + "than it seems. Trade such a token only if you know why."
        )
    }

    /// The state proved to be another one than it ran on, and on that one it cannot be run.
    package static func moved(reason: String) -> DexError {
        row(
            .refused("state-moved"),
            "The state proved to be another one than was read before, and on that one the "
                + "transaction cannot be run: \(PlainText.sentence(reason)) It was not signed.",
            hint: "Try again; if it stays so, ask another node: `dex doctor`.",
            retryable: true
        )
    }

    private static let maximumShown = 5
}
