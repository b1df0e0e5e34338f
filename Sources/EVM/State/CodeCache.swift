import Ethereum

/// Code that was prepared for running, and hashes, kept for later executions.
///
/// It belongs to one task at a time.
public final class CodeCache {
    private var codes: [Bytes32: Code] = [:]
    /// Beyond it all are forgotten: each may be 24 KB.
    private let limit: Int
    let hashes = HashCache()

    /// - Parameter limit: the most contracts.
    public init(limit: Int = 1_024) {
        self.limit = limit
    }

    subscript(hash: Bytes32) -> Code? {
        get { codes[hash] }
        set {
            if codes.count >= limit { codes = [:] }
            codes[hash] = newValue
        }
    }
}
