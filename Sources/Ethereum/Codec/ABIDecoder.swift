/// Reads values by the contract ABI.
///
/// Every dynamic value must begin where the one before it ended, or later if gaps are allowed.
/// Each byte is therefore read at most once: the work is linear in the data, for any offsets.
struct ABIDecoder {
    private let bytes: ArraySlice<UInt8>
    private let allowsGaps: Bool
    /// The end of the bytes read so far: the earliest start of the next dynamic value.
    private var cursor: Int

    init(_ bytes: ArraySlice<UInt8>, allowsGaps: Bool) {
        self.bytes = bytes
        self.allowsGaps = allowsGaps
        cursor = bytes.startIndex
    }

    /// All bytes are read.
    var isAtEnd: Bool {
        cursor == bytes.endIndex
    }

    /// The values of a head and of its offsets, which count from the start of the head.
    mutating func decode(_ head: ABIHead, at base: Int) throws(ABIError) -> [ABIValue] {
        let size = try head.size()
        guard size <= bytes.endIndex - base else { throw .truncated }
        cursor = base + size
        var values: [ABIValue] = []
        values.reserveCapacity(head.count)
        var position = base
        for index in 0..<head.count {
            let type = head[index]
            if type.isDynamic {
                values.append(try decodeDynamic(type, at: try target(from: base, at: position)))
                position += 32
            } else {
                values.append(try decodeStatic(type, &position))
            }
        }
        return values
    }

    private mutating func decodeDynamic(
        _ type: ABIType,
        at position: Int
    ) throws(ABIError) -> ABIValue {
        switch type {
        case .bytes:
            return .bytes(Array(try decodeBytes(at: position)))
        case .string:
            let content = try decodeBytes(at: position)
            guard let text = String(validating: content, as: UTF8.self) else { throw .badUTF8 }
            return .string(text)
        case .array(let element):
            let count = try length(at: position)
            let rest = bytes.endIndex - position - 32
            guard count <= rest / (try element.headSize()) else { throw .badLength }
            return .array(try decode(.elements(element, count), at: position + 32))
        case .fixedArray(let element, let count):
            return .array(try decode(.elements(element, count), at: position))
        case .tuple(let members):
            return .tuple(try decode(.members(members), at: position))
        case .uint, .int, .bool, .address, .fixedBytes:
            var position = position
            return try decodeStatic(type, &position)
        }
    }

    /// A static value within a head of checked size.
    private func decodeStatic(
        _ type: ABIType,
        _ position: inout Int
    ) throws(ABIError) -> ABIValue {
        switch type {
        case .fixedArray(let element, let count):
            var values: [ABIValue] = []
            values.reserveCapacity(count)
            for _ in 0..<count { values.append(try decodeStatic(element, &position)) }
            return .array(values)
        case .tuple(let members):
            var values: [ABIValue] = []
            values.reserveCapacity(members.count)
            for member in members { values.append(try decodeStatic(member, &position)) }
            return .tuple(values)
        default:
            let word = try word(at: position)
            position += 32
            return try Self.scalar(type, word)
        }
    }

    private static func scalar(_ type: ABIType, _ word: Bytes32) throws(ABIError) -> ABIValue {
        let number = UInt256(word)
        switch type {
        case .uint(let bits):
            guard number.leadingZeroBitCount >= 256 - bits else { throw .badPadding }
            return .uint(number)
        case .int(let bits):
            guard number.isSignExtended(from: bits) else { throw .badPadding }
            return .int(number)
        case .bool:
            guard let flag = number.uint64, flag <= 1 else { throw .badBoolean }
            return .bool(flag == 1)
        case .address:
            guard number.leadingZeroBitCount >= 96 else { throw .badPadding }
            return .address(Address(truncating: word))
        case .fixedBytes(let count):
            guard number.trailingZeroBitCount >= 256 - 8 * count else { throw .badPadding }
            return .fixedBytes(Array(word.bytes.prefix(count)))
        case .bytes, .string, .array, .fixedArray, .tuple:
            throw .mismatch("\(type.name.excerpt) is not one word")
        }
    }

    private mutating func decodeBytes(at position: Int) throws(ABIError) -> ArraySlice<UInt8> {
        let count = try length(at: position)
        let start = position + 32
        guard count <= bytes.endIndex - start else { throw .badLength }
        let padding = (32 - count % 32) % 32
        guard padding <= bytes.endIndex - start - count else { throw .truncated }
        cursor = start + count + padding
        guard bytes[(start + count)..<cursor].allSatisfy({ $0 == 0 }) else { throw .badPadding }
        return bytes[start..<start + count]
    }

    /// The target of the offset at a position; the offset counts from a base.
    private func target(from base: Int, at position: Int) throws(ABIError) -> Int {
        guard let offset = UInt256(try word(at: position)).uint64,
            offset <= UInt64(bytes.endIndex - base)
        else { throw .badOffset }
        let target = base + Int(offset)
        guard target == cursor || target > cursor && allowsGaps else { throw .badOffset }
        return target
    }

    private func length(at position: Int) throws(ABIError) -> Int {
        guard let length = UInt256(try word(at: position)).uint64,
            let count = Int(exactly: length), count <= bytes.count
        else { throw .badLength }
        return count
    }

    private func word(at position: Int) throws(ABIError) -> Bytes32 {
        guard bytes.endIndex - position >= 32,
            let word = Bytes32(bytes: bytes[position..<position + 32])
        else { throw .truncated }
        return word
    }
}
