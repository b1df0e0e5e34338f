import DexTestSupport

/// The dialogs of `dex live`.
extension TmuxTerminal {
    /// Types a value in place of what the field has.
    func enter(_ value: String) throws {
        try press("C-u")
        try press("-l", value)
    }

    /// Opens a dialog by a key; a book that is too old for a moment opens none.
    func open(_ key: String, _ title: String) async throws {
        let refusal = "older than two blocks"
        func shows(_ rows: [String], _ text: String) -> Bool {
            rows.contains { $0.contains(text) }
        }
        for _ in 0..<20 {
            try press(key)
            let rows = try await rows { shows($0, title) || shows($0, refusal) }
            if shows(rows, title) { return }
            try press("Escape")
            try await self.rows { !shows($0, refusal) && !shows($0, "BOOK OLD") }
        }
        throw Failure(description: "the book is old at each press of \(key)")
    }
}
