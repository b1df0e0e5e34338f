/// A version of the 0x protocol, as settings name it.
public enum ProtocolVersion: String, Sendable, CaseIterable {
    case v1
    case v4

    /// The ways to sign an order that its contract takes.
    public var orderSignings: [OrderSigning] {
        switch self {
        case .v1: [.ethSign]
        case .v4: [.ethSign, .eip712]
        }
    }
}
