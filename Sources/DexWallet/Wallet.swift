package import Ethereum
package import EthereumWallet

/// A key in a folder of keystores.
package struct Wallet: Hashable, Sendable {
    /// The user's name for it; nil for another program's file without a name.
    package let name: String?
    /// The account; nil if the file does not contain it, so that only its password reveals it.
    package let address: Address?
    package let path: String
    /// It is in our own folder, not in one that another program manages.
    package let isOurs: Bool
    package let keystore: Keystore

    /// The same wallet under another name.
    package func named(_ name: String) -> Wallet {
        Wallet(name: name, address: address, path: path, isOurs: isOurs, keystore: keystore)
    }

    /// The name and the address, as far as they are known: `main (0x…)`.
    package var label: String {
        switch (name, address) {
        case (let name?, let address?): "\(name) (\(address.checksummed))"
        case (let name?, nil): name
        case (nil, let address?): address.checksummed
        case (nil, nil): shownPath
        }
    }

    /// The path without control characters: file names of other programs are external text.
    private var shownPath: String {
        var text = ""
        for scalar in path.unicodeScalars where scalar.properties.isGraphemeBase {
            text.unicodeScalars.append(scalar)
        }
        return text
    }
}

/// The content of the keystore folders.
package struct WalletList: Sendable {
    /// Our wallets first, then those of other folders, each in file order.
    package let wallets: [Wallet]
    /// Files that cannot be read, each with a message that names it.
    package let problems: [WalletError]
}

/// The reason why an operation on wallets failed.
package enum WalletError: Error, Hashable, Sendable, CustomStringConvertible {
    /// A file or a folder, with the system's reason as a full sentence.
    case file(String)
    case keystore(path: String, KeystoreError)
    /// A folder in the settings does not exist.
    case noFolder(String)
    case names(path: String, reason: String)
    case badName(String)
    case reservedName(String)
    case nameTaken(String)
    case alreadyThere(label: String)
    case unknown(String, known: [String])
    case ambiguous(String, paths: [String])
    case notOurs(path: String)
    case noAddress(path: String)
    case noWallets
    case notVerified(path: String)
    /// The content of a backup is not a set of wallets.
    case backup(String)

    package var description: String {
        switch self {
        case .file(let sentence): sentence
        case .keystore(let path, let error): "\(path): \(error.description)"
        case .noFolder(let path): "The keystore folder \(path) of config.toml does not exist."
        case .names(let path, let reason):
            "The wallets' names in \(path) cannot be read: \(reason)."
        case .badName(let name):
            "\"\(name.clipped)\" is no name for a wallet: 1 to 32 letters, digits, - and _, which "
                + "do not begin with 0x, are expected."
        case .reservedName(let name):
            "\"\(name)\" is the name of a sandbox account, so no wallet can have it."
        case .nameTaken(let name): "There is a wallet \"\(name)\" already."
        case .alreadyThere(let label): "This key is there already, as \(label)."
        case .unknown(let wanted, let known):
            "There is no wallet \"\(wanted.clipped)\"; "
                + (known.isEmpty
                    ? "there is none at all." : "there are \(known.joined(separator: ", ")).")
        case .ambiguous(let wanted, let paths):
            "\"\(wanted.clipped)\" names more than one file: \(paths.joined(separator: ", "))."
        case .notOurs(let path):
            "\(path) is not in our own folder: it belongs to the program that made it."
        case .noAddress(let path):
            "\(path) does not say which account it is for, so it cannot be given a name."
        case .noWallets: "There is no wallet to put into a backup."
        case .notVerified(let path):
            "\(path) was not written: what was read back from the disk is not what was encrypted."
        case .backup(let reason): "The backup is damaged: \(reason)."
        }
    }
}

extension String {
    /// The first 64 Unicode scalars, for an error that quotes an external text.
    var clipped: String {
        String(unicodeScalars.prefix(64))
    }
}
