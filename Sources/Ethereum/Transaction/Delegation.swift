/// The code of an account that runs another one's: 0xef0100 and the other one's address, 23 bytes.
///
/// Source: EIP-7702.
public enum Delegation {
    /// What such code begins with.
    @usableFromInline static let prefix: [UInt8] = [0xEF, 0x01, 0x00]

    /// The account whose code an account with this code runs; nil for any other code.
    @inlinable
    public static func delegate(of code: [UInt8]) -> Address? {
        guard code.count == 23, code.starts(with: prefix) else { return nil }
        return Address(bytes: code[3...])
    }

    /// The code of an account that runs the code of another one.
    public static func code(for delegate: Address) -> [UInt8] { prefix + delegate.bytes }
}
