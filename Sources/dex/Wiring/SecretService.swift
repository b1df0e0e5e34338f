import Ethereum
import EthereumWallet

/// The desktop's password store, by `secret-tool` of libsecret, if both exist.
struct SecretService {
    private let tool: ChildProgram

    /// nil without `secret-tool` in PATH or without a desktop's bus.
    init?(_ environment: ProcessEnvironment) {
        guard environment["DBUS_SESSION_BUS_ADDRESS"] != nil,
            let tool = ChildProgram(named: "secret-tool", environment)
        else { return nil }
        self.tool = tool
    }

    /// The attributes of our entries.
    private static func attributes(_ address: Address) -> [String] {
        ["application", "dex", "wallet", address.checksummed]
    }

    /// A wallet's password; nil if none is stored, or the store stays locked.
    ///
    /// The desktop may ask the user to open it.
    func password(of address: Address) async -> SecretBytes? {
        let outcome = await tool.run(["lookup"] + Self.attributes(address))
        guard let outcome, outcome.status == 0, outcome.output.count > 0 else { return nil }
        return outcome.output.withBytes { bytes in
            SecretBytes(copying: bytes.last == UInt8(ascii: "\n") ? bytes.dropLast() : bytes[...])
        }
    }

    /// Stores a wallet's password; false on failure.
    func keep(_ password: borrowing SecretBytes, of address: Address, label: String) -> Bool {
        let arguments = ["store", "--label", label] + Self.attributes(address)
        guard let outcome = tool.run(arguments, input: password) else { return false }
        return outcome.status == 0
    }

    /// Deletes a wallet's password, if it is stored.
    func forget(_ address: Address) {
        let nothing = SecretBytes(copying: [])
        _ = tool.run(["clear"] + Self.attributes(address), input: nothing)
    }
}
