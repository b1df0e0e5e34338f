import ArgumentParser
import DexCore
import DexSigning
import DexTerminal
import Ethereum
import EthereumWallet
import StrictJSON

extension WalletCommand {
    struct SignTyped: DexCommand {
        static var answer: Answer? { .signTyped }
        static let configuration = CommandConfiguration(
            commandName: "sign-typed",
            abstract: "Sign typed data that an application asks for (EIP-712).",
            discussion: """
                The plan shows all that is signed, and at its end what the signature allows, if it \
                is a permit (EIP-2612, DAI, Permit2), a transfer (EIP-3009), or an order of 0x v4 \
                or Seaport. Data for another chain than the network's is refused. Rules and \
                limits apply as they do to approvals and orders.
                """
        )
        static let examples: Examples = [
            "See what an application's request allows": "dex wallet sign-typed request.json",
            "Sign it for a script": "dex wallet sign-typed request.json -w main --yes --json",
        ]
        @Argument(help: "A file as for eth_signTypedData_v4, or - for stdin.")
        var file: String
        @OptionGroup var options: GlobalOptions

        func execute(_ context: CommandContext) async throws -> CommandReport {
            let data = try context.typedData(file)
            let network = try context.network(try context.settings())
            let account = try await context.account(network)
            return try await context.signed(data, by: account)
        }
    }

    struct VerifyTyped: DexCommand {
        static var answer: Answer? { .verifyTyped }
        static let configuration = CommandConfiguration(
            commandName: "verify-typed",
            abstract: "Check who signed typed data (EIP-712)."
        )
        static let examples: Examples = [
            "See who signed it": "dex wallet verify-typed request.json \"$SIGNATURE\"",
            "Check that this account did":
                "dex wallet verify-typed request.json \"$SIGNATURE\" 0x1d9E25Ddc3387f611bBCD822cf2027770Ae2Bd0E",
        ]
        @Argument(help: "A file as for eth_signTypedData_v4, or - for stdin.")
        var file: String
        @Argument(help: "The signature: 0x and 130 digits.")
        var signature: String
        @Argument(help: "The account that is said to have signed; without it, any.")
        var address: String?
        @OptionGroup var options: GlobalOptions

        func execute(_ context: CommandContext) async throws -> CommandReport {
            let expected = try address.map { try Address(party: $0) }
            let signature = try SignatureText.read(signature)
            let data = try context.typedData(file)
            let signer = try context.signer(of: data.digest, signature, expected: expected)
            let json: JSONValue = [
                "address": JSONFormat.address(signer),
                "primaryType": .string(data.primaryType),
                "hash": .string(data.digest.hex),
            ]
            return CommandReport(data: json) { _ in
                ["\(signer.checksummed) signed this \(data.primaryType)."]
            }
        }
    }
}

extension CommandContext {
    /// The most bytes of typed data: an unlocked key takes no larger question.
    private static let longestTypedData = 256 << 10

    /// Typed data in a file.
    ///
    /// - Throws: `DexError`, exit 2, if there is no such file, or it is no typed data.
    fileprivate func typedData(_ file: String) throws -> TypedData {
        guard let bytes = try content(of: file, limit: Self.longestTypedData) else {
            throw ArgumentError.noFile(file)
        }
        let json: JSONValue
        do throws(JSONError) {
            json = try JSONParser.parse(bytes)
        } catch {
            throw ArgumentError.badTypedData(reason: error.description)
        }
        do throws(TypedDataError) {
            return try TypedData(json: json)
        } catch {
            throw ArgumentError.badTypedData(reason: error.description)
        }
    }

    /// Shows typed data, asks, and signs it.
    func signed(_ typed: TypedData, by account: Account) async throws -> CommandReport {
        let network = account.network
        let model = TypedDataModel(
            network: network,
            tokens: try tokenMap(network),
            known: try knownAddresses(network),
            now: Console.now()
        )
        let state = try model.plan(
            typed,
            account: account.address,
            origin: asker?.name,
            facts: await typedDataFacts(typed, account)
        )
        let view = TypedDataView(state)
        let data = TypedDataJSON.plan(state)
        let plan = PlanReport(data: data, warnings: state.warnings, question: view.question) {
            view.lines($0)
        }
        return try await confirmed(plan, by: account) { signer in
            try signer.check(.typedData(typed), terms: SigningTerms(purpose: "typed-data"))
        } perform: { signer in
            let text = SignatureText.write(try await signer.sign(typedData: typed))
            var data = data.objectValue ?? JSONObject()
            data["signature"] = .string(text)
            return report(.object(data), warnings: state.warnings) { _ in [text] }
        }
    }

    /// What the network's node says about typed data; nil if none is set.
    private func typedDataFacts(
        _ typed: TypedData,
        _ account: Account
    ) async throws -> TypedDataFacts? {
        guard !account.network.rpc.isEmpty else { return nil }
        let session = try session(account.network)
        return await TypedDataFacts.read(typed, account: account.address, session)
    }

    /// The account that signed 32 bytes.
    ///
    /// - Throws: `DexError`, exit 5, if none did, or another one than expected.
    func signer(
        of digest: Bytes32,
        _ signature: Signature,
        expected: Address?
    ) throws(DexError) -> Address {
        let signer: Address
        do {
            signer = try Secp256k1().recover(digest: digest, signature: signature)
        } catch {
            throw ArgumentError.unrecoverable(reason: error.description)
        }
        guard let expected, signer != expected else { return signer }
        throw ArgumentError.otherSigner(expected: expected, signer: signer)
    }
}
