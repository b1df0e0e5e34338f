package import Ethereum
import StrictJSON

extension ContractABI {
    /// The most bytes of a file with an ABI; those of compilers hold the code too.
    package static let longestFile = 8 << 20

    /// The ABI in a file's bytes.
    ///
    /// - Parameter path: names the file in the error.
    /// - Throws: `DexError`, exit 2, `bad-abi`.
    package init(_ bytes: [UInt8], path: String) throws(DexError) {
        let json: JSONValue
        do throws(JSONError) {
            json = try JSONParser.parse(bytes)
        } catch {
            throw CallError.badABI(path: path, reason: error.description)
        }
        do throws(ABIError) {
            try self.init(json)
        } catch {
            throw CallError.badABI(path: path, reason: error.description)
        }
    }

    /// The function of a name, or of a whole signature where several have the name.
    ///
    /// - Throws: `DexError`, exit 2: `no-such-function`, `ambiguous-function` with the candidates,
    ///   `bad-function` for a malformed signature.
    func signature(of text: String) throws(DexError) -> ABISignature {
        let found: [ABISignature]
        if text.contains("(") {
            let typed: ABISignature
            do throws(ABIError) {
                typed = try ABISignature(text)
            } catch {
                throw CallError.badFunction(reason: error.description)
            }
            found = functions.filter { $0.function.signature == typed.function.signature }
        } else {
            found = functions.filter { $0.function.name == text }
        }
        guard let first = found.first else {
            throw CallError.noSuchFunction(text, known: functions.map(\.function.name))
        }
        guard found.count == 1 else {
            throw CallError.ambiguousFunction(text, candidates: found.map(\.function.signature))
        }
        return first
    }

    /// A revert in the words of the contract's own error: `TooLittle(has 5, needs 7)`; nil if the
    /// ABI does not have it.
    func words(ofRevert data: [UInt8]) -> String? {
        guard let (error, arguments) = error(in: data) else { return nil }
        let shown = zip(arguments, error.inputNames).map { value, name in
            (name.map { "\($0) " } ?? "") + PlainText.clean(ABIText.format(value), limit: 200)
        }
        return PlainText.clean(
            "\(error.function.name)(\(shown.joined(separator: ", ")))",
            limit: 600
        )
    }
}
