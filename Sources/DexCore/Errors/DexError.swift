/// The reason why a command did not do what the user requested.
///
/// Its constructors are the static members of an `ErrorArea`, such as `TradeError.bookMoved`.
package struct DexError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What it means for the command, and its stable word.
    private let row: ErrorCode
    /// The problem, in full sentences.
    package private(set) var message: String
    /// The correct state and the command that fixes it; nil if there is nothing to do.
    private var remedy: String?
    /// The same command may succeed later without a change.
    package let retryable: Bool
    /// The type of its area.
    private var area: ObjectIdentifier
    private var concerned: ErrorConcerns
    /// What was probably meant, before the hint.
    private var suggestion: String?
    /// What the command had already sent, in order, such as the approvals of a trade that is then
    /// refused.
    package private(set) var sent: [SentTransaction] = []

    fileprivate init(
        _ row: ErrorCode,
        _ message: String,
        hint: String?,
        retryable: Bool,
        concerns: ErrorConcerns,
        of area: any ErrorArea.Type
    ) {
        self.row = row
        self.message = message
        remedy = hint
        self.retryable = retryable
        concerned = concerns.union(area.concerns)
        self.area = ObjectIdentifier(area)
    }

    /// The failure of a module below, as a command's error.
    package init<Failure: ReportedError>(_ failure: Failure) {
        self = failure.report
        area = ObjectIdentifier(Failure.self)
        concerned.formUnion(Failure.concerns)
    }

    package var kind: ErrorKind { row.kind }
    package var exit: ExitCode { kind.exit }
    package var code: String { row.word }
    package var hint: String? {
        let parts = [suggestion, remedy].compactMap(\.self)
        return parts.isEmpty ? nil : parts.joined(separator: " ")
    }

    package var description: String {
        hint.map { "\(message)\n\($0)" } ?? message
    }

    /// It is about one of these; code decides only by this and by the kind.
    package func concerns(_ subjects: ErrorConcerns) -> Bool {
        !concerned.isDisjoint(with: subjects)
    }

    /// The same error, about these as well.
    func concerning(_ subjects: ErrorConcerns) -> DexError {
        var error = self
        error.concerned.formUnion(subjects)
        return error
    }

    /// The same error with a further sentence.
    package func adding(_ sentence: String?) -> DexError {
        guard let sentence else { return self }
        var error = self
        error.message += " " + sentence
        return error
    }

    /// The same error with the line that was probably meant, unless its hint has one already.
    package func suggesting(_ line: String?) -> DexError {
        guard let line, hint?.hasPrefix("Did you mean") != true else { return self }
        var error = self
        error.suggestion = line
        return error
    }

    /// The same error with another hint, where that of its row does not hold.
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
        kind == other.kind && area == other.area
    }
}

/// A part of the program whose failures are its static members, each written once with its row.
package protocol ErrorArea: Sendable {
    /// What all its errors are about.
    static var concerns: ErrorConcerns { get }
}

extension ErrorArea {
    package static var concerns: ErrorConcerns { [] }

    /// An error of this area.
    ///
    /// - Parameters:
    ///   - message: the problem, in full sentences.
    ///   - hint: the correct state and the command that fixes it; nil if there is nothing to do.
    ///   - retryable: the same command may succeed later without a change.
    package static func row(
        _ code: ErrorCode,
        _ message: String,
        hint: String? = nil,
        retryable: Bool = false,
        concerns: ErrorConcerns = []
    ) -> DexError {
        DexError(
            code,
            message,
            hint: hint,
            retryable: retryable,
            concerns: concerns,
            of: Self.self
        )
    }
}

/// A failure that is typed in its own module, where no exit code is known: the row of each case.
package protocol ReportedError: ErrorArea, Error {
    var report: DexError { get }
}

/// The result of a call whose failure has a row, with the failure as a command's error.
///
/// Example: `try reported(AddressError.self, try Address(text))`.
package func reported<Value, Failure: ReportedError>(
    _ area: Failure.Type,
    _ call: @autoclosure () throws(Failure) -> Value
) throws(DexError) -> Value {
    do {
        return try call()
    } catch {
        throw DexError(error)
    }
}
