import Ethereum
package import EthereumWallet
package import PrivateFiles

/// The wallets of our own keystore folder, and of other programs' folders, which are only read.
package struct WalletStore: Sendable {
    package let folder: String
    private let namesFile: String
    private let otherFolders: [String]
    private let reservedNames: Set<String>

    /// - Parameters:
    ///   - data: our data folder, with the keystores in `keystore`.
    ///   - otherFolders: those of geth, foundry and others.
    ///   - reservedNames: names that no wallet may have.
    package init(data: String, otherFolders: [String], reservedNames: [String]) {
        folder = "\(data)/keystore"
        namesFile = "\(data)/wallets.json"
        self.otherFolders = otherFolders.filter { $0 != "\(data)/keystore" }
        self.reservedNames = Set(reservedNames)
    }

    // MARK: Reading

    /// All wallets, and the files that are not wallets.
    ///
    /// - Throws: `WalletError`: `file` and `noFolder` for a folder that cannot be read, `names`.
    package func contents() throws(WalletError) -> WalletList {
        let names = try WalletNames(path: namesFile)
        var wallets: [Wallet] = []
        var problems: [WalletError] = []
        for (index, folder) in ([folder] + otherFolders).enumerated() {
            let files = try files(of: folder)
            guard let files else {
                if index > 0 { problems.append(.noFolder(folder)) }
                continue
            }
            for file in files {
                let path = "\(folder)/\(file)"
                do throws(WalletError) {
                    let keystore = try Self.read(path)
                    // Foundry names its files after their accounts' names, geth after the time.
                    let isNamed = index > 0 && WalletNames.isName(file)
                    let ownName = isNamed && !file.hasPrefix("UTC--") ? file : nil
                    wallets.append(
                        Wallet(
                            name: keystore.address.flatMap { names[$0] } ?? ownName,
                            address: keystore.address,
                            path: path,
                            isOurs: index == 0,
                            keystore: keystore
                        )
                    )
                } catch {
                    problems.append(error)
                }
            }
        }
        return WalletList(wallets: wallets, problems: problems)
    }

    private func files(of folder: String) throws(WalletError) -> [String]? {
        do throws(PrivateFiles.Failure) {
            return try PrivateFiles.names(in: folder)
        } catch {
            throw .file(error.description)
        }
    }

    /// Reads a keystore from any path.
    ///
    /// - Throws: `WalletError`: `file`, `keystore`.
    package static func read(
        _ path: String,
        from source: PrivateFiles.Source = .file
    ) throws(WalletError) -> Keystore {
        let bytes: [UInt8]?
        do throws(PrivateFiles.Failure) {
            bytes = try PrivateFiles.read(path, from: source, as: .text, limit: 1 << 20)
        } catch {
            throw .file(error.description)
        }
        guard let bytes else { throw .file("\(path) does not exist.") }
        do throws(KeystoreError) {
            return try Keystore(bytes)
        } catch {
            throw .keystore(path: path, error)
        }
    }

    /// The wallet with a name or an address.
    ///
    /// - Throws: `WalletError`: `unknown`, `ambiguous`, or what `contents` throws.
    package func wallet(_ wanted: String) throws(WalletError) -> Wallet {
        let wallets = try contents().wallets
        let address = Address(ifValid: wanted)
        let found = wallets.filter { wallet in
            address.map { $0 == wallet.address } ?? (wallet.name == wanted)
        }
        // The same key in two folders is one wallet; ours comes first.
        guard let first = found.first else {
            throw .unknown(wanted, known: wallets.compactMap(\.name))
        }
        guard
            found.allSatisfy({ $0.address != nil && $0.address == first.address })
                || found.count == 1
        else { throw .ambiguous(wanted, paths: found.map(\.path)) }
        return first
    }

    // MARK: Changing

    /// A name that no wallet has.
    ///
    /// - Parameter wanted: checked; nil for `wallet-1` and so on.
    /// - Throws: `WalletError`: `badName`, `reservedName`, `nameTaken`, or what `contents` throws.
    package func freeName(_ wanted: String?) throws(WalletError) -> String {
        let taken = try Set(contents().wallets.compactMap(\.name))
        guard let wanted else {
            var number = 1
            while taken.contains("wallet-\(number)") { number += 1 }
            return "wallet-\(number)"
        }
        guard WalletNames.isName(wanted) else { throw .badName(wanted) }
        guard !reservedNames.contains(wanted) else { throw .reservedName(wanted) }
        guard !taken.contains(wanted) else { throw .nameTaken(wanted) }
        return wanted
    }

    /// Writes a new keystore; it gets its name only after it is read back, decrypted and compared.
    ///
    /// - Parameters:
    ///   - name: a name from `freeName`.
    ///   - time: seconds since 1970 and nanoseconds, for the name of the file.
    /// - Throws: `WalletError`: `alreadyThere`, `notVerified`, `file`.
    package func add(
        _ keystore: Keystore,
        name: String,
        password: borrowing SecretBytes,
        time: (seconds: UInt64, nanoseconds: UInt32)
    ) throws(WalletError) -> Wallet {
        guard let address = keystore.address else { throw .noAddress(path: folder) }
        let existing = try contents().wallets.first { $0.isOurs && $0.address == address }
        if let existing { throw .alreadyThere(label: existing.label) }
        let file = KeystoreFileName.make(
            address,
            seconds: time.seconds,
            nanoseconds: time.nanoseconds
        )
        let path = "\(folder)/\(file)"
        try write(keystore.utf8, to: path) { written throws(KeystoreError) in
            try Keystore(written).open(password: password).address == address
        }
        var names = try WalletNames(path: namesFile)
        names.set(name, for: address)
        try names.save()
        return Wallet(name: name, address: address, path: path, isOurs: true, keystore: keystore)
    }

    private func write(
        _ content: [UInt8],
        to path: String,
        verifying isRight: ([UInt8]) throws(KeystoreError) -> Bool
    ) throws(WalletError) {
        do {
            try PrivateFiles.makeFolder(folder)
            try content.withUnsafeBytes { content in
                try PrivateFiles.create(path, with: content) { written in
                    guard try isRight(Array(written)) else {
                        throw WalletError.notVerified(path: path)
                    }
                }
            }
        } catch let error as PrivateFiles.Failure {
            throw .file(error.description)
        } catch let error as KeystoreError {
            throw .keystore(path: path, error)
        } catch {
            throw .notVerified(path: path)
        }
    }

    /// Sets a wallet's name to one from `freeName`.
    ///
    /// - Throws: `WalletError`: `noAddress`, `file`, `names`.
    package func rename(_ wallet: Wallet, to name: String) throws(WalletError) {
        guard let address = wallet.address else { throw .noAddress(path: wallet.path) }
        var names = try WalletNames(path: namesFile)
        names.set(name, for: address)
        try names.save()
    }

    /// Removes the file of one of our wallets, and its name.
    ///
    /// - Throws: `WalletError`: `notOurs`, `file`, `names`.
    package func remove(_ wallet: Wallet) throws(WalletError) {
        guard wallet.isOurs else { throw .notOurs(path: wallet.path) }
        do throws(PrivateFiles.Failure) {
            try PrivateFiles.remove(wallet.path)
        } catch {
            throw .file(error.description)
        }
        guard let address = wallet.address else { return }
        // Another folder may have the same key.
        guard try !contents().wallets.contains(where: { $0.address == address }) else { return }
        var names = try WalletNames(path: namesFile)
        names.set(nil, for: address)
        try names.save()
    }

    // MARK: Backup

    /// Everything in our own folder, with its names; each key keeps its own password.
    ///
    /// - Throws: `WalletError`: `noWallets`, `keystore` for a damaged file, or what `contents`
    ///   throws.
    package func backup() throws(WalletError) -> WalletBackup {
        let list = try contents()
        if let problem = list.problems.first(where: { isAbout(ours: $0) }) { throw problem }
        let wallets = list.wallets.filter(\.isOurs)
        guard !wallets.isEmpty else { throw .noWallets }
        return WalletBackup(
            entries: wallets.map { wallet in
                WalletBackup.Entry(
                    file: String(wallet.path.dropFirst(folder.count + 1)),
                    name: wallet.name,
                    keystore: wallet.keystore
                )
            }
        )
    }

    private func isAbout(ours problem: WalletError) -> Bool {
        if case .keystore(let path, _) = problem { path.hasPrefix("\(folder)/") } else { false }
    }

    /// Writes the wallets of a backup that do not exist yet.
    ///
    /// Names that other wallets have by now are left out.
    ///
    /// - Returns: the written wallets, and the labels of the existing ones.
    /// - Throws: `WalletError`; wallets written before it stay.
    package func restore(
        _ backup: WalletBackup
    ) throws(WalletError) -> (restored: [Wallet], present: [String]) {
        var restored: [Wallet] = []
        var present: [String] = []
        for entry in backup.entries {
            let wallets = try contents().wallets
            let same = wallets.first { wallet in
                wallet.isOurs
                    && (wallet.path == "\(folder)/\(entry.file)"
                        || entry.keystore.address.map { $0 == wallet.address } ?? false)
            }
            if let same {
                present.append(same.label)
                continue
            }
            let path = "\(folder)/\(entry.file)"
            try write(entry.keystore.utf8, to: path) { written throws(KeystoreError) in
                try Keystore(written) == entry.keystore
            }
            var names = try WalletNames(path: namesFile)
            let isFree = !wallets.contains { $0.name == entry.name }
            let name = isFree ? entry.name : nil
            if let name, let address = entry.keystore.address {
                names.set(name, for: address)
                try names.save()
            }
            restored.append(
                Wallet(
                    name: name,
                    address: entry.keystore.address,
                    path: path,
                    isOurs: true,
                    keystore: entry.keystore
                )
            )
        }
        return (restored, present)
    }
}
