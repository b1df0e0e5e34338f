import Ethereum

/// A question to a contract: the data of an eth_call, and what its answer means.
///
/// Answers are decoded strictly: the length is the encoding's, and so is the padding of each word.
public struct ContractRead<Value: Sendable>: Sendable {
    /// The call data: selector and arguments.
    public let data: [UInt8]
    private let types: [ABIType]
    private let value: @Sendable (ContractWords) -> Value?

    /// - Parameters:
    ///   - value: nil for values that the contract never answers.
    init(
        _ data: [UInt8],
        _ types: [ABIType],
        _ value: @escaping @Sendable (ContractWords) -> Value?
    ) {
        self.data = data
        self.types = types
        self.value = value
    }

    /// The value in the answer of an eth_call.
    ///
    /// - Throws: `ContractReadError`; nodes answer calls to an address without code with no bytes
    ///   and no error, which is `.noContract` and never a zero.
    public func decode(_ answer: [UInt8]) throws(ContractReadError) -> Value {
        guard !answer.isEmpty else { throw .noContract }
        // nil: not the encoding of these types.
        guard let values = try? ABI.decode(answer, as: types),
            let value = value(ContractWords(values: values))
        else { throw .malformed }
        return value
    }
}

/// The reason why an answer has no value.
public enum ContractReadError: Error, Hashable, Sendable {
    /// No bytes: there is no such contract at the address.
    case noContract
    /// The answer is not what the contract returns.
    case malformed
}

/// The decoded words of an answer, read by place; nil where another type or nothing is.
struct ContractWords {
    let values: [ABIValue]

    subscript(_ index: Int) -> ABIValue? {
        values.indices.contains(index) ? values[index] : nil
    }

    func unsigned(_ index: Int) -> UInt256? { self[index]?.unsigned }

    func signed(_ index: Int) -> Int128? { self[index]?.signed }

    func tick(_ index: Int) -> Int32? { signed(index).flatMap { Int32(exactly: $0) } }

    func small(_ index: Int) -> UInt64? { unsigned(index)?.uint64 }

    func flag(_ index: Int) -> Bool? {
        guard case .bool(let flag)? = self[index] else { return nil }
        return flag
    }

    func address(_ index: Int) -> Address? {
        guard case .address(let address)? = self[index] else { return nil }
        return address
    }

    func array(_ index: Int) -> [ABIValue]? {
        guard case .array(let values)? = self[index] else { return nil }
        return values
    }
}

extension ABIValue {
    var unsigned: UInt256? {
        guard case .uint(let number) = self else { return nil }
        return number
    }

    /// A signed number of at most 128 bits.
    var signed: Int128? {
        guard case .int(let number) = self else { return nil }
        let value = Int128(truncatingIfNeeded: UInt128(number.w1) << 64 | UInt128(number.w0))
        let sign: UInt64 = value < 0 ? .max : 0
        return number.w2 == sign && number.w3 == sign ? value : nil
    }
}
