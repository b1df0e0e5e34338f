import ArgumentParser
import DexCore
import DexSigning
import DexTerminal
import Ethereum
import StrictJSON

extension WalletCommand {
    struct SignMessage: DexCommand {
        static var answer: Answer? { .signMessage }
        static let configuration = CommandConfiguration(
            commandName: "sign-message",
            abstract: "Sign a text as the account (EIP-191), to prove who it belongs to.",
            discussion: """
                Orders are signed in the same form over 32 bytes: a message of exactly 32 bytes is \
                refused, however it is written.
                """
        )
        static let examples: Examples = [
            "Prove that the account is yours": "dex wallet sign-message 'I am alice' -w alice",
            "Sign a text of several lines": "dex wallet sign-message --file letter.txt",
        ]
        @OptionGroup var content: MessageOptions
        @OptionGroup var options: GlobalOptions

        func execute(_ context: CommandContext) async throws -> CommandReport {
            let message = try content.bytes(context)
            let network = try context.network(try context.settings())
            return try await context.signed(message, by: try await context.account(network))
        }
    }

    struct VerifyMessage: DexCommand {
        static var answer: Answer? { .verifyMessage }
        static let configuration = CommandConfiguration(
            commandName: "verify-message",
            abstract: "Check that an account signed a text (EIP-191)."
        )
        static let examples: Examples = [
            "Check a text against its signature":
                "dex wallet verify-message 0x1d9E25Ddc3387f611bBCD822cf2027770Ae2Bd0E \"$SIGNATURE\" 'I am alice'",
            "Check a file":
                "dex wallet verify-message 0x1d9E25Ddc3387f611bBCD822cf2027770Ae2Bd0E \"$SIGNATURE\" --file letter.txt",
        ]
        @Argument(help: "The account that is said to have signed.")
        var address: String
        @Argument(help: "The signature: 0x and 130 digits.")
        var signature: String
        @OptionGroup var content: MessageOptions
        @OptionGroup var options: GlobalOptions

        func execute(_ context: CommandContext) async throws -> CommandReport {
            let expected = try Address(party: address)
            let signature = try SignatureText.read(signature)
            let hash = EthereumMessage.hash(try content.bytes(context))
            let signer = try context.signer(of: hash, signature, expected: expected)
            let data: JSONValue = [
                "address": JSONFormat.address(signer), "hash": .string(hash.hex),
            ]
            return CommandReport(data: data) { _ in ["\(signer.checksummed) signed this message."] }
        }
    }
}

extension CommandContext {
    /// Shows a message, asks, and signs it.
    func signed(_ message: [UInt8], by account: Account) async throws -> CommandReport {
        let state = MessageState(message, account: account.label, origin: asker?.name)
        try state.checkShown()
        let view = MessageView(state)
        let data: JSONValue = [
            "address": JSONFormat.address(account.address),
            "messageBytes": .string(Hex.encode(message)),
            "hash": .string(EthereumMessage.hash(message).hex),
        ]
        let plan = PlanReport(data: data, warnings: state.warnings, question: view.question) {
            view.lines($0)
        }
        return try await confirmed(plan, by: account) { signer in
            try signer.check(.message(message), terms: SigningTerms(purpose: "message"))
        } perform: { signer in
            let text = SignatureText.write(try await signer.sign(message: message))
            var data = data.objectValue ?? JSONObject()
            data["signature"] = .string(text)
            return report(.object(data), warnings: state.warnings) { _ in [text] }
        }
    }
}
