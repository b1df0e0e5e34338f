/// Keccak-256 with the padding from before NIST's standard, as Ethereum uses it.
///
/// Source: https://keccak.team/files/Keccak-reference-3.0.pdf, rate 1088, capacity 512.
public enum Keccak256 {
    /// The 32-byte hash of some bytes.
    public static func hash(_ bytes: some Sequence<UInt8>) -> Bytes32 {
        fatalError("unimplemented")
    }
}
