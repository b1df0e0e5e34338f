import PrivateFiles

/// Files named by the user: they may be pipes, and Ctrl-C ends the wait for one.
extension CommandContext {
    /// The allowed kind of a file named by the user.
    var source: PrivateFiles.Source { .stream(stop: console.interruption.stopDescriptor()) }

    /// The text of a file, a pipe or, with `-`, standard input, or its bytes; nil if there is none.
    ///
    /// - Throws: `PrivateFiles.Failure`, also for more than `limit` bytes and after a signal.
    func content(
        of path: String,
        as form: PrivateFiles.Form = .text,
        limit: Int = 16 << 20
    ) throws(PrivateFiles.Failure) -> [UInt8]? {
        try withContent(of: path, as: form, limit: limit) { Array($0) }
    }

    /// Lends the text or the bytes, and overwrites them afterwards: for secrets.
    ///
    /// - Throws: `PrivateFiles.Failure`, also for more than `limit` bytes and after a signal.
    func withContent<Result: ~Copyable>(
        of path: String,
        as form: PrivateFiles.Form = .text,
        limit: Int,
        _ body: (UnsafeRawBufferPointer) -> Result
    ) throws(PrivateFiles.Failure) -> Result? {
        try PrivateFiles.withContent(of: path, from: source, as: form, limit: limit, body)
    }
}
