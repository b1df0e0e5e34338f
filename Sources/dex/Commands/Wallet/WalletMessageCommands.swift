import ArgumentParser
import DexCore
import DexSigning
import DexTerminal
import Ethereum
import StrictJSON

extension WalletCommand {
    struct SignMessage: DexCommand {
        static let configuration = CommandConfiguration(
            commandName: "sign-message",
            abstract: "Sign a text as the account (EIP-191), to prove who it belongs to.",
            discussion: """
                Orders are signed in the same form over 32 bytes: a message of exactly 32 bytes is \
                refused, however it is written.
                """
        )
        static let reportedName = "wallet sign-message"
        @OptionGroup var content: MessageOptions
        @OptionGroup var options: GlobalOptions

        func execute(_ context: CommandContext) async throws -> CommandReport {
            let message = try content.bytes(context)
            let network = try context.network(try context.settings())
            let account = try context.account(network)
            let hash = EthereumMessage.hash(message)
            let data: JSONValue = [
                "address": JSONFormat.address(account.address),
                "message": .string(Hex.encode(message)),
                "hash": .string(hash.hex),
            ]
            let shown = String(decoding: message.prefix(2_000), as: UTF8.self)
            let plan = PlanReport(
                data: data,
                warnings: [],
                question: PlanQuestion("Sign this message?")
            ) { screen in
                var facts = KeyValueList()
                facts.add("account", account.label)
                facts.add("bytes", String(message.count))
                return facts.lines(screen) + [""]
                    + TerminalText.cleanLines(shown).split(separator: "\n").map { "  \($0)" }
                    + (message.count > 2_000 ? ["  …"] : [])
            }
            return try await context.confirmed(plan, by: account) { signer in
                try signer.check(.message(message), terms: SigningTerms(purpose: "message"))
            } perform: { signer in
                let signature = try await signer.sign(message: message)
                var data = data.objectValue ?? JSONObject()
                let text = SignatureText.write(signature)
                data["signature"] = .string(text)
                return CommandReport(data: .object(data)) { _ in [text] }
            }
        }
    }

    struct VerifyMessage: DexCommand {
        static let configuration = CommandConfiguration(
            commandName: "verify-message",
            abstract: "Check that an account signed a text (EIP-191)."
        )
        static let reportedName = "wallet verify-message"
        @Argument(help: "The account that is said to have signed.")
        var address: String
        @Argument(help: "The signature: 0x and 130 digits.")
        var signature: String
        @OptionGroup var content: MessageOptions
        @OptionGroup var options: GlobalOptions

        func execute(_ context: CommandContext) async throws -> CommandReport {
            let expected = try Address(address)
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
