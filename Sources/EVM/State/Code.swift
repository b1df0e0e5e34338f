import Ethereum

/// A contract's code, with what every run of it needs.
final class Code {
    /// Without the padding.
    let bytes: [UInt8]
    /// How many these are.
    let count: Int
    /// keccak-256 of the bytes; of code that only runs once, such as a creation's, nobody asks.
    private(set) lazy var hash = Keccak256.hash(bytes)
    /// The code and zeros behind it, so that a push at its end needs no check.
    let start: UnsafeMutablePointer<UInt8>
    /// A bit for each byte that is a JUMPDEST and no push data.
    let destinations: UnsafePointer<UInt64>

    static let emptyHash = Keccak256.hash([])
    /// Bytes that a push reads at the most, and the STOP behind them.
    private static let padding = 34

    /// - Parameter hash: of the bytes, if it is known.
    init(_ bytes: [UInt8], hash: Bytes32? = nil) {
        self.bytes = bytes
        count = bytes.count
        let start = UnsafeMutablePointer<UInt8>.allocate(capacity: bytes.count + Self.padding)
        start.initialize(repeating: 0, count: bytes.count + Self.padding)
        bytes.withUnsafeBufferPointer { source in
            if let base = source.baseAddress { start.update(from: base, count: source.count) }
        }
        let words = bytes.count / 64 + 1
        let destinations = UnsafeMutablePointer<UInt64>.allocate(capacity: words)
        destinations.initialize(repeating: 0, count: words)
        (self.start, self.destinations) = (start, UnsafePointer(destinations))
        var index = 0
        while index < bytes.count {
            let byte = start[index]
            if byte == 0x5B {
                destinations[index >> 6] |= 1 << UInt64(index & 63)
            } else if (0x60...0x7F).contains(byte) {
                index += Int(byte) - 0x5F
            }
            index += 1
        }
        if let hash { self.hash = hash }
    }

    deinit {
        start.deallocate()
        destinations.deallocate()
    }

    /// A jump may go to this index, which is below `count`, in code with these destinations.
    @inline(__always)
    static func isDestination(_ index: Int, _ destinations: UnsafePointer<UInt64>) -> Bool {
        destinations[index >> 6] & (1 << UInt64(index & 63)) != 0
    }

    /// The account whose code runs instead (EIP-7702); nil for other code.
    var delegate: Address? { Delegation.delegate(of: bytes) }

    /// Code of another machine than this one, such as Arbitrum's Stylus: no contract of the EVM
    /// begins like this (EIP-3541), and a delegation is none.
    var isForeign: Bool { bytes.first == 0xEF && delegate == nil }
}
