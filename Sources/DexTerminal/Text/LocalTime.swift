/// The clock of the place where a screen is read.
package struct LocalTime: Sendable {
    /// The distance from UTC at some time.
    package struct Offset: Hashable, Sendable {
        /// Seconds east of UTC.
        package let seconds: Int64
        /// As date(1) shows it: `CET`, or `+03` where the zone has no letters.
        package let name: String

        package init(seconds: Int64, name: String) {
            self.seconds = seconds
            // The user's own setting may be anything.
            self.name = TerminalText.truncate(TerminalText.clean(name), to: 10)
        }

        package static let utc = Offset(seconds: 0, name: "UTC")
    }

    /// At seconds since 1970.
    package let offset: @Sendable (UInt64) -> Offset

    package init(_ offset: @escaping @Sendable (UInt64) -> Offset) {
        self.offset = offset
    }

    package static let utc = LocalTime { _ in .utc }
}
