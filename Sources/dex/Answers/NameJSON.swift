import DexCore
import DexTerminal
import Ethereum
import StrictJSON

/// `data` of `address list`.
enum AddressJSON {
    static let list = Fields<[KnownAddresses.Entry]> {
        Field("addresses", "The names that `dex send` takes", list: entry) { $0 }
    }

    static let entry = Fields<KnownAddresses.Entry> {
        Field("name", "The name") { ExactText($0.name) }.csv(0, "name")
            .sorted("name") { $0.name < $1.name }
        Field("address", "The address", \.address).csv(1, "address")
            .sorted("address") { $0.address < $1.address }
        Field("source", "Where the name comes from", \.source.word).csv(2, "source")
            .sorted("source") { $0.source.rawValue < $1.source.rawValue }
    }
}

/// `data` of `alias list`.
enum AliasJSON {
    struct Entry: Sendable {
        let name: String
        let command: String
        let isBuiltIn: Bool
    }

    static let list = Fields<[Entry]> {
        Field("aliases", "Those of dex, then your own", list: entry) { $0 }
    }

    static let entry = Fields<Entry> {
        Field("name", "The alias") { ExactText($0.name) }.csv(0, "name")
            .sorted("name") { $0.name < $1.name }
        Field("command", "What it stands for") { ExactText($0.command) }.csv(1, "command")
            .sorted("command") { $0.command < $1.command }
        Field("builtIn", "It is one of dex", \.isBuiltIn).csv(2, "built_in")
    }
}
