/// The hash of a personal message, as wallets sign it.
///
/// Source: https://eips.ethereum.org/EIPS/eip-191 (version 0x45)
public enum EthereumMessage {
    /// `keccak256("\x19Ethereum Signed Message:\n" ++ decimal length ++ message)`.
    public static func hash(_ message: some Collection<UInt8>) -> Bytes32 {
        var bytes = Array("\u{19}Ethereum Signed Message:\n\(message.count)".utf8)
        bytes.append(contentsOf: message)
        return Keccak256.hash(bytes)
    }
}
