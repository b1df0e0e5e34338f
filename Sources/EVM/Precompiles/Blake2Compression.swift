/// The compression function F of BLAKE2b.
///
/// Source: EIP-152, RFC 7693.
struct Blake2Compression {
    let rounds: UInt32
    private let state: [UInt64]
    private let message: [UInt64]
    private let counter: (UInt64, UInt64)
    private let isLast: Bool

    private static let start: [UInt64] = [
        0x6A09_E667_F3BC_C908, 0xBB67_AE85_84CA_A73B, 0x3C6E_F372_FE94_F82B,
        0xA54F_F53A_5F1D_36F1, 0x510E_527F_ADE6_82D1, 0x9B05_688C_2B3E_6C1F,
        0x1F83_D9AB_FB41_BD6B, 0x5BE0_CD19_137E_2179,
    ]
    /// Which words of the message each of ten rounds mixes, in its order.
    private static let order: [UInt8] = [
        0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15,
        14, 10, 4, 8, 9, 15, 13, 6, 1, 12, 0, 2, 11, 7, 5, 3,
        11, 8, 12, 0, 5, 2, 15, 13, 10, 14, 3, 6, 7, 1, 9, 4,
        7, 9, 3, 1, 13, 12, 11, 14, 2, 6, 5, 10, 4, 0, 15, 8,
        9, 0, 5, 7, 2, 4, 10, 15, 14, 1, 11, 12, 6, 8, 3, 13,
        2, 12, 6, 10, 0, 11, 8, 3, 4, 13, 7, 5, 15, 14, 1, 9,
        12, 5, 1, 15, 14, 13, 4, 10, 0, 7, 6, 3, 9, 2, 8, 11,
        13, 11, 7, 14, 12, 1, 3, 9, 5, 0, 15, 4, 8, 6, 2, 10,
        6, 15, 14, 9, 11, 3, 0, 8, 12, 2, 13, 7, 1, 4, 10, 5,
        10, 2, 8, 4, 7, 6, 1, 5, 15, 11, 9, 14, 3, 12, 13, 0,
    ]

    /// - Parameter input: 213 bytes: rounds (4, big-endian), state (64), message (128), counter (16,
    ///   all little-endian), 1 for the last block or 0.
    /// - Returns: nil for any other input.
    init?(_ input: [UInt8]) {
        guard input.count == 213, input[212] <= 1 else { return nil }
        func word(_ index: Int) -> UInt64 {
            (0..<8).reduce(0) { $0 | UInt64(input[index + $1]) << UInt64(8 * $1) }
        }
        rounds = input[..<4].reduce(0) { $0 << 8 | UInt32($1) }
        state = (0..<8).map { word(4 + 8 * $0) }
        message = (0..<16).map { word(68 + 8 * $0) }
        counter = (word(196), word(204))
        isLast = input[212] == 1
    }

    /// The new state: 64 bytes.
    func run() -> [UInt8] {
        var work = state + Self.start
        work[12] ^= counter.0
        work[13] ^= counter.1
        if isLast { work[14] = ~work[14] }
        // A call can ask for as many rounds as it has gas: no checks of indices in them.
        work.withUnsafeMutableBufferPointer { work in
            message.withUnsafeBufferPointer { message in
                Self.order.withUnsafeBufferPointer { order in
                    for round in 0..<Int(rounds) {
                        Self.round(work, message, order, 16 * (round % 10))
                    }
                }
            }
        }
        return (0..<8).flatMap { index in
            let word = state[index] ^ work[index] ^ work[index + 8]
            return (0..<8).map { UInt8(truncatingIfNeeded: word >> UInt64(8 * $0)) }
        }
    }

    @inline(__always)
    private static func round(
        _ work: UnsafeMutableBufferPointer<UInt64>,
        _ message: UnsafeBufferPointer<UInt64>,
        _ order: UnsafeBufferPointer<UInt8>,
        _ first: Int
    ) {
        func mix(_ a: Int, _ b: Int, _ c: Int, _ d: Int, _ pair: Int) {
            let x = message[Int(order[first &+ pair])]
            let y = message[Int(order[first &+ pair &+ 1])]
            var (p, q, r, s) = (work[a], work[b], work[c], work[d])
            p = p &+ q &+ x
            s = rotated(s ^ p, 32)
            r = r &+ s
            q = rotated(q ^ r, 24)
            p = p &+ q &+ y
            s = rotated(s ^ p, 16)
            r = r &+ s
            q = rotated(q ^ r, 63)
            (work[a], work[b], work[c], work[d]) = (p, q, r, s)
        }
        mix(0, 4, 8, 12, 0)
        mix(1, 5, 9, 13, 2)
        mix(2, 6, 10, 14, 4)
        mix(3, 7, 11, 15, 6)
        mix(0, 5, 10, 15, 8)
        mix(1, 6, 11, 12, 10)
        mix(2, 7, 8, 13, 12)
        mix(3, 4, 9, 14, 14)
    }

    private static func rotated(_ word: UInt64, _ count: UInt64) -> UInt64 {
        word &>> count | word &<< (64 &- count)
    }
}
