package import DexCore
package import TOMLKit

/// Reads a text with TOMLKit, without the texts that end its parser.
package enum TOMLText {
    /// The text's values.
    ///
    /// - Parameter problem: makes an error of a line and its problem.
    /// - Throws: the error of `problem`.
    package static func table(
        _ text: String,
        _ outline: TOMLOutline,
        problem: (_ line: Int?, _ what: String) -> DexError
    ) throws(DexError) -> TOMLTable {
        // The parser underneath takes C strings.
        guard !text.utf8.contains(0) else { throw problem(nil, "it holds a NUL byte") }
        // The text before it is still read: its mistakes come first.
        let readable = outline.trap.map {
            String(decoding: text.utf8.prefix($0.start), as: UTF8.self)
        }
        let table: TOMLTable
        do {
            table = try TOMLTable(string: readable ?? text)
        } catch let error as TOMLParseError {
            throw problem(error.source.begin.line, error.description)
        } catch {
            throw problem(nil, String(describing: error))
        }
        if let trap = outline.trap { throw problem(trap.line, trap.reason) }
        return table
    }
}
