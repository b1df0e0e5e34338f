import Ethereum
import StrictJSON

/// A user's own list of tokens in the Token Lists standard.
///
/// Source: https://github.com/Uniswap/token-lists, src/tokenlist.schema.json.
enum TokenListFile {
    /// Lists of 10,000 tokens are about 4 MB.
    private static let maximumSize = 16 << 20

    /// The entries of one chain.
    struct Contents {
        var tokens: [Token] = []
        /// Why an entry is left out, by its place: `tokens[3].symbol must be ...`.
        var leftOut: [String] = []
    }

    /// The tokens of one chain in a list.
    ///
    /// - Throws: `DexError`, exit 3, code `bad-token-list`, if it is no list.
    static func contents(of bytes: [UInt8], chainID: UInt64) throws(DexError) -> Contents {
        try contents(of: .object(try object(in: bytes)), chainID: chainID)
    }

    /// The JSON object of a list, whose members are not validated.
    ///
    /// - Throws: `DexError`, exit 3, code `bad-token-list`.
    static func object(in bytes: [UInt8]) throws(DexError) -> JSONObject {
        guard bytes.count <= maximumSize else {
            throw problem("it is larger than 16 MB")
        }
        let json: JSONValue
        do {
            json = try JSONParser.parse(bytes, maximumDepth: 16)
        } catch {
            throw problem("\(error.problem) at byte \(error.offset)")
        }
        guard let object = json.objectValue else { throw problem("it is not a JSON object") }
        return object
    }

    /// The tokens of one chain in a list.
    ///
    /// Lists of other programs have odd entries, and one of them must not stop every command: it is
    /// left out. Entries of other chains are not validated. A list without tokens is accepted,
    /// unlike in the standard: `dex tokens remove` may leave one.
    ///
    /// - Throws: `DexError`, exit 3, code `bad-token-list`, with the wrong member.
    static func contents(of json: JSONValue, chainID: UInt64) throws(DexError) -> Contents {
        try checkHead(json)
        guard let entries = json["tokens"]?.arrayValue, entries.count <= 10_000 else {
            throw problem("\"tokens\" must be an array of at most 10000 tokens")
        }
        var contents = Contents()
        var seen: Set<Address> = []
        for (index, entry) in entries.enumerated() {
            let place = "tokens[\(index)]"
            guard let chain = entry["chainId"]?.numberText.flatMap({ UInt64($0) }), chain >= 1
            else {
                contents.leftOut.append("\(place).chainId must be a whole number from 1")
                continue
            }
            guard chain == chainID else { continue }
            switch token(entry, at: place) {
            case .success(let token) where seen.insert(token.address).inserted:
                contents.tokens.append(token)
            case .success:
                contents.leftOut.append("\(place) has the address of an earlier token")
            case .failure(let fault):
                contents.leftOut.append(fault.words)
            }
        }
        return contents
    }

    /// The reason why an entry is no token.
    private struct Fault: Error {
        let words: String
    }

    private static func checkHead(_ json: JSONValue) throws(DexError) {
        guard let name = json["name"]?.stringValue, (1...30).contains(name.count),
            name.utf8.allSatisfy(isWordOrSpace)
        else {
            throw problem("\"name\" must be 1 to 30 letters, digits, spaces or underscores")
        }
        guard let timestamp = json["timestamp"]?.stringValue, isDateTime(timestamp) else {
            throw problem("\"timestamp\" must be a date and time such as 2024-05-01T12:00:00Z")
        }
        for part in ["major", "minor", "patch"] {
            guard let number = json["version"]?[part]?.numberText, UInt32(number) != nil else {
                throw problem("\"version\" must have the numbers major, minor and patch")
            }
        }
    }

    private static func token(
        _ json: JSONValue,
        at place: String
    ) -> Result<Token, Fault> {
        func fault(_ words: String) -> Result<Token, Fault> {
            .failure(Fault(words: "\(place).\(words)"))
        }
        guard let text = json["address"]?.stringValue, let address = Address(ifValid: text) else {
            return fault("address must be 0x and 40 digits, with a right checksum if any")
        }
        guard let symbol = json["symbol"]?.stringValue, (1...20).contains(symbol.count),
            !symbol.contains(where: \.isWhitespace), isClean(symbol)
        else {
            return fault("symbol must be 1 to 20 visible characters without spaces")
        }
        guard let name = json["name"]?.stringValue, (1...60).contains(name.count), isClean(name)
        else {
            return fault("name must be 1 to 60 visible characters")
        }
        guard let decimals = json["decimals"]?.numberText.flatMap({ UInt8($0) }) else {
            return fault("decimals must be a whole number from 0 to 255")
        }
        return .success(
            Token(
                address: address,
                symbol: symbol,
                name: name,
                decimals: decimals,
                // A picture is no reason to do without a token.
                logoURI: json["logoURI"]?.stringValue.flatMap { isLink($0) ? $0 : nil }
            )
        )
    }

    private static func problem(_ words: String) -> DexError {
        TokenError.badList(problem: words)
    }

    private static func isWordOrSpace(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: " "):
            true
        default: false
        }
    }

    private static func isClean(_ text: String) -> Bool {
        !text.contains("\n") && PlainText.clean(text) == text
    }

    private static func isLink(_ text: String) -> Bool {
        text.utf8.count <= 2_000 && text.utf8.contains(UInt8(ascii: ":"))
            && text.utf8.allSatisfy { (0x21...0x7E).contains($0) }
    }

    /// `YYYY-MM-DDTHH:MM:SS`, an optional fraction, then `Z` or an offset (RFC 3339).
    private static func isDateTime(_ text: String) -> Bool {
        let bytes = Array(text.utf8)
        guard (20...40).contains(bytes.count) else { return false }
        for (byte, pattern) in zip(bytes, "0000-00-00T00:00:00".utf8) {
            switch pattern {
            case UInt8(ascii: "0"):
                guard (0x30...0x39).contains(byte) else { return false }
            case UInt8(ascii: "T"):
                guard byte == pattern || byte == UInt8(ascii: "t") else { return false }
            default:
                guard byte == pattern else { return false }
            }
        }
        let zone = bytes[19...].drop { $0 == UInt8(ascii: ".") || (0x30...0x39).contains($0) }
        if zone.elementsEqual("Z".utf8) || zone.elementsEqual("z".utf8) { return true }
        guard zone.count == 6, let sign = zone.first else { return false }
        return sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-")
    }
}
