import DexWallet
import EthereumWallet
import Testing

@Suite("What can go wrong with wallets")
struct WalletErrorTests {
    @Test(
        "each error is a sentence",
        arguments: [
            (WalletError.file("/x cannot be read: no."), "/x cannot be read: no."),
            (
                .keystore(path: "/x", .wrongPassword),
                "/x: The password does not open this keystore."
            ),
            (.noFolder("/x"), "The keystore folder /x of config.toml does not exist."),
            (
                .names(path: "/x", reason: "no"),
                "The wallets' names in /x cannot be read: no."
            ),
            (
                .badName("a b"),
                "\"a b\" is no name for a wallet: 1 to 32 letters, digits, - and _, which do not "
                    + "begin with 0x, are expected."
            ),
            (
                .reservedName("alice"),
                "\"alice\" is the name of a sandbox account, so no wallet can have it."
            ),
            (.nameTaken("main"), "There is a wallet \"main\" already."),
            (.alreadyThere(label: "main"), "This key is there already, as main."),
            (.unknown("x", known: []), "There is no wallet \"x\"; there is none at all."),
            (
                .unknown("x", known: ["a", "b"]),
                "There is no wallet \"x\"; there are a, b."
            ),
            (
                .ambiguous("x", paths: ["/a", "/b"]),
                "\"x\" names more than one file: /a, /b."
            ),
            (
                .notOurs(path: "/x"),
                "/x is not in our own folder: it belongs to the program that made it."
            ),
            (
                .noAddress(path: "/x"),
                "/x does not say which account it is for, so it cannot be given a name."
            ),
            (.noWallets, "There is no wallet to put into a backup."),
            (
                .notVerified(path: "/x"),
                "/x was not written: what was read back from the disk is not what was encrypted."
            ),
            (.backup("no"), "The backup is damaged: no."),
        ]
    )
    func sentences(error: WalletError, sentence: String) {
        #expect("\(error)" == sentence)
    }

    @Test("a long text from outside is quoted only in part")
    func long() {
        let text = String(repeating: "x", count: 10_000)
        for error in [
            WalletError.badName(text), .unknown(text, known: []), .ambiguous(text, paths: []),
        ] { #expect("\(error)".utf8.count < 250) }
    }
}
