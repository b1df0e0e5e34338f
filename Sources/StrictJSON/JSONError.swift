/// Where and why a text is not the expected JSON.
public struct JSONError: Error, Hashable, Sendable, CustomStringConvertible {
    /// Bytes from the start of the text.
    public let offset: Int
    /// A short description of the problem.
    public let problem: String

    public var description: String {
        "This is not valid JSON: \(problem) (at byte \(offset))."
    }
}
