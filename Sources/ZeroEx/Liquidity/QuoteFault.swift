/// The reason why a quote must not be signed.
public enum QuoteFault: Error, Hashable, Sendable {
    /// A part of the quote is not what a genuine one has.
    ///
    /// `field` names it as the venue does (`exec.target`); the others are what it should be and
    /// what it was, as text without control characters.
    case counterfeit(field: String, expected: String, found: String)
    /// A contract of the chain is not the one of the bundled list, or a call of ours is not what was
    /// planned; as text without control characters.
    case otherContract(field: String, expected: String, found: String)
    /// Nothing in the call data enforces a minimum.
    case unprotected
    /// The venue's registry says not to interact.
    case paused
}
