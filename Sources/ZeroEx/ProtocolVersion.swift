/// A version of the 0x protocol, as settings name it.
public enum ProtocolVersion: String, Sendable, CaseIterable {
    case v1
    case v4

    /// What the contract is called in sentences.
    public var exchangeNoun: String {
        switch self {
        case .v1: "an exchange of 0x v1"
        case .v4: "an Exchange Proxy with the native orders of 0x v4"
        }
    }

    /// The ways to sign an order that its contract takes.
    public var orderSignings: [OrderSigning] {
        switch self {
        case .v1: [.ethSign]
        case .v4: [.ethSign, .eip712]
        }
    }
}
