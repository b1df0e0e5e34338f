import Ethereum

extension PoolPath {
    /// A v3 path from the bytes that the contracts take: the inverse of `encoded(reversed:)`.
    ///
    /// Nil unless there are 20 + 23 · n bytes, n ≥ 1 (the contracts ignore bytes after that), or if
    /// a token stands next to itself.
    init?(encoded bytes: [UInt8], reversed: Bool) {
        guard bytes.count >= 43, bytes.count % 23 == 20 else { return nil }
        var tokens: [Address] = []
        var kinds: [PoolKind] = []
        var position = 0
        while position + 20 <= bytes.count {
            guard let token = Address(bytes: bytes[position..<position + 20]) else { return nil }
            tokens.append(token)
            position += 20
            guard position + 3 <= bytes.count else { break }
            let fee = bytes[position..<position + 3].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
            kinds.append(.v3(fee: fee))
            position += 3
        }
        self.init(reversed ? tokens.reversed() : tokens, reversed ? kinds.reversed() : kinds)
    }
}
