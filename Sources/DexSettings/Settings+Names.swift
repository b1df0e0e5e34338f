package import DexCore
import Ethereum

/// The names that a user gave to addresses and to commands.
extension Settings {
    /// The address book, `[addresses]`, by name.
    package var addressBook: [KnownAddresses.Entry] {
        names(in: SettingsSchema.addresses).compactMap { name, text in
            Address(ifParty: text).map {
                KnownAddresses.Entry(name: name, address: $0, source: .addressBook)
            }
        }
    }

    /// The user's own commands, `[aliases]`, by name: `dex NAME` stands for the words.
    package var aliases: [(name: String, words: [String])] {
        names(in: SettingsSchema.aliases).compactMap { name, text in
            CommandWords.split(text).map { (name, $0) }
        }
    }

    private func names(in table: String) -> [(name: String, text: String)] {
        file.values.keys.filter { $0.count == 2 && $0[0] == table }.sorted { $0[1] < $1[1] }
            .compactMap { path in text(path).map { (path[1], $0) } }
    }
}
