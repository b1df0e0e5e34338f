/// Why nothing was signed, or why a signature was not used.
package struct SigningError: Error, Hashable, Sendable, CustomStringConvertible {
    package enum Kind: Hashable, Sendable {
        /// A rule or a limit forbids it.
        case refused
        /// Settings or files of ours are not as they must be.
        case configuration
        /// The key, or whoever holds it, did not sign, or not that.
        case key
        /// Somebody said no.
        case declined
        /// Whoever has the key gave no answer, or nonsense.
        case unreachable
        /// The user ended it.
        case interrupted
    }

    package let kind: Kind
    /// A stable word for scripts.
    package let code: String
    /// A whole sentence; texts from outside may be in it.
    package let message: String
    package let hint: String?

    package init(_ kind: Kind, code: String, _ message: String, hint: String? = nil) {
        self.kind = kind
        self.code = code
        self.message = message
        self.hint = hint
    }

    package var description: String { message }

    /// Ctrl-C, or a signal.
    package static let interrupted = SigningError(
        .interrupted,
        code: "interrupted",
        "Interrupted before anything was signed."
    )

    /// A signature that another key made, or that is none.
    package static let wrongSignature = SigningError(
        .key,
        code: "wrong-signature",
        "The signature was not made by the account; it was not used."
    )

    /// A signature that the chain would refuse (EIP-2).
    package static let highS = SigningError(
        .key,
        code: "high-s",
        "The signature has a high s value, which Ethereum refuses; it was not used."
    )
}
