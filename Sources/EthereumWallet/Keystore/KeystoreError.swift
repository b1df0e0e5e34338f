/// Why a keystore was not read, opened or made.
///
/// Holds nothing of a password or a key.
public enum KeystoreError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The message authentication code does not match: another password locked the file.
    case wrongPassword
    /// It is one of our formats, but something in it is missing, cut off or altered.
    case damaged(String)
    /// It is something else, or a variant that nobody but its maker reads.
    case foreign(String)
    /// Reading it would take more memory or time than any honest file does.
    case unreasonable(String)
    /// The system does not give so many bytes.
    case noMemory(bytes: Int)

    /// The sentence for people.
    public var description: String {
        switch self {
        case .wrongPassword: "The password does not open this keystore."
        case .damaged(let reason): "The keystore is damaged: \(reason)."
        case .foreign(let reason): "This is no keystore that dex can read: \(reason)."
        case .unreasonable(let reason): "The keystore is refused: \(reason)."
        case .noMemory(let bytes):
            "Opening the keystore takes \(bytes >> 20) MiB of memory, which the system does not "
                + "give."
        }
    }
}
