import DexCore
import DexWallet
import Ethereum
import EthereumWallet
import PrivateFiles

/// Makes new wallets and brings keys in: asks for the secrets, seals them, writes the file.
struct WalletMaker {
    /// A wallet that was written, or would be.
    struct Made {
        let keystore: Keystore
        /// nil in a dry run.
        let wallet: Wallet?
        let warnings: [String]
    }

    /// The source of a recovery phrase's passphrase.
    enum Passphrase {
        case none
        case asked
        case file(String)
    }

    static let usualPath = "m/44'/60'/0'/0/0"

    let context: CommandContext
    let store: WalletStore
    let keystoreOptions: KeystoreOptions

    /// A wallet of a new recovery phrase.
    ///
    /// - Parameter backup: gets the phrase before anything is written.
    func new(
        _ name: String,
        words: Int,
        backup: (borrowing Mnemonic) async throws -> Void = { _ in }
    ) async throws -> Made {
        let password = try await newPassword(name)
        let phrase = try Mnemonic(randomWords: words)
        try await backup(phrase)
        context.console.progress("making the wallet \(name)")
        let keystore = try Keystore(
            sealing: phrase,
            passphrase: SecretBytes(copying: []),
            path: DerivationPath(Self.usualPath),
            password: password,
            strength: keystoreOptions.strength
        )
        return try add(keystore, name, password)
    }

    /// A keystore of another program; it keeps its password.
    func keystore(_ file: String, _ name: String) async throws -> Made {
        let foreign = try WalletStore.read(file, from: context.source)
        return try await context.naming(file) {
            try await context.opened(file) { password in
                let signer = try foreign.open(password: password)
                try keystoreOptions.passwordRule.check(password)
                let keystore = try Keystore(
                    sealing: signer,
                    password: password,
                    strength: keystoreOptions.strength
                )
                return try add(keystore, name, password)
            }
        }
    }

    /// - Parameter file: holds the private key; nil asks for it.
    func key(from file: String?, _ name: String) async throws -> Made {
        let text = try await secret(file, "Private key: ")
        guard let key = text.withBytes({ SecretBytes(hex: $0, count: 32) }) else {
            throw PrivateKeyError.malformed
        }
        let signer = try PrivateKeySigner(secret: key)
        let password = try await newPassword(name)
        let keystore = try Keystore(
            sealing: signer,
            password: password,
            strength: keystoreOptions.strength
        )
        return try add(keystore, name, password)
    }

    /// - Parameter file: holds the recovery phrase; nil asks for it.
    func words(
        from file: String?,
        path: String = usualPath,
        passphrase: Passphrase = .none,
        _ name: String
    ) async throws -> Made {
        let path = try DerivationPath(path)
        let phrase = try Mnemonic(phrase: await secret(file, "Recovery phrase: "))
        let passphrase = try await secret(passphrase)
        let password = try await newPassword(name)
        context.console.progress("making the wallet \(name)")
        let keystore = try Keystore(
            sealing: phrase,
            passphrase: passphrase,
            path: path,
            password: password,
            strength: keystoreOptions.strength
        )
        return try add(keystore, name, password)
    }

    // MARK: Secrets

    private func newPassword(_ name: String) async throws -> SecretBytes {
        try await context.newPassword(for: "the wallet \(name)", keystoreOptions.passwordRule)
    }

    private func secret(_ passphrase: Passphrase) async throws -> SecretBytes {
        switch passphrase {
        case .none: SecretBytes(copying: [])
        case .asked:
            try await context.secret(
                "Passphrase of the recovery phrase: ",
                instead: "Keep it in a file of mode 600, and name that with --passphrase-file."
            )
        case .file(let file):
            try context.secretFile(file, "--passphrase-file").withoutLineEnd()
        }
    }

    private func secret(_ file: String?, _ prompt: String) async throws -> SecretBytes {
        if let file { return try context.secretFile(file, "--from").withoutLineEnd() }
        return try await context.secret(
            prompt,
            instead: "Keep it in a file of mode 600, and name that with --from."
        )
    }

    // MARK: Writing

    private func add(
        _ keystore: Keystore,
        _ name: String,
        _ password: borrowing SecretBytes
    ) throws -> Made {
        guard !context.options.isDryRun else {
            return Made(keystore: keystore, wallet: nil, warnings: [])
        }
        context.console.progress("writing the wallet \(name)")
        let wallet = try store.add(
            keystore,
            name: name,
            password: password,
            time: CommandContext.timeOfDay
        )
        var warnings: [String] = []
        if keystoreOptions.remember, let address = wallet.address {
            let isKept =
                SecretService(context.environment)?.keep(
                    password,
                    of: address,
                    label: "dex wallet \(wallet.label)"
                ) ?? false
            if !isKept {
                warnings.append(
                    "The password is not kept: there is no secret-tool or no desktop that answers."
                )
            }
        }
        return Made(keystore: keystore, wallet: wallet, warnings: warnings)
    }
}

extension SecretBytes {
    /// The bytes without trailing line ends.
    fileprivate borrowing func withoutLineEnd() -> SecretBytes {
        withBytes { bytes in
            var rest = bytes[...]
            while let last = rest.last, last == 0x0A || last == 0x0D { rest = rest.dropLast() }
            return SecretBytes(copying: rest)
        }
    }
}
