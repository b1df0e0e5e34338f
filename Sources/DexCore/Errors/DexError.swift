/// Why a command ended without doing what was asked, ready for people and scripts.
package struct DexError: Error, Hashable, Sendable, CustomStringConvertible {
    /// How the process exits.
    package let exit: ExitCode
    /// A stable word for scripts, in kebab case: `no-liquidity`.
    package let code: String
    /// A whole sentence: what is wrong.
    package let message: String
    /// What would be right and the command that mends it; nil where there is nothing to do.
    package let hint: String?
    /// The same command may succeed later by itself.
    package let retryable: Bool
    /// What the command had sent already, in order, such as the approvals of a trade that is then
    /// refused.
    package var sent: [SentTransaction] = []

    package init(
        _ exit: ExitCode,
        code: String,
        message: String,
        hint: String? = nil,
        retryable: Bool = false
    ) {
        self.exit = exit
        self.code = code
        self.message = message
        self.hint = hint
        self.retryable = retryable
    }

    package var description: String {
        hint.map { "\(message)\n\($0)" } ?? message
    }
}

extension DexError {
    /// The same with a further sentence of what is wrong.
    func adding(_ sentence: String?) -> DexError {
        guard let sentence else { return self }
        var error = DexError(
            exit,
            code: code,
            message: "\(message) \(sentence)",
            hint: hint,
            retryable: retryable
        )
        error.sent = sent
        return error
    }

    /// The same with what was sent before it.
    package func after(_ sent: [SentTransaction]) -> DexError {
        var error = self
        error.sent = sent
        return error
    }
}
