import Ethereum

/// The actions in a call of Settler.
///
/// Read as loosely as the genuine contract does: an action may be anywhere, and may claim to be
/// longer than the call data. In a Permit2 quote the last one does, so that the signature which is
/// appended later becomes its end.
struct SettlerActions {
    let count: Int
    private let calldata: CalldataReader
    /// The position of the first offset, from which the offsets count.
    private let first: Int

    /// The actions of a call.
    ///
    /// - Parameter offset: of the array, from after the selector.
    /// - Throws: a revert if the call data has no room for the offsets.
    init(_ data: [UInt8], offset: UInt256) throws(CallFailure) {
        calldata = CalldataReader(bytes: data)
        guard let start = SettlerAction.position(4, plus: offset, in: data),
            start <= data.count - 32
        else { throw .revert([]) }
        first = start + 32
        let room = UInt64(data.count - first) / 32
        guard let length = UInt256(calldata.word(at: start)).uint64, length <= room else {
            throw .revert([])
        }
        count = Int(length)
    }

    /// The action at an index below `count`.
    ///
    /// - Throws: a revert if it lies among the offsets, or has no selector.
    func action(at index: Int) throws(CallFailure) -> SettlerAction {
        let offset = UInt256(calldata.word(at: first + 32 * index))
        guard offset >= UInt256(UInt64(32 * count)),
            let start = SettlerAction.position(first, plus: offset, in: calldata.bytes)
        else { throw .revert([]) }
        let length = UInt256(calldata.word(at: start))
        guard length >= 4 else { throw .revert([]) }
        return SettlerAction(calldata: calldata, start: start + 36, length: length - 4)
    }
}

/// An action of Settler: a selector and arguments.
struct SettlerAction {
    enum Function: UInt32 {
        case transferFrom = 0xc1fb_425e
        case nativeCheck = 0xbd01_c226
        case checkSlippage = 0x131a_d428
        /// Those of the stand-in.
        case wrap = 0x573d_6314
        case unwrap = 0xe2ac_530c
        case sell = 0xd33d_cddd
    }

    fileprivate let calldata: CalldataReader
    /// The position of the arguments.
    fileprivate let start: Int
    /// The bytes of arguments, as claimed.
    fileprivate let length: UInt256

    /// A position in call data; nil beyond its end.
    fileprivate static func position(
        _ start: Int,
        plus offset: UInt256,
        in data: [UInt8]
    ) -> Int? {
        guard let offset = offset.uint64, offset <= UInt64(data.count) else { return nil }
        let position = start + Int(offset)
        return position < data.count ? position : nil
    }

    /// Zeros follow after the end of the call data.
    var selector: UInt32 {
        UInt32(truncatingIfNeeded: UInt256(calldata.word(at: start - 4)) >> 224)
    }

    /// nil for an unknown action.
    var function: Function? {
        Function(rawValue: selector)
    }

    /// The arguments as far as there is call data.
    var arguments: [UInt8] {
        let rest = calldata.bytes.dropFirst(start)
        return Array(
            rest.prefix(min(length, UInt256(UInt64(rest.count))).uint64.map(Int.init) ?? 0)
        )
    }

    func word(_ index: Int) throws(CallFailure) -> Bytes32 {
        guard length >= UInt256(UInt64(32 * (index + 1))) else { throw .revert([]) }
        return calldata.word(at: start + 32 * index)
    }

    func number(_ index: Int) throws(CallFailure) -> UInt256 {
        UInt256(try word(index))
    }

    func address(_ index: Int) throws(CallFailure) -> Address {
        guard let address = Address(ifWord: try word(index)) else { throw .revert([]) }
        return address
    }

    func flag(_ index: Int) throws(CallFailure) -> Bool {
        switch try number(index) {
        case 0: return false
        case 1: return true
        default: throw .revert([])
        }
    }

    /// The byte string whose offset is an argument.
    ///
    /// It may not be longer than the call data, whatever the action claims.
    func byteString(_ index: Int) throws(CallFailure) -> [UInt8] {
        let offset = try number(index)
        let size = UInt256(UInt64(calldata.bytes.count))
        guard offset <= size, let place = offset.uint64, length >= offset + 32 else {
            throw .revert([])
        }
        let first = start + Int(place)
        let wanted = UInt256(calldata.word(at: first))
        guard wanted <= size, wanted <= length - offset - 32, let count = wanted.uint64 else {
            throw .revert([])
        }
        let found = calldata.bytes.dropFirst(first + 32).prefix(Int(count))
        // Zeros follow after the end, as for every word.
        return Array(found) + Array(repeating: 0, count: Int(count) - found.count)
    }
}
