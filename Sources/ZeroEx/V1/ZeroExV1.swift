/// Version 1 of the 0x protocol behind the seam.
public struct ZeroExV1: Sendable {
    /// The protocol.
    public init() {}
}
