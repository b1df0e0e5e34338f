import PrivateFiles

/// Files named by the user: they may be pipes, and Ctrl-C ends the wait for one.
extension CommandContext {
    /// The allowed kind of a file named by the user.
    var source: PrivateFiles.Source { .stream(stop: console.interruption.stopDescriptor()) }

    /// The bytes of a file, a pipe or, with `-`, standard input; nil if there is none.
    ///
    /// - Throws: `PrivateFiles.Failure`, also for more than `limit` bytes and after a signal.
    func content(
        of path: String,
        limit: Int = 16 << 20
    ) throws(PrivateFiles.Failure) -> [UInt8]? {
        try withContent(of: path, limit: limit) { Array($0) }
    }

    /// Lends the bytes, and overwrites them afterwards: for secrets.
    ///
    /// - Throws: `PrivateFiles.Failure`, also for more than `limit` bytes and after a signal.
    func withContent<Result: ~Copyable>(
        of path: String,
        limit: Int,
        _ body: (UnsafeRawBufferPointer) -> Result
    ) throws(PrivateFiles.Failure) -> Result? {
        try PrivateFiles.withContent(of: path, from: source, limit: limit, body)
    }
}
