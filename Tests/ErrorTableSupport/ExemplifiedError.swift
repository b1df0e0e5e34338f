package import DexCore

/// An area of errors with an example of each.
package protocol ExemplifiedArea: ErrorArea {
    /// One of each constructor; `ErrorTable` counts them in the sources.
    static var errors: [DexError] { get }
}

/// Errors typed in a module below, with an example of each case.
package protocol ExemplifiedError: ExemplifiedArea, ReportedError {
    /// One of each case, in the order of `number`.
    static var examples: [Self] { get }

    /// Which case it is, from 0: a switch without a default, so that a new case does not compile
    /// before it has a number, and so an example.
    var number: Int { get }
}

extension ExemplifiedError {
    package static var errors: [DexError] { examples.map { DexError($0) } }

    /// Each case has its example.
    static var isWhole: Bool {
        !examples.isEmpty && examples.map(\.number) == Array(examples.indices)
    }
}
