extension UInt256 {
    /// A number from 128 bits.
    public init(_ value: UInt128) {
        self.init(
            w0: UInt64(truncatingIfNeeded: value),
            w1: UInt64(truncatingIfNeeded: value >> 64),
            w2: 0,
            w3: 0
        )
    }

    /// The number in 128 bits; nil if it does not fit.
    public var uint128: UInt128? {
        w2 | w3 == 0 ? UInt128(w1) << 64 | UInt128(w0) : nil
    }
}
