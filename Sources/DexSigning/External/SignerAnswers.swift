import Ethereum
import StrictJSON

/// Reads the answers of an external signer, and trusts none of them.
struct SignerAnswers {
    /// The signer, for messages.
    let name: String
    let recoverer: any SignatureRecovering

    /// The signature in a signed transaction: the raw bytes, or an object that has them as `raw`.
    ///
    /// - Throws: `SigningError` if it is not exactly the requested transaction.
    func signature(
        ofTransaction json: JSONValue,
        asked: Transaction
    ) throws(SigningError) -> Signature {
        guard let text = json.stringValue ?? json["raw"]?.stringValue,
            let raw = Hex.bytes(text)
        else { throw bad("it has no signed transaction in hexadecimal") }
        let signed: SignedTransaction
        do throws(TransactionError) {
            signed = try SignedTransaction(raw: raw, recoverer: recoverer)
        } catch {
            throw bad("its transaction cannot be read (\(error.description))")
        }
        let changes = Self.differences(signed.transaction, asked)
        guard changes.isEmpty, signed.transaction == asked else {
            throw SigningError.changedTransaction(name: name, changes: changes)
        }
        return signed.signature
    }

    /// A signature of 65 bytes: r, s and v, which is 27 or 28, or 0 or 1.
    ///
    /// - Throws: `SigningError` for anything else.
    func signature(_ json: JSONValue) throws(SigningError) -> Signature {
        guard let bytes = json.stringValue.flatMap(Hex.bytes), bytes.count == 65,
            let r = Bytes32(bytes: bytes[..<32]), let s = Bytes32(bytes: bytes[32..<64]),
            let signature = Signature(
                r: r,
                s: s,
                yParity: bytes[64] < 27 ? bytes[64] : bytes[64] - 27
            )
        else { throw bad("it is not a signature of 65 bytes in hexadecimal") }
        return signature
    }

    func bad(_ reason: String) -> SigningError {
        SigningError.badAnswer(name: name, reason: reason)
    }

    /// The signer's own refusal; its words are external.
    func refused(_ words: String, isDeclined: Bool) -> SigningError {
        let reported = words.isEmpty ? "it gave no reason" : ForeignWords.quoted(words, limit: 300)
        return isDeclined
            ? .declined(name: name, reported: reported)
            : .signerRefused(name: name, reported: reported)
    }

    private static func differences(_ signed: Transaction, _ asked: Transaction) -> [String] {
        var names: [String] = []
        if signed.chainID != asked.chainID { names.append("the chain") }
        if signed.nonce != asked.nonce { names.append("the nonce") }
        if signed.fee != asked.fee { names.append("the type or the price of gas") }
        if signed.gasLimit != asked.gasLimit { names.append("the gas limit") }
        if signed.to != asked.to { names.append("the receiver") }
        if signed.value != asked.value { names.append("the value") }
        if signed.data != asked.data { names.append("the call data") }
        if signed.accessList != asked.accessList { names.append("the access list") }
        if signed.authorizations != asked.authorizations { names.append("the authorizations") }
        return names
    }
}
