import Ethereum
import Glibc

/// The memory of a call: bytes that grow by words of 32.
struct Memory: ~Copyable {
    private(set) var start: UnsafeMutablePointer<UInt8>
    /// Bytes in use, a multiple of 32.
    private(set) var count = 0
    private var capacity: Int

    private static let firstCapacity = 4_096
    /// What it may keep between runs.
    private static let keptCapacity = 1 << 20

    init() {
        capacity = Self.firstCapacity
        start = .allocate(capacity: capacity)
    }

    deinit { start.deallocate() }

    mutating func clear() { count = 0 }

    /// Begins anew, if it is larger than most runs need.
    mutating func release() {
        clear()
        if capacity > Self.keptCapacity { self = Memory() }
    }

    /// The last byte of a range in units that no gas pays for; a range beyond it fails.
    private static let end: UInt64 = 0x1_FFFF_FFFF

    /// Grows to hold a range; a range of no bytes holds none, wherever it is.
    ///
    /// - Parameter gas: what is left for it.
    /// - Returns: the price of the growth; nil if it is more than what is left.
    @inline(__always)
    mutating func grow(
        to offset: UInt256,
        _ size: UInt256,
        gas: Int64,
        _ prices: borrowing GasPrices
    ) -> Int64? {
        if size.isZero { return 0 }
        guard offset.isSmall, size.isSmall, offset.w0 | size.w0 <= Self.end else { return nil }
        let end = Int(offset.w0 &+ size.w0)
        return end <= count ? 0 : grow(to: end, gas: gas, prices)
    }

    @inline(never)
    private mutating func grow(
        to end: Int,
        gas: Int64,
        _ prices: borrowing GasPrices
    ) -> Int64? {
        let (words, old) = (Int64((end + 31) / 32), Int64(count / 32))
        let price =
            prices.memoryWord * (words - old) + words * words / prices.memoryQuadratic
            - old * old / prices.memoryQuadratic
        guard price <= gas else { return nil }
        let size = Int(words) * 32
        if size > capacity {
            while capacity < size { capacity *= 2 }
            let larger = UnsafeMutablePointer<UInt8>.allocate(capacity: capacity)
            larger.update(from: start, count: count)
            start.deallocate()
            start = larger
        }
        (start + count).update(repeating: 0, count: size - count)
        count = size
        return price
    }

    /// The bytes of a range that is in use.
    func bytes(_ offset: UInt256, _ size: UInt256) -> [UInt8] {
        size.isZero
            ? []
            : Array(UnsafeBufferPointer(start: start + Int(offset.w0), count: Int(size.w0)))
    }

    /// Copies bytes from anywhere of a source; behind its end there are zeros.
    ///
    /// - Parameter offset: of a range of `count` bytes that is in use.
    mutating func copy(
        _ source: UnsafeBufferPointer<UInt8>,
        from index: UInt256,
        to offset: Int,
        count: Int
    ) {
        let first =
            index.isSmall && index.w0 <= UInt64(source.count) ? Int(index.w0) : source.count
        let known = min(count, source.count - first)
        if known > 0, let base = source.baseAddress {
            (start + offset).update(from: base + first, count: known)
        }
        if known < count {
            (start + offset + known).update(repeating: 0, count: count - known)
        }
    }

    /// Moves bytes within memory in use; the ranges may overlap.
    mutating func move(from: Int, to: Int, count: Int) {
        memmove(start + to, start + from, count)
    }

    /// Writes the first bytes of an answer into a range in use.
    mutating func write(_ bytes: [UInt8], at offset: Int, atMost size: Int) {
        let count = min(size, bytes.count)
        guard count > 0 else { return }
        bytes.withUnsafeBufferPointer { source in
            if let base = source.baseAddress { (start + offset).update(from: base, count: count) }
        }
    }
}
