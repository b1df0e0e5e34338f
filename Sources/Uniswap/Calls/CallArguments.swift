import Ethereum

/// Decoded arguments, taken one after the other.
///
/// The decoder has checked the types: a nil is a mistake of this module, and refuses the call.
struct CallArguments {
    private var rest: ArraySlice<ABIValue>

    init(_ values: [ABIValue]) {
        rest = values[...]
    }

    /// The arguments in call data after its selector; nil unless they are encoded exactly.
    init?(_ data: ArraySlice<UInt8>, as types: [ABIType]) {
        // nil: not the strict encoding of these types
        guard let values = try? ABI.decode(Array(data), as: types) else { return nil }
        self.init(values)
    }

    mutating func number() -> UInt256? {
        guard case .uint(let number) = rest.popFirst() else { return nil }
        return number
    }

    /// A signed number in two's complement.
    mutating func signed() -> UInt256? {
        guard case .int(let number) = rest.popFirst() else { return nil }
        return number
    }

    mutating func address() -> Address? {
        guard case .address(let address) = rest.popFirst() else { return nil }
        return address
    }

    mutating func bytes() -> [UInt8]? {
        guard case .bytes(let bytes) = rest.popFirst() else { return nil }
        return bytes
    }

    mutating func tuple() -> CallArguments? {
        guard case .tuple(let values) = rest.popFirst() else { return nil }
        return CallArguments(values)
    }

    /// Nil also if an element is no address.
    mutating func addresses() -> [Address]? {
        list { argument in argument.address() }
    }

    /// Nil also if an element is no number.
    mutating func numbers() -> [UInt256]? {
        list { argument in argument.number() }
    }

    /// Nil also if an element is no byte string.
    mutating func byteStrings() -> [[UInt8]]? {
        list { argument in argument.bytes() }
    }

    private mutating func list<Element>(
        _ element: (inout CallArguments) -> Element?
    ) -> [Element]? {
        guard case .array(let values) = rest.popFirst() else { return nil }
        var arguments = CallArguments(values)
        var elements: [Element] = []
        for _ in values {
            guard let next = element(&arguments) else { return nil }
            elements.append(next)
        }
        return elements
    }
}
