/// Where and why a text is not the JSON that was expected.
public struct JSONError: Error, Hashable, Sendable, CustomStringConvertible {
    /// Bytes from the start of the text.
    public let offset: Int
    /// What is wrong there, in few words.
    public let problem: String

    /// The sentence for people.
    public var description: String {
        "This is not valid JSON: \(problem) (at byte \(offset))."
    }
}
