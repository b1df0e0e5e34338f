import Ethereum
import PrivateFiles
import StrictJSON

/// The names of wallets, by account: a separate file, since the keystores' file names are geth's.
struct WalletNames: Sendable {
    private let path: String
    private(set) var names: [(name: String, address: Address)]

    private static let maximumSize = 1 << 20

    /// Reads the file; without it no wallet has a name.
    init(path: String) throws(WalletError) {
        self.path = path
        let bytes: [UInt8]?
        do throws(PrivateFiles.Failure) {
            bytes = try PrivateFiles.read(path, as: .text, limit: Self.maximumSize)
        } catch {
            throw .file(error.description)
        }
        guard let bytes else {
            names = []
            return
        }
        names = try Self.parse(bytes, path: path)
    }

    private static func parse(
        _ bytes: [UInt8],
        path: String
    ) throws(WalletError) -> [(name: String, address: Address)] {
        let json: JSONValue
        do {
            json = try JSONParser.parse(bytes)
        } catch {
            throw .names(path: path, reason: "its JSON is broken at byte \(error.offset)")
        }
        guard json["version"] == 1, let object = json["names"]?.objectValue else {
            throw .names(path: path, reason: "it has no version 1 with names")
        }
        var names: [(name: String, address: Address)] = []
        for member in object.members {
            guard isName(member.key), let text = member.value.stringValue,
                let address = Address(ifValid: text),
                !names.contains(where: { $0.address == address })
            else { throw .names(path: path, reason: "\"\(member.key.clipped)\" is no name") }
            names.append((member.key, address))
        }
        return names
    }

    /// A text is valid as the name of a wallet.
    static func isName(_ text: String) -> Bool {
        (1...32).contains(text.utf8.count) && !text.lowercased().hasPrefix("0x")
            && text.utf8.allSatisfy { byte in
                (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte)
                    || (0x61...0x7A).contains(byte) || byte == 0x2D || byte == 0x5F
            }
    }

    subscript(address: Address) -> String? {
        names.first { $0.address == address }?.name
    }

    func address(of name: String) -> Address? {
        names.first { $0.name == name }?.address
    }

    mutating func set(_ name: String?, for address: Address) {
        names.removeAll { $0.address == address }
        if let name { names.append((name, address)) }
    }

    /// Replaces the file.
    ///
    /// - Throws: `WalletError.file`.
    func save() throws(WalletError) {
        var object = JSONObject()
        for (name, address) in names { object[name] = .string(address.checksummed) }
        let json: JSONValue = ["version": 1, "names": .object(object)]
        do throws(PrivateFiles.Failure) {
            try PrivateFiles.replace(path, with: json.utf8 + [UInt8(ascii: "\n")])
        } catch {
            throw .file(error.description)
        }
    }
}
