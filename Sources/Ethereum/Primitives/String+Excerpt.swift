extension String {
    /// The first 80 Unicode scalars, for an error that quotes an external text.
    ///
    /// Scalars, not characters: one character can be a megabyte of combining marks.
    var excerpt: String {
        String(unicodeScalars.prefix(80))
    }

    /// The same in quotes, with what is not seen as numbers.
    var quotedExcerpt: String { ForeignWords.quoted(self, limit: 80) }

    /// A name that others chose, in quotes unless it is one plain word.
    var shownName: String { ForeignWords.name(self, limit: 80) }
}

extension UInt8 {
    /// An ASCII character of Solidity's identifiers: a letter, a digit, `_` or `$`.
    var isIdentifierPart: Bool {
        switch self {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "$"):
            true
        default: false
        }
    }
}
