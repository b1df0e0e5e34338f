/// The SQLite file of a chain, as an error names it.
package struct ChainFile: Hashable, Sendable {
    package let path: String
    /// It is the copy of another machine's chain.
    package let isCopy: Bool

    package init(_ path: String, isCopy: Bool = false) {
        self.path = path
        self.isCopy = isCopy
    }

    /// The command that begins this chain anew, and no other.
    package var reset: String { "dex sandbox reset\(isCopy ? " --copy" : "")" }
}
