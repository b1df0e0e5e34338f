import CPostgres

/// A connection of libpq, used on one thread; every wait has a deadline and ends at the alarm.
final class PostgresLink {
    private let connection: OpaquePointer
    private let alarm: PostgresAlarm

    /// Connects.
    ///
    /// - Throws: `PostgresFailure`.
    init(
        _ address: PostgresAddress,
        _ alarm: PostgresAlarm,
        by deadline: ContinuousClock.Instant
    ) throws(PostgresFailure) {
        try PostgresLibrary.load()
        let parameters = address.parameters
        let started = Self.withCStrings(parameters.map(\.keyword)) { keywords in
            Self.withCStrings(parameters.map(\.value)) { values in
                dex_pq_connect(keywords, values)
            }
        }
        guard let started else { throw .unreachable("there is no memory for a connection") }
        connection = started
        self.alarm = alarm
        try finishConnecting(by: deadline)
        guard dex_pq_set_nonblocking(connection) else { throw lost }
    }

    deinit {
        dex_pq_finish(connection)
    }

    private func finishConnecting(by deadline: ContinuousClock.Instant) throws(PostgresFailure) {
        // Before its first call libpq waits for the socket to become writable.
        var step = Int(DEX_PQ_POLL_WRITING)
        while step != Int(DEX_PQ_POLL_OK) {
            if dex_pq_needs_password(connection) {
                throw .unusable("the server asks for a password; name a file that has it")
            }
            guard dex_pq_socket(connection) >= 0, step != Int(DEX_PQ_POLL_FAILED) else {
                throw PostgresFailure(connecting: message)
            }
            let isWriting = step == Int(DEX_PQ_POLL_WRITING)
            let event = Int(isWriting ? DEX_PQ_WRITABLE : DEX_PQ_READABLE)
            try wait(for: event, by: deadline)
            step = Int(dex_pq_connect_poll(connection))
        }
    }

    var serverVersion: Int { Int(dex_pq_server_version(connection)) }
    var backend: Int { Int(dex_pq_backend(connection)) }

    // MARK: Statements

    /// Runs statements without parameters, and returns the rows of the last.
    func run(
        script: String,
        by deadline: ContinuousClock.Instant
    ) throws(PostgresFailure) -> PostgresRows? {
        guard dex_pq_send(connection, script) else { throw lost }
        return try answer(by: deadline)
    }

    func prepare(
        _ statement: PostgresStatement,
        by deadline: ContinuousClock.Instant
    ) throws(PostgresFailure) {
        guard dex_pq_send_prepare(connection, statement.name, statement.text) else { throw lost }
        _ = try answer(by: deadline)
    }

    /// Runs a statement, which is prepared already if so told.
    func run(
        _ statement: PostgresStatement,
        isPrepared: Bool,
        _ values: [PostgresValue],
        by deadline: ContinuousClock.Instant
    ) throws(PostgresFailure) -> PostgresRows {
        guard values.count <= Int(UInt16.max) else { throw .malformed }
        var bytes: [UInt8] = []
        var ends: [Int] = []
        for value in values {
            value.append(to: &bytes)
            ends.append(bytes.count)
        }
        // A value must not be at a null address, which means null.
        bytes.append(0)
        guard bytes.count <= Int(CInt.max) else { throw .malformed }
        let starts = [0] + ends.dropLast()
        let lengths = zip(starts, ends).map { CInt(truncatingIfNeeded: $1 - $0) }
        let formats = [CInt](repeating: 1, count: values.count)
        let isSent = bytes.withUnsafeBytes { buffer in
            let base = buffer.baseAddress?.assumingMemoryBound(to: CChar.self)
            let pointers = starts.map { start in base.map { $0 + start } }
            let count = CInt(truncatingIfNeeded: values.count)
            return isPrepared
                ? dex_pq_send_prepared(
                    connection, statement.name, count, pointers, lengths, formats
                )
                : dex_pq_send_query(connection, statement.text, count, pointers, lengths, formats)
        }
        guard isSent else { throw lost }
        guard let rows = try answer(by: deadline) else { throw .malformed }
        return rows
    }

    /// Sends what is queued and reads all results; nil: there was none.
    private func answer(
        by deadline: ContinuousClock.Instant
    ) throws(PostgresFailure) -> PostgresRows? {
        let both = Int(DEX_PQ_READABLE) | Int(DEX_PQ_WRITABLE)
        flushing: while true {
            switch dex_pq_flush(connection) {
            case 0: break flushing
            case 1:
                let happened = try wait(for: both, by: deadline)
                if happened & Int(DEX_PQ_READABLE) != 0, !dex_pq_consume(connection) { throw lost }
            default: throw lost
            }
        }
        var last: PostgresRows?
        var failure: PostgresFailure?
        while true {
            while dex_pq_is_busy(connection) {
                try wait(for: Int(DEX_PQ_READABLE), by: deadline)
                guard dex_pq_consume(connection) else { throw lost }
            }
            guard let result = dex_pq_next_result(connection) else { break }
            let rows = PostgresRows(result)
            switch Int(dex_pq_status(result)) {
            case Int(DEX_PQ_COMMAND_OK), Int(DEX_PQ_TUPLES_OK): last = rows
            default: failure = failure ?? Self.failure(of: result)
            }
            withExtendedLifetime(rows) {}
            // A broken connection would yield errors for ever.
            guard dex_pq_is_alive(connection) else { break }
        }
        guard dex_pq_is_alive(connection) else {
            if case .refused(_, let message) = failure { throw .unreachable(message) }
            throw lost
        }
        if let failure { throw failure }
        return last
    }

    private static func failure(of result: OpaquePointer) -> PostgresFailure {
        let field = { (code: Int) in
            dex_pq_error_field(result, CInt(truncatingIfNeeded: code)).map { String(cString: $0) }
        }
        return .refused(
            sqlState: field(Int(DEX_PQ_SQLSTATE)) ?? "none",
            message: field(Int(DEX_PQ_PRIMARY_MESSAGE)) ?? "the connection broke off"
        )
    }

    // MARK: Notifications

    /// Waits for a notification.
    ///
    /// - Returns: its payload; nil if none came until the deadline.
    func notification(
        by deadline: ContinuousClock.Instant
    ) throws(PostgresFailure) -> String? {
        while true {
            if let payload = takeNotification() { return payload }
            guard dex_pq_is_alive(connection) else { throw lost }
            do {
                try wait(for: Int(DEX_PQ_READABLE), by: deadline)
            } catch .timedOut {
                return nil
            }
            guard dex_pq_consume(connection) else { throw lost }
        }
    }

    private func takeNotification() -> String? {
        var payload = [UInt8](repeating: 0, count: 64)
        let isThere = payload.withUnsafeMutableBytes { buffer in
            dex_pq_take_notification(
                connection,
                buffer.baseAddress?.assumingMemoryBound(to: CChar.self),
                buffer.count
            )
        }
        return isThere ? String(decoding: payload.prefix { $0 != 0 }, as: UTF8.self) : nil
    }

    // MARK: Waiting

    /// Waits for events of the socket.
    ///
    /// - Returns: those that happened.
    /// - Throws: `PostgresFailure.timedOut` or `.interrupted`.
    @discardableResult
    private func wait(
        for events: Int,
        by deadline: ContinuousClock.Instant
    ) throws(PostgresFailure) -> Int {
        while true {
            let left = ContinuousClock.now.duration(to: deadline).components
            // Rounded up, so that it never ends before the deadline.
            let milliseconds = left.seconds < 0 || left.attoseconds < 0
                ? 0 : min(left.seconds, 3_600) * 1_000 + left.attoseconds / 1_000_000_000_000_000 + 1
            let happened = Int(
                dex_pq_wait(
                    dex_pq_socket(connection),
                    alarm.readingEnd,
                    CInt(truncatingIfNeeded: events),
                    CInt(truncatingIfNeeded: milliseconds)
                )
            )
            guard happened >= 0 else { throw .unreachable("the connection cannot be waited for") }
            if happened & Int(DEX_PQ_WOKEN) != 0 { throw .interrupted }
            if happened != 0 { return happened }
            if ContinuousClock.now >= deadline { throw .timedOut }
        }
    }

    private var message: String { String(cString: dex_pq_message(connection)) }

    private var lost: PostgresFailure {
        let line = message.split(separator: "\n").first.map(String.init)
        return .unreachable(line ?? "the connection broke off")
    }

    /// Lends texts as C strings, with a null pointer at the end.
    private static func withCStrings<Result>(
        _ texts: [String],
        _ body: ([UnsafePointer<CChar>?]) -> Result
    ) -> Result {
        let bytes = texts.map { Array($0.utf8CString) }
        let starts = bytes.reduce(into: [0]) { $0.append(($0.last ?? 0) + $1.count) }
        return bytes.flatMap { $0 }.withUnsafeBufferPointer { buffer in
            body(starts.dropLast().map { start in buffer.baseAddress.map { $0 + start } } + [nil])
        }
    }
}
