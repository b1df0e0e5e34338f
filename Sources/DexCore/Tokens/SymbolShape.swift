/// Finds symbols that users can confuse.
enum SymbolShape {
    /// The symbol without letter case; nil unless it is visible ASCII.
    ///
    /// Other symbols are never accepted from a keyboard.
    static func fold(_ symbol: String) -> String? {
        guard !symbol.isEmpty, symbol.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
            return nil
        }
        return symbol.uppercased()
    }

    /// A hash that ignores letter case and punctuation, and treats 0 and 1 as O and I.
    ///
    /// Different symbols share it by chance once in 2^64.
    static func key(_ symbol: some Sequence<UInt8>) -> UInt64 {
        var hash = Hash64()
        for byte in symbol {
            switch byte {
            case UInt8(ascii: "0"): hash.add(UInt8(ascii: "O"))
            case UInt8(ascii: "1"): hash.add(UInt8(ascii: "I"))
            case UInt8(ascii: "a")...UInt8(ascii: "z"): hash.add(byte - 32)
            case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "2")...UInt8(ascii: "9"),
                0x80...:
                hash.add(byte)
            default: break
            }
        }
        return hash.value
    }

    /// A hash that is equal for symbols of similar look in some font or alphabet.
    ///
    /// nil for a symbol without visible characters.
    static func lookAlikeKey(_ symbol: some Collection<UInt8>) -> UInt64? {
        var hash = Hash64()
        if symbol.allSatisfy({ $0 < 0x80 }) {
            for byte in symbol { plain(byte).map { hash.add($0) } }
        } else {
            for byte in skeleton(String(decoding: symbol, as: UTF8.self)).utf8 { hash.add(byte) }
        }
        return hash.isEmpty ? nil : hash.value
    }

    /// The plainest form of a symbol.
    ///
    /// Letters of other alphabets that look Latin, full-width and mathematical letters become
    /// plain; then letters and digits that some fonts draw alike become one.
    static func skeleton(_ symbol: String) -> String {
        var bytes: [UInt8] = []
        for scalar in symbol.unicodeScalars {
            guard let latin = latin(scalar) else { continue }
            if latin.isASCII {
                plain(UInt8(truncatingIfNeeded: latin.value)).map { bytes.append($0) }
            } else {
                bytes.append(contentsOf: latin.properties.uppercaseMapping.utf8)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// One letter or digit for all with the same look; nil for punctuation.
    private static func plain(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "0"): UInt8(ascii: "O")
        case UInt8(ascii: "1"), UInt8(ascii: "l"), UInt8(ascii: "L"), UInt8(ascii: "|"),
            UInt8(ascii: "!"):
            UInt8(ascii: "I")
        case UInt8(ascii: "5"), UInt8(ascii: "$"): UInt8(ascii: "S")
        case UInt8(ascii: "8"): UInt8(ascii: "B")
        case UInt8(ascii: "2"): UInt8(ascii: "Z")
        case UInt8(ascii: "a")...UInt8(ascii: "z"): byte - 32
        case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "3")...UInt8(ascii: "9"): byte
        default: nil
        }
    }

    /// The ASCII character with a scalar's look, else the scalar; nil if invisible.
    private static func latin(_ scalar: Unicode.Scalar) -> Unicode.Scalar? {
        switch scalar.value {
        case 0xFF01...0xFF5E: return Unicode.Scalar(scalar.value - 0xFEE0)
        case 0x1D400...0x1D6A3: return letter((scalar.value - 0x1D400) % 52)
        case 0x1D7CE...0x1D7FF: return Unicode.Scalar(0x30 + (scalar.value - 0x1D7CE) % 10)
        case 0x24B6...0x24E9: return letter((scalar.value - 0x24B6) % 52)
        case 0x1F130...0x1F149: return letter(scalar.value - 0x1F130)
        default: break
        }
        if let known = lookAlikes[scalar] { return known }
        switch scalar.properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .format, .control, .spaceSeparator,
            .lineSeparator, .paragraphSeparator, .unassigned, .privateUse, .surrogate:
            return nil
        default: return scalar
        }
    }

    /// The letters A to Z, then a to z.
    private static func letter(_ index: UInt32) -> Unicode.Scalar? {
        Unicode.Scalar(index < 26 ? 0x41 + index : 0x61 + index - 26)
    }

    /// Cyrillic, Greek, Armenian and other letters, each before the ASCII letter of its look.
    private static let pairs = [
        "АAВBСCЕEНHІIЈJКKМMОOРPЅSТTХXУYԌGԚQԜWҮYҺHаaеeіiјjоoрpсcуyхxѕsԁdԛqԝwһhӏI",
        "ΑAΒBΕEΖZΗHΙIΚKΜMΝNΟOΡPΤTΥYΧXϹCϳjαaνvοoρpυuχxϲcιi",
        "ՕOՍUՏSօoսuոnցq",
        "ıiȷjɑaɡgℓlℂCℍHℕNℙPℚQℝRℤZℬBℰEℱFℋHℐIℒLℳMℛRⅠIⅤVⅩXⅬLⅭCⅮDⅯMⅰiⅴvⅹxⅼlⅽcⅾdⅿm",
    ]

    private static let lookAlikes: [Unicode.Scalar: Unicode.Scalar] = {
        var map: [Unicode.Scalar: Unicode.Scalar] = [:]
        for row in pairs {
            let scalars = Array(row.unicodeScalars)
            for index in stride(from: 0, to: scalars.count - 1, by: 2) {
                map[scalars[index]] = scalars[index + 1]
            }
        }
        return map
    }()
}

/// FNV-1a over bytes.
private struct Hash64 {
    private(set) var value: UInt64 = 0xcbf2_9ce4_8422_2325
    private(set) var isEmpty = true

    mutating func add(_ byte: UInt8) {
        value = (value ^ UInt64(byte)) &* 0x0000_0100_0000_01b3
        isEmpty = false
    }
}
