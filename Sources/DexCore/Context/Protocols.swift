package import ZeroEx

/// The one place that picks an implementation for a version of the 0x protocol.
package enum Protocols {
    /// The implementation of a version.
    package static func implementation(of version: ProtocolVersion) -> any ExchangeProtocol {
        switch version {
        case .v1: ZeroExV1()
        }
    }
}
