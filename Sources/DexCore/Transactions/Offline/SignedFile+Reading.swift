package import Ethereum
import StrictJSON

extension SignedFile {
    /// Reads a file strictly: each key once, none missing and none unknown.
    ///
    /// What it says of its bytes is not checked yet: see `verified`.
    ///
    /// - Throws: `DexError`, exit 2, `bad-signed-file`.
    package init(_ bytes: [UInt8]) throws(DexError) {
        let value: JSONValue
        do {
            value = try JSONParser.parse(bytes)
        } catch {
            throw SignedFileError.unreadable("it is no JSON")
        }
        guard let object = value.objectValue else {
            throw SignedFileError.unreadable("it is no JSON object")
        }
        // A later schema is named before anything else that is unknown in it.
        guard object["schema"]?.stringValue == Self.schema else {
            throw SignedFileError.unreadable("its schema is not \(Self.schema)")
        }
        if let unknown = object.members.first(where: { !Self.keys.contains($0.key) }) {
            throw SignedFileError.unreadable(
                "\(PlainText.quoted(unknown.key, limit: 40)) is no key of it"
            )
        }
        let members = Members(object: object)
        self.init(
            network: PlainText.clean(try members.string("network"), limit: 40),
            chainID: try members.integer("chainId"),
            from: try members.address("from"),
            nonce: try members.integer("nonce"),
            hash: TransactionHash(try members.word("hash")),
            raw: try members.bytes("raw"),
            purpose: PlainText.clean(try members.string("purpose"), limit: 40),
            to: try members.address("to"),
            value: try members.wei("value"),
            gasLimit: try members.integer("gasLimit"),
            maxFeePerGas: try members.wei("maxFeePerGas"),
            maxPriorityFeePerGas: try members.optional("maxPriorityFeePerGas", members.wei),
            madeAt: try members.integer("madeAt"),
            validUntil: try members.optional("validUntil", members.integer),
            plan: try members.plan()
        )
    }

    private static let keys: Set<String> = [
        "schema", "network", "chainId", "from", "nonce", "hash", "raw", "purpose", "to", "value",
        "gasLimit", "maxFeePerGas", "maxPriorityFeePerGas", "madeAt", "validUntil", "plan",
    ]

    /// The transaction in the bytes, with the sender who signed them.
    ///
    /// - Throws: `DexError`: exit 2, `bad-signed-file`, for bytes that are no signed transaction,
    ///   and where the file says something else of them than they do; exit 6,
    ///   `signed-for-every-chain`, for a transaction that names no chain.
    package func verified(
        _ recoverer: any SignatureRecovering
    ) throws(DexError) -> SignedTransaction {
        let signed: SignedTransaction
        do {
            signed = try SignedTransaction(raw: raw, recoverer: recoverer)
        } catch {
            throw SignedFileError.unreadable(error.description)
        }
        let transaction = signed.transaction
        guard transaction.authorizations.isEmpty else {
            throw SignedFileError.unreadable(
                "its transaction lets accounts run other code (type 4), which no command of dex does"
            )
        }
        guard let chainID = transaction.chainID else {
            throw SignedFileError.everyChain
        }
        guard let to = transaction.to else { throw SignedFileError.createsContract }
        let said: [(String, String, String)] = [
            ("hash", hash.hex, signed.hash.hex),
            ("chainId", "\(self.chainID)", "\(chainID)"),
            ("from", from.checksummed, signed.sender.checksummed),
            ("nonce", "\(nonce)", "\(transaction.nonce)"),
            ("to", self.to.checksummed, to.checksummed),
            ("value", value.description, transaction.value.description),
            ("gasLimit", "\(gasLimit)", "\(transaction.gasLimit)"),
            (
                "maxFeePerGas", maxFeePerGas.description,
                transaction.maximumGasPrice.description
            ),
            (
                "maxPriorityFeePerGas", maxPriorityFeePerGas?.description ?? "null",
                transaction.fee.tip?.description ?? "null"
            ),
        ]
        for (key, file, bytes) in said where file != bytes {
            throw SignedFileError.mismatch(key: key, file: file, bytes: bytes)
        }
        return signed
    }

    private struct Members {
        let object: JSONObject

        private func bad(_ key: String, _ expected: String) -> DexError {
            SignedFileError.unreadable("\"\(key)\" is not \(expected)")
        }

        func string(_ key: String) throws(DexError) -> String {
            guard let text = object[key]?.stringValue, !text.isEmpty else {
                throw bad(key, "a text")
            }
            return text
        }

        /// A number, or a string above 2^53.
        func integer(_ key: String) throws(DexError) -> UInt64 {
            let text = object[key]?.numberText ?? object[key]?.stringValue
            guard let text, let value = UInt64(text), String(value) == text else {
                throw bad(key, "a whole number")
            }
            return value
        }

        func wei(_ key: String) throws(DexError) -> Wei {
            guard let value = UInt256(decimal: try string(key)) else {
                throw bad(key, "a whole number in quotes")
            }
            return Wei(value)
        }

        func address(_ key: String) throws(DexError) -> Address {
            guard let address = Address(ifValid: try string(key)) else {
                throw bad(key, "an address")
            }
            return address
        }

        func word(_ key: String) throws(DexError) -> Bytes32 {
            guard let word = Bytes32(bytes: try bytes(key)) else { throw bad(key, "32 bytes") }
            return word
        }

        func bytes(_ key: String) throws(DexError) -> [UInt8] {
            guard let bytes = Hex.bytes(try string(key)) else {
                throw bad(key, "hexadecimal digits after 0x")
            }
            return bytes
        }

        func optional<Value>(
            _ key: String,
            _ read: (String) throws(DexError) -> Value
        ) throws(DexError) -> Value? {
            guard let value = object[key] else { throw bad(key, "there") }
            return value.isNull ? nil : try read(key)
        }

        func plan() throws(DexError) -> JSONValue {
            guard let plan = object["plan"], plan.objectValue != nil else {
                throw bad("plan", "an object")
            }
            return plan
        }
    }
}
