/// The failures of one area, each with the data of its message.
package protocol ErrorArea: Error, Hashable, Sendable {
    /// Its row in the area's table.
    var report: ErrorReport { get }
}

/// The report of a failure for users and scripts.
package struct ErrorReport: Hashable, Sendable {
    /// What it means for the command; the exit code follows from it.
    package let kind: ErrorKind
    /// A stable word for scripts, in kebab case: `no-liquidity`.
    package let code: String
    /// The problem, in a full sentence.
    package let message: String
    /// The correct state and the command that fixes it; nil if there is nothing to do.
    package var hint: String?
    /// The same command may succeed later without a change.
    package var retryable: Bool

    package init(
        _ kind: ErrorKind,
        _ code: String,
        _ message: String,
        hint: String? = nil,
        retryable: Bool = false
    ) {
        self.kind = kind
        self.code = code
        self.message = message
        self.hint = hint
        self.retryable = retryable
    }
}

/// Why a command did not do what the user requested.
package struct DexError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The cause, typed by its area; code decides only by it.
    package let cause: any ErrorArea
    /// Further sentences about the failure.
    private var further: [String] = []
    /// What was probably meant, before the hint.
    private var suggestion: String?
    /// What mends it, in place of the hint of its cause.
    private var remedy: String?
    /// What the command had already sent, in order, such as the approvals of a trade that is then
    /// refused.
    package private(set) var sent: [SentTransaction] = []

    package init(_ cause: some ErrorArea) {
        self.cause = cause
    }

    private var report: ErrorReport { cause.report }
    package var kind: ErrorKind { report.kind }
    package var exit: ExitCode { kind.exit }
    package var code: String { report.code }
    package var message: String { ([report.message] + further).joined(separator: " ") }
    package var hint: String? {
        let parts = [suggestion, remedy ?? report.hint].compactMap(\.self)
        return parts.isEmpty ? nil : parts.joined(separator: " ")
    }
    package var retryable: Bool { report.retryable }

    package var description: String {
        hint.map { "\(message)\n\($0)" } ?? message
    }

    /// The same error with a further sentence.
    package func adding(_ sentence: String?) -> DexError {
        guard let sentence else { return self }
        var error = self
        error.further.append(sentence)
        return error
    }

    /// The same error with the line that was probably meant, unless its hint has one already.
    package func suggesting(_ line: String?) -> DexError {
        guard let line, hint?.hasPrefix("Did you mean") != true else { return self }
        var error = self
        error.suggestion = line
        return error
    }

    /// The same error with another hint, where that of its cause does not hold.
    func mended(by remedy: String) -> DexError {
        var error = self
        error.remedy = remedy
        return error
    }

    /// The same error with the transactions that were sent before it.
    package func after(_ sent: [SentTransaction]) -> DexError {
        var error = self
        error.sent = sent
        return error
    }

    /// It is of the same area and means the same, so that a user who saw the other one knows it.
    func isLike(_ other: DexError) -> Bool {
        kind == other.kind && type(of: cause) == type(of: other.cause)
    }

    package static func == (one: DexError, other: DexError) -> Bool {
        AnyHashable(one.cause) == AnyHashable(other.cause) && one.further == other.further
            && one.sent == other.sent
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(AnyHashable(cause))
        hasher.combine(further)
        hasher.combine(sent)
    }
}

/// The result of a call whose failure has a row in a table, with the failure as a command's error.
///
/// Example: `try reported(AddressError.self, try Address(text))`.
package func reported<Value, Failure: ErrorArea>(
    _ area: Failure.Type,
    _ call: @autoclosure () throws(Failure) -> Value
) throws(DexError) -> Value {
    do {
        return try call()
    } catch {
        throw DexError(error)
    }
}
