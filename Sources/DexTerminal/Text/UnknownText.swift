/// The word for an amount that could not be read, which is never shown as zero.
package enum UnknownText {
    package static let word = "unknown"

    /// In place of a number of a list.
    static let cell = Table.Cell(word, .yellow)
}
