package import DexCore
package import PrivateFiles
import TOMLKit

/// config.toml, read strictly and changed in place.
package struct SettingsFile: Sendable {
    package let path: String
    private(set) var text: String
    /// Every value, by its path.
    package private(set) var values: [[String]: SettingValue]

    /// Reads the file; one that does not exist has no settings.
    ///
    /// - Throws: `DexError`, exit 3, with the file, the line and the key.
    package init(path: String) throws(DexError) {
        let content = try reported(
            PrivateFiles.Failure.self,
            try PrivateFiles.read(path, limit: 1 << 20)
        )
        try self.init(content: content ?? [], path: path)
    }

    /// Parses the content of a file at this path.
    ///
    /// - Throws: `DexError`, exit 3, with the file, the line and the key.
    package init(content: [UInt8], path: String) throws(DexError) {
        if let obstacle = PrivateFiles.obstacleToText(in: content) {
            throw Self.problem(path, line: nil, obstacle)
        }
        guard let text = String(validating: content, as: UTF8.self) else {
            throw Self.problem(path, line: nil, "it is not UTF-8 text")
        }
        self.path = path
        self.text = text
        values = try Self.parse(text, path: path)
    }

    // MARK: Reading

    private static func parse(
        _ text: String,
        path: String
    ) throws(DexError) -> [[String]: SettingValue] {
        let outline = TOMLOutline(text)
        let table = try TOMLText.table(text, outline) { problem(path, line: $0, $1) }
        var values: [[String]: SettingValue] = [:]
        try collect(table, at: [], into: &values, outline: outline, path: path)
        return values
    }

    private static func collect(
        _ table: TOMLTable,
        at parent: [String],
        into values: inout [[String]: SettingValue],
        outline: TOMLOutline,
        path: String
    ) throws(DexError) {
        for key in table.keys.sorted() {
            let here = parent + [key]
            let name = here.joined(separator: ".")
            let line = outline.line(of: here)
            if SettingsSchema.isTable(here) {
                guard let inner = table[key]?.table else {
                    throw problem(path, line: line, "\(name) is not a table: [\(name)] is expected")
                }
                try collect(inner, at: here, into: &values, outline: outline, path: path)
                continue
            }
            guard let kind = SettingsSchema.kind(of: here) else {
                throw problem(
                    path,
                    line: line,
                    "the key \(name) is not known",
                    hint: "The keys are \(SettingsSchema.allKeys.joined(separator: ", "))."
                )
            }
            let value = table[key].flatMap { Self.value(of: $0, kind, at: here, outline) }
            guard let value, kind.accepts(value) else {
                let meaning = value.flatMap { kind.meaning(of: $0) } ?? ""
                throw problem(path, line: line, "\(name) takes \(kind.expectation)\(meaning)")
            }
            values[here] = value
        }
    }

    private static func value(
        of value: any TOMLValueConvertible,
        _ kind: SettingKind,
        at path: [String],
        _ outline: TOMLOutline
    ) -> SettingValue? {
        if let text = value.string { return .text(text) }
        if let isOn = value.bool { return .flag(isOn) }
        if let number = value.int {
            return switch kind {
            case .percent, .ether, .takerFee: .text(String(number))
            default: UInt64(exactly: number).map { .integer($0) }
            }
        }
        // A percentage or an amount may be written as a number.
        if let number = value.double {
            return outline.decimal(of: path, parsed: number).map { .text($0) }
        }
        guard let array = value.array else { return nil }
        var texts: [String] = []
        for element in array {
            guard let text = element.string else { return nil }
            texts.append(text)
        }
        return .list(texts)
    }

    private static func problem(
        _ path: String,
        line: Int?,
        _ what: String,
        hint: String? = nil
    ) -> DexError {
        SettingsError.malformedFile(path: path, line: line, what: what, hint: hint)
    }

    // MARK: Changing

    /// Sets values, keeps everything else as written, and checks the result by reading it back.
    ///
    /// - Throws: `DexError`: exit 2 for a value that the key does not take, exit 3 if the text's
    ///   layout prevents a safe change; the file is not touched.
    package mutating func set(_ changes: [(path: [String], value: SettingValue)]) throws(DexError) {
        var wanted = values
        var edited = text
        for change in changes {
            let name = change.path.joined(separator: ".")
            let kind = try SettingsSchema.known(change.path)
            guard kind.accepts(change.value) else {
                throw SettingsError.badValue(name: name, kind: kind, value: change.value)
            }
            edited = TOMLEdit.setting(change.path, to: change.value.literal, in: edited)
            wanted[change.path] = change.value
        }
        guard (try? Self.parse(edited, path: path)) == wanted else {  // nil: the edit broke it
            throw SettingsError.layout(
                path: path,
                settings: changes.map { $0.path.joined(separator: ".") }
            )
        }
        text = edited
        values = wanted
    }

    /// Removes a setting, or all of a table such as `trade` or `networks.NAME`; the rest stays.
    ///
    /// - Returns: the removed values; empty if none was set, and then nothing is changed.
    /// - Throws: `DexError`: exit 2 if there is no such key, exit 3 if the text's layout prevents a
    ///   safe change; the file is not touched.
    package mutating func unset(_ path: [String]) throws(DexError) -> [[String]: SettingValue] {
        if !SettingsSchema.isTable(path) { _ = try SettingsSchema.known(path) }
        let removed = values.filter { $0.key.starts(with: path) }
        guard !removed.isEmpty else { return [:] }
        let wanted = values.filter { !$0.key.starts(with: path) }
        var edited = text
        // A table goes with the comments between its entries.
        while let header = TOMLOutline(edited).headers.last(where: { $0.path.starts(with: path) }) {
            let shorter = TOMLEdit.removing(table: header.path, in: edited)
            guard shorter.utf8.count < edited.utf8.count else { break }
            edited = shorter
        }
        edited = TOMLEdit.removing(entries: path, in: edited)
        guard (try? Self.parse(edited, path: self.path)) == wanted else {  // nil: the edit broke it
            throw SettingsError.layout(
                path: self.path,
                settings: [path.joined(separator: ".")]
            )
        }
        text = edited
        values = wanted
        return removed
    }

    /// Writes the file completely or not at all, readable by its owner only.
    ///
    /// - Throws: `DexError`, exit 3.
    package func save() throws(DexError) {
        do throws(PrivateFiles.Failure) {
            let folder = path.split(separator: "/", omittingEmptySubsequences: false).dropLast()
            try PrivateFiles.makeFolder(folder.joined(separator: "/"))
            try PrivateFiles.replace(path, with: Array(text.utf8))
        } catch {
            throw DexError(error)
        }
    }
}

/// Why a file could not be read or written.
extension PrivateFiles.Failure: ReportedError {
    package var report: DexError { Self.row(.configuration("file"), description) }
}
