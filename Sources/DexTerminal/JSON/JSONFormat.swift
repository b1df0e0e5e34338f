import DexCore
package import Ethereum
package import StrictJSON

/// The form of values in `data`.
///
/// Integers beyond 2^53 are strings, addresses are in EIP-55, hashes in lower case, and amounts
/// have their decimal value.
package enum JSONFormat {
    /// The largest integer that every JSON reader reads exactly.
    private static let largestExact: UInt64 = 1 << 53

    package static func integer(_ value: UInt64) -> JSONValue {
        value <= largestExact ? .integer(value) : .string(String(value))
    }

    package static func integer(_ value: UInt64?) -> JSONValue {
        value.map { integer($0) } ?? .null
    }

    package static func integer(_ value: UInt256) -> JSONValue {
        value <= UInt256(largestExact) ? .number(value.description) : .string(value.description)
    }

    package static func address(_ address: Address) -> JSONValue {
        .string(address.checksummed)
    }

    package static func hash<Kind>(_ hash: Hash<Kind>) -> JSONValue {
        .string(hash.hex)
    }

    package static func text(_ text: String?) -> JSONValue {
        text.map { .string(TerminalText.clean($0)) } ?? .null
    }

    /// `{"raw":"1500000000000000000","value":"1.5","symbol":"ZRX","address":"0x…"}`; `value` is
    /// null if the token's decimals are unknown.
    package static func amount(_ raw: UInt256, _ token: Token) -> JSONValue {
        Amounts(token).json(raw)
    }

    /// Amounts of one token; the token's part is encoded once.
    struct Amounts {
        private let decimals: UInt8?
        private let symbol: JSONValue
        private let address: JSONValue

        init(_ token: Token) {
            decimals = token.decimals
            symbol = text(token.symbol)
            address = JSONFormat.address(token.address)
        }

        func json(_ raw: UInt256) -> JSONValue {
            [
                "raw": .string(raw.description),
                "value": decimals.map { .string(DecimalText.format(raw, decimals: $0)) } ?? .null,
                "symbol": symbol,
                "address": address,
            ]
        }
    }

    package static func amount(_ amount: TokenAmount) -> JSONValue {
        self.amount(amount.raw, amount.token)
    }

    package static func amount(_ amount: TokenAmount?) -> JSONValue {
        amount.map { self.amount($0.raw, $0.token) } ?? .null
    }

    /// A coin has no contract: `address` is null.
    package static func ether(_ wei: Wei, _ coin: CoinSymbol) -> JSONValue {
        [
            "raw": .string(wei.rawValue.description),
            "value": .string(DecimalText.format(wei.rawValue, decimals: 18)),
            "symbol": .string(coin.text),
            "address": .null,
        ]
    }

    package static func token(_ token: Token) -> JSONValue {
        [
            "symbol": text(token.symbol),
            "name": text(token.name),
            "address": address(token.address),
            "decimals": token.decimals.map { .integer($0) } ?? .null,
        ]
    }

    /// A coin as a token: its `address` is null.
    package static func coin(_ coin: CoinSymbol) -> JSONValue {
        [
            "symbol": coin.json, "name": .string(Token.nativeCoin(coin).name),
            "address": .null, "decimals": 18,
        ]
    }
}

extension JSONValue {
    /// An array with one value for each element.
    package static func list<Element>(
        _ elements: [Element],
        _ json: (Element) -> JSONValue
    ) -> JSONValue {
        .array(elements.map(json))
    }
}
