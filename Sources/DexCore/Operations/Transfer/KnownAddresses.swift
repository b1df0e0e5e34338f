package import Ethereum

/// The addresses that the user knows by a name.
package struct KnownAddresses: Hashable, Sendable {
    /// The place where a name comes from.
    package enum Source: String, CaseIterable, Hashable, Sendable {
        case addressBook = "address book"
        case wallet
        case signer
        case sandbox = "sandbox account"
    }

    package struct Entry: Hashable, Sendable {
        package let name: String
        package let address: Address
        package let source: Source

        package init(name: String, address: Address, source: Source) {
            self.name = name
            self.address = address
            self.source = source
        }

        /// The name and the address: `ledger (0x…)`.
        package var label: String { "\(name) (\(address.checksummed))" }
    }

    package let entries: [Entry]

    package init(_ entries: [Entry] = []) {
        self.entries = entries
    }

    /// A text may be a name: 1 to 32 letters, digits, - and _, which do not begin with 0x.
    package static func isName(_ text: String) -> Bool {
        (1...32).contains(text.utf8.count) && !text.lowercased().hasPrefix("0x")
            && text.utf8.allSatisfy { byte in
                (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte)
                    || (0x61...0x7A).contains(byte) || byte == 0x2D || byte == 0x5F
            }
    }

    /// The entry of a name.
    ///
    /// - Throws: `DexError`, exit 2: `unknown-address` if nothing has this name,
    ///   `ambiguous-address` if different addresses do.
    package func entry(named name: String) throws(DexError) -> Entry {
        let found = entries.filter { $0.name == name }
        guard let first = found.first else {
            throw TransferError.unknownName(name, known: entries.map(\.name))
        }
        guard found.allSatisfy({ $0.address == first.address }) else {
            throw TransferError.ambiguousName(name, found)
        }
        return first
    }

    /// The address of a name or of its own text.
    ///
    /// - Throws: `DexError`, exit 2: as `entry(named:)`, or `bad-address`.
    package func address(of text: String) throws(DexError) -> Address {
        guard !Self.isName(text) else { return try entry(named: text).address }
        return try reported(AddressError.self, try Address(text))
    }

    /// The name of an address; nil if it has none.
    package func name(of address: Address) -> String? {
        entries.first { $0.address == address }?.name
    }

    /// A known address that another one can be taken for; nil if there is none.
    ///
    /// Many programs show only the first and the last digits, and thieves make addresses that
    /// share them. So that is what counts: the first three and the last three digits are equal,
    /// which by chance happens once in 16 million addresses.
    package func lookAlike(of address: Address) -> Entry? {
        guard name(of: address) == nil else { return nil }
        let digits = Array(address.lowercaseHex.utf8.dropFirst(2))
        return entries.first { entry in
            let known = Array(entry.address.lowercaseHex.utf8.dropFirst(2))
            return known.prefix(Self.sharedDigits) == digits.prefix(Self.sharedDigits)
                && known.suffix(Self.sharedDigits) == digits.suffix(Self.sharedDigits)
        }
    }

    /// The equal digits at each end of a look-alike.
    private static let sharedDigits = 3

    /// The warning about a look-alike; nil if there is none.
    package func warning(about address: Address) -> String? {
        lookAlike(of: address).map { known in
            "\(address.checksummed) looks like \(known.label), but it is another address. "
                + "Compare every digit: thieves make such addresses."
        }
    }
}
