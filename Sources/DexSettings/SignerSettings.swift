package import DexCore
package import DexSigning
package import Ethereum

/// An external signer of `[signers.NAME]`.
package struct SignerSettings: Hashable, Sendable {
    /// The signer's interface.
    package enum Way: Hashable, Sendable {
        /// JSON-RPC; the method for messages, nil for the available one.
        case node(url: String, MessageMethod?)
        /// A program and its arguments.
        case program([String])
    }

    package let name: String
    package let address: Address
    package let way: Way
    /// The longest time for an answer, in seconds.
    package let timeout: UInt64

    /// The user may have to find a device and press a button.
    static let defaultTimeout: UInt64 = 120
    /// A day: a longer time is a mistake.
    static let longestTimeout: UInt64 = 86_400
}

extension Settings {
    /// The signers of the file, by name.
    ///
    /// - Throws: `DexError`, exit 3, if one is incomplete or has two interfaces.
    package func signers() throws(DexError) -> [SignerSettings] {
        let names = Set(file.values.keys.filter { $0.first == "signers" }.map { $0[1] })
        var signers: [SignerSettings] = []
        for name in names.sorted() { signers.append(try signer(name)) }
        return signers
    }

    private func signer(_ name: String) throws(DexError) -> SignerSettings {
        let path = ["signers", name]
        guard let address = text(path + ["address"]).flatMap(Address.init(ifParty:)) else {
            throw problem(name, .noAddress)
        }
        let method = text(path + ["message_method"]).flatMap(MessageMethod.init)
        let way: SignerSettings.Way
        switch (text(path + ["rpc"]), list(path + ["command"])) {
        case (let url?, nil): way = .node(url: url, method)
        case (nil, let command?):
            guard method == nil else {
                throw problem(name, .commandWithMethod)
            }
            way = .program(command)
        case (nil, nil):
            throw problem(name, .noWay)
        case (_?, _?): throw problem(name, .twoWays)
        }
        let timeout = integer(path + ["timeout"]) ?? SignerSettings.defaultTimeout
        guard (1...SignerSettings.longestTimeout).contains(timeout) else {
            throw problem(name, .timeout(timeout))
        }
        return SignerSettings(name: name, address: address, way: way, timeout: timeout)
    }

    private func problem(_ name: String, _ fault: SignerFault) -> DexError {
        SettingsError.badSigner(name: name, path: file.path, fault)
    }
}
