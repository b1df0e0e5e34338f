import DexCore

/// A part of an HTML document.
///
/// It is written as a literal. What is interpolated is escaped, so that a text from outside is never
/// markup, neither between tags nor within the quotes of an attribute:
///
///     let cell: HTML = "<td title=\"\(token.name)\">\(token.symbol)</td>"
///
/// Texts lose control characters and characters that reorder text, too.
package struct HTML: Hashable, Sendable, ExpressibleByStringInterpolation {
    /// The markup.
    package let text: String

    /// Characters of an interpolated text that are kept.
    private static let maximumCharacters = 2_000

    package init(stringLiteral value: String) {
        text = value
    }

    package init(stringInterpolation: StringInterpolation) {
        text = stringInterpolation.text
    }

    /// Markup that another part of the program wrote, with every text from outside escaped: a
    /// picture, or an embedded file.
    init(own markup: String) {
        text = markup
    }

    package struct StringInterpolation: StringInterpolationProtocol {
        fileprivate var text = ""

        package init(literalCapacity: Int, interpolationCount: Int) {
            text.reserveCapacity(literalCapacity + 16 * interpolationCount)
        }

        package mutating func appendLiteral(_ literal: String) {
            text += literal
        }

        /// A text from anywhere, escaped.
        package mutating func appendInterpolation(_ text: String) {
            HTML.escape(text, into: &self.text)
        }

        package mutating func appendInterpolation(_ number: some BinaryInteger) {
            text += "\(number)"
        }

        package mutating func appendInterpolation(_ part: HTML) {
            text += part.text
        }

        /// Nothing for nil.
        package mutating func appendInterpolation(_ part: HTML?) {
            text += part?.text ?? ""
        }

        /// One part after another.
        package mutating func appendInterpolation(_ parts: [HTML]) {
            for part in parts { text += part.text }
        }
    }

    /// Appends a text without control characters, and with `&`, `<`, `>` and both quotes escaped.
    private static func escape(_ text: String, into result: inout String) {
        for scalar in PlainText.clean(text, limit: maximumCharacters).unicodeScalars {
            switch scalar {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            case "\"": result += "&quot;"
            case "'": result += "&#39;"
            default: result.unicodeScalars.append(scalar)
            }
        }
    }
}

extension [HTML] {
    /// The parts with another one between each two.
    func joined(by separator: HTML) -> [HTML] {
        enumerated().flatMap { index, part in index == 0 ? [part] : [separator, part] }
    }
}
