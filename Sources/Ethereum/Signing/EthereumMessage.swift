/// The hash of a personal message, as wallets sign it.
///
/// Source: https://eips.ethereum.org/EIPS/eip-191 (version 0x45)
public enum EthereumMessage {
    /// `keccak256("\x19Ethereum Signed Message:\n" ++ decimal length ++ message)`.
    ///
    /// Example: `EthereumMessage.hash("hello".utf8)` is
    /// `0x50b2c43fd39106bafbba0da34fc430e1f91e3c96ea2acee2bc34119f92b37750`.
    public static func hash(_ message: some Collection<UInt8>) -> Bytes32 {
        var bytes = Array("\u{19}Ethereum Signed Message:\n\(message.count)".utf8)
        bytes.append(contentsOf: message)
        return Keccak256.hash(bytes)
    }

    /// The hash of a one-word message, such as an order's hash, without allocation.
    public static func hash(_ word: Bytes32) -> Bytes32 {
        let prefix: StaticString = "\u{19}Ethereum Signed Message:\n32"
        return withUnsafeTemporaryAllocation(byteCount: 60, alignment: 8) { message in
            prefix.withUTF8Buffer { message.copyBytes(from: $0) }
            word.withUnsafeBytes {
                UnsafeMutableRawBufferPointer(rebasing: message[28...]).copyBytes(from: $0)
            }
            return Keccak256.hash(UnsafeRawBufferPointer(message))
        }
    }
}
