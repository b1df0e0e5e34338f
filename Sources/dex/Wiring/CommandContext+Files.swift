import PrivateFiles

/// Files that the user named: they may be pipes, and Ctrl-C ends the waiting for one.
extension CommandContext {
    /// What a file that the user named may be.
    var source: PrivateFiles.Source { .stream(stop: console.interruption.stopDescriptor()) }

    /// The bytes of a file, a pipe or, with `-`, of standard input; nil where there is none.
    ///
    /// - Throws: `PrivateFiles.Failure`, also for more than `limit` bytes and after a signal.
    func content(
        of path: String,
        limit: Int = 16 << 20
    ) throws(PrivateFiles.Failure) -> [UInt8]? {
        try withContent(of: path, limit: limit) { Array($0) }
    }

    /// Lends them, and overwrites them afterwards: for secrets.
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
