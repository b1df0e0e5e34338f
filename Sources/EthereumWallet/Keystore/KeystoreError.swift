/// The reason why a keystore cannot be read, opened or created, without password or key.
public enum KeystoreError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The message authentication code does not match: the file has another password.
    case wrongPassword
    /// It is one of our formats, but a part is missing, cut off or altered.
    case damaged(String)
    /// It is another format, or a variant that only its own program reads.
    case foreign(String)
    /// Reading it would take more memory or time than any honest file does.
    case unreasonable(String)
    /// The system has no memory of this size.
    case noMemory(bytes: Int)

    /// The message shown to the user.
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
