/// A version of the 0x protocol, as settings name it.
public enum ProtocolVersion: String, Sendable, CaseIterable {
    case v1
    case v4
}
