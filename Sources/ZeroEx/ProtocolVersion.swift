/// A version of the 0x protocol, by its name in the settings.
public enum ProtocolVersion: String, Sendable, CaseIterable {
    case v1
    case v4

    /// The contract's name in messages.
    public var exchangeNoun: String {
        switch self {
        case .v1: "an exchange of 0x v1"
        case .v4: "an Exchange Proxy with the native orders of 0x v4"
        }
    }

    /// The ways to sign an order that its contract accepts.
    public var orderSignings: [OrderSigning] {
        switch self {
        case .v1: [.ethSign]
        case .v4: [.ethSign, .eip712]
        }
    }
}
