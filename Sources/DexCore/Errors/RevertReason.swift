package import Ethereum
package import ZeroEx

/// The reason why a contract reverted, from the returned data: `Error(string)`, `Panic(uint256)`, or
/// the contract's own error, which only the contract can name.
///
/// Source: https://docs.soliditylang.org/en/latest/control-structures.html#revert
package enum RevertReason: Hashable, Sendable {
    /// Nothing was returned.
    case none
    /// The words of `require` and `revert`; external text.
    case words(String)
    /// A compiler-generated check, by its number.
    case panic(UInt256)
    /// The exchange's own error, as a sentence.
    case exchange(String)
    /// An error of the ABI that the user gave, with its arguments; external text.
    case declared(String)
    /// Another contract's own error: its selector and arguments, or anything else.
    case custom([UInt8])

    private static let error = ERC20.call("Error(string)")
    private static let panic = ERC20.call("Panic(uint256)")

    /// The reason in the data of a revert.
    ///
    /// - Parameters:
    ///   - exchangeProtocol: knows the exchange's own errors.
    ///   - abi: knows the contract's; nil without one.
    package init(
        _ data: [UInt8],
        by exchangeProtocol: any ExchangeProtocol,
        abi: ContractABI? = nil
    ) {
        let arguments = Array(data.dropFirst(4))
        if data.isEmpty {
            self = .none
        } else if let sentence = exchangeProtocol.revertReason(data) {
            self = .exchange(sentence)
        } else if let words = abi?.words(ofRevert: data) {
            self = .declared(words)
        } else if let sentence = Protocols.swapRules(chainID: 1).revertReason(data) {
            self = .exchange(sentence)
        } else if data.starts(with: Self.error),
            case .string(let text) = try? ABI.decode(  // else not words
                arguments,
                as: [.string],
                allowsTrailingBytes: true
            ).first
        {
            self = .words(text)
        } else if data.starts(with: Self.panic), arguments.count == 32,
            let code = UInt256(bigEndian: arguments)
        {
            self = .panic(code)
        } else {
            self = .custom(data)
        }
    }

    /// The text for the user, a contract's own words in quotes; never empty.
    package var text: String {
        switch self {
        case .none: return "no reason given"
        case .words(let words):
            return words.isEmpty ? "no reason given" : PlainText.quoted(words, limit: 300)
        case .exchange(let sentence):
            let clean = PlainText.clean(sentence)
            // It is part of a longer sentence.
            return clean.hasSuffix(".") ? String(clean.dropLast()) : clean
        case .declared(let words): return words
        case .panic(let code):
            let meaning = code.uint64.flatMap { Self.panics[$0] } ?? "an unknown kind"
            return "panic \(code.quantity): \(meaning)"
        case .custom(let data):
            let shown = Hex.encode(data.prefix(260)) + (data.count > 260 ? "…" : "")
            return "an error of the contract's own, \(shown)"
        }
    }

    /// Why a call failed, in the contract's words if it returned any, else in the node's.
    static func words(
        of error: ChainError,
        by exchangeProtocol: any ExchangeProtocol,
        abi: ContractABI? = nil
    ) -> String {
        switch error {
        case .reverted(let data, let message):
            let reason = RevertReason(data, by: exchangeProtocol, abi: abi)
            guard reason == .none else { return reason.text }
            return message.isEmpty ? reason.text : PlainText.quoted(message, limit: 300)
        default: return PlainText.clean(error.description)
        }
    }

    /// Why a mined call reverted, as a sentence, from a repetition of the call on the state after
    /// its block.
    ///
    /// nil if it would pass now, or the reason is unknown.
    static func read(
        of call: CallRequest,
        in block: UInt64,
        _ session: Session,
        abi: ContractABI? = nil
    ) async -> String? {
        do throws(ChainError) {
            _ = try await session.chain.call(call, at: .number(block))
            return nil
        } catch {
            guard error.isExecutionFailure else { return nil }
            let words = words(of: error, by: session.exchangeProtocol, abi: abi)
            return "The contract's reason: \(PlainText.sentence(words))"
        }
    }

    private static let panics: [UInt64: String] = [
        0x00: "a fault of the compiler's own",
        0x01: "an assertion does not hold",
        0x11: "a number overflows",
        0x12: "a division by zero",
        0x21: "a value that its type does not have",
        0x22: "bytes in storage that are not encoded right",
        0x31: "an empty array has nothing to remove",
        0x32: "an index beyond the end of an array",
        0x41: "too much memory",
        0x51: "a function that was never set",
    ]
}
