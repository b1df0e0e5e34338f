import DexResources
import Ethereum
import Glibc
import StrictJSON
import Synchronization

/// One chain's section of Resources/tokens.json, searched without parsing the file.
///
/// scripts/make-tokens.py makes its layout: a chain's header on its own line, then one token per
/// line, sorted by address, symbol first. A token is parsed on request.
struct TokenTable: Sendable {
    enum Source: Sendable {
        case embedded
        case bytes([UInt8])

        func withBytes<Value>(_ body: (UnsafeRawBufferPointer) -> Value) -> Value {
            switch self {
            case .embedded: body(DexResources.tokens)
            case .bytes(let bytes): bytes.withUnsafeBytes(body)
            }
        }
    }

    private let source: Source
    /// The range of each token's line in the file.
    private let lines: [Range<Int>]
    private let keys: [Keys]

    /// The keys for searches by symbol.
    private struct Keys {
        let key: UInt64
        let lookAlikeKey: UInt64?
    }

    init(_ source: Source, chainID: UInt64) {
        self.init(source, header: "\"\(chainID)\":{", isSpoofs: false)
    }

    /// The contracts on a chain that imitate tokens.
    init(spoofs source: Source, chainID: UInt64) {
        self.init(source, header: "\"spoofs \(chainID)\":{", isSpoofs: true)
    }

    private init(_ source: Source, header: String, isSpoofs: Bool) {
        self.source = source
        guard case .embedded = source else {
            (lines, keys) = Self.section(header, isSpoofs: isSpoofs, of: source)
            return
        }
        (lines, keys) = Self.embedded.withLock { sections in
            if let known = sections[header] { return known }
            let section = Self.section(header, isSpoofs: isSpoofs, of: source)
            sections[header] = section
            return section
        }
    }

    private typealias Section = (lines: [Range<Int>], keys: [Keys])

    /// The used sections of the embedded file, by header.
    ///
    /// Each request to an unlocked key reads the rules again, and they name tokens of several
    /// chains.
    private static let embedded = Mutex<[String: Section]>([:])

    private static func section(_ header: String, isSpoofs: Bool, of source: Source) -> Section {
        source.withBytes { bytes in
            section(Array(header.utf8), isSpoofs: isSpoofs, in: bytes)
        }
    }

    var count: Int { lines.count }

    func token(at address: Address) -> ListedToken? {
        guard let line = line(of: address) else { return nil }
        return token(on: line, at: address)
    }

    /// The tokens whose symbols have this `SymbolShape.key`.
    func tokens(key: UInt64) -> [ListedToken] {
        keys.indices.filter { keys[$0].key == key }.compactMap(token)
    }

    /// The tokens whose symbols have this `SymbolShape.lookAlikeKey`.
    func tokens(lookAlikeKey: UInt64) -> [ListedToken] {
        keys.indices.filter { keys[$0].lookAlikeKey == lookAlikeKey }.compactMap(token)
    }

    /// All tokens, by address.
    var all: [ListedToken] {
        lines.indices.compactMap(token)
    }

    /// The value of an address, for sections without tokens.
    func value(at address: Address) -> JSONValue? {
        line(of: address).flatMap { value(on: $0) }
    }

    private func token(_ index: Int) -> ListedToken? {
        let range = lines[index]
        let digits = source.withBytes { bytes in
            String(decoding: bytes[(range.lowerBound + 1)..<(range.lowerBound + 43)], as: UTF8.self)
        }
        guard let address = Address(ifHex: digits) else { return nil }
        return token(on: range, at: address)
    }

    private func token(on line: Range<Int>, at address: Address) -> ListedToken? {
        value(on: line).flatMap { ListedToken(address: address, json: $0) }
    }

    private func value(on line: Range<Int>) -> JSONValue? {
        source.withBytes { bytes in
            var end = line.upperBound
            if bytes[end - 1] == UInt8(ascii: ",") { end -= 1 }
            let object = UnsafeRawBufferPointer(
                rebasing: bytes[(line.lowerBound + Self.prefixLength)..<end]
            )
            return try? JSONParser.parse(object)  // nil: damaged
        }
    }

    /// A binary search over the addresses.
    private func line(of address: Address) -> Range<Int>? {
        let wanted = Array(address.lowercaseHex.utf8)
        return source.withBytes { bytes in
            var (low, high) = (0, lines.count)
            while low < high {
                let middle = (low + high) / 2
                let start = lines[middle].lowerBound + 1
                var isLess = false
                var isEqual = true
                for index in 2..<42 {
                    // Letters of both cases compare equal with bit 5 set.
                    let digit = bytes[start + index] | 0x20
                    if digit == wanted[index] { continue }
                    isEqual = false
                    isLess = digit < wanted[index]
                    break
                }
                if isEqual { return lines[middle] }
                if isLess { low = middle + 1 } else { high = middle }
            }
            return nil
        }
    }

    /// A quote, 0x and 40 digits, a quote and a colon.
    private static let prefixLength = 45
    private static let spoofsPrefix = Array("\"spoofs ".utf8)
    private static let symbolPrefix = Array("{\"symbol\":\"".utf8)

    private static func section(
        _ header: [UInt8],
        isSpoofs: Bool,
        in bytes: UnsafeRawBufferPointer
    ) -> ([Range<Int>], [Keys]) {
        var found: [Range<Int>] = []
        var keys: [Keys] = []
        var isInside = false
        var start = 0
        while start < bytes.count, let end = endOfLine(from: start, in: bytes) {
            let line = UnsafeRawBufferPointer(rebasing: bytes[start..<end])
            if isInside {
                guard line.first == UInt8(ascii: "\"") else { break }
                if let symbol = symbolKeys(line) {
                    found.append(start..<end)
                    keys.append(symbol)
                }
            } else if line.last == UInt8(ascii: "{"), line.first == UInt8(ascii: "\"") {
                isInside = line.elementsEqual(header)
                // The spoofs come first, so none follow the first chain.
                if isSpoofs, !isInside, !line.starts(with: spoofsPrefix) { break }
            }
            start = end + 1
        }
        return (found, keys)
    }

    private static func endOfLine(from start: Int, in bytes: UnsafeRawBufferPointer) -> Int? {
        guard let base = bytes.baseAddress,
            let found = memchr(base + start, 0x0A, bytes.count - start)
        else { return nil }
        return UnsafeRawPointer(found) - base
    }

    private static func symbolKeys(_ line: UnsafeRawBufferPointer) -> Keys? {
        let start = prefixLength + symbolPrefix.count
        guard line.count > start, line[prefixLength..<start].elementsEqual(symbolPrefix) else {
            return nil
        }
        let symbol = line[start...].prefix { $0 != UInt8(ascii: "\"") }
        return Keys(
            key: SymbolShape.key(symbol),
            lookAlikeKey: SymbolShape.lookAlikeKey(symbol)
        )
    }
}
