package import DexCore
import DexSettings
import Glibc
import PrivateFiles
import TOMLKit

/// relay.toml, read strictly and changed in place.
package struct RelaySettingsFile: Sendable {
    package let path: String
    package private(set) var text: String
    /// Every value, by its path.
    package private(set) var values: [[String]: RelaySettingValue]
    private var outline: TOMLOutline

    /// The name of the file in the folder of the settings.
    package static let name = "relay.toml"
    private static let maximumBytes = 1 << 20

    /// Reads the file.
    ///
    /// - Throws: `DexError`, exit 3, with the file, the line and the key; also if there is no file,
    ///   and if another user could have written it.
    package init(path: String) throws(DexError) {
        let content = try reported(
            PrivateFiles.Failure.self,
            try PrivateFiles.read(path, limit: Self.maximumBytes)
        )
        guard let content else { throw RelaySettingsError.missing(path: path) }
        guard !PrivateFiles.isAlterable(path) else {
            throw RelaySettingsError.alterable(path: path)
        }
        try self.init(content: content, path: path)
    }

    /// Parses the content of a file at this path.
    ///
    /// - Throws: `DexError`, exit 3, with the file, the line and the key.
    package init(content: [UInt8], path: String) throws(DexError) {
        let obstacle = PrivateFiles.obstacleToText(in: content)
        guard obstacle == nil, let text = String(validating: content, as: UTF8.self) else {
            throw RelaySettingsError.malformed(
                path: path,
                line: nil,
                what: obstacle ?? "it is not UTF-8 text",
                hint: nil
            )
        }
        self.path = path
        self.text = text
        outline = TOMLOutline(text)
        values = [:]
        values = try parse(text)
    }

    // MARK: Values

    package func text(_ path: String...) -> String? {
        if case .text(let text) = values[path] { text } else { nil }
    }

    package func integer(_ path: String...) -> UInt64? {
        if case .integer(let value) = values[path] { value } else { nil }
    }

    package func flag(_ path: String...) -> Bool? {
        if case .flag(let value) = values[path] { value } else { nil }
    }

    package func list(_ path: String...) -> [String]? {
        if case .list(let texts) = values[path] { texts } else { nil }
    }

    /// The names below a table, such as those of `tokens`.
    package func names(in table: String) -> [String] {
        Set(values.keys.filter { $0.count > 1 && $0[0] == table }.map { $0[1] }).sorted()
    }

    /// A path in the file is relative to the file's folder.
    package func absolute(_ path: String) -> String {
        guard !path.hasPrefix("/") else { return path }
        let folder = self.path.split(separator: "/", omittingEmptySubsequences: false).dropLast()
        return (folder.map(String.init) + [path]).joined(separator: "/")
    }

    /// An error about a key.
    package func problem(_ key: [String], _ what: String, hint: String? = nil) -> DexError {
        RelaySettingsError.malformed(
            path: path,
            line: outline.line(of: key),
            what: what,
            hint: hint
        )
    }

    // MARK: Reading

    private func parse(_ text: String) throws(DexError) -> [[String]: RelaySettingValue] {
        let outline = TOMLOutline(text)
        let path = path
        let table = try TOMLText.table(text, outline) { line, what in
            RelaySettingsError.malformed(path: path, line: line, what: what, hint: nil)
        }
        var values: [[String]: RelaySettingValue] = [:]
        try collect(table, at: [], into: &values, outline)
        return values
    }

    private func collect(
        _ table: TOMLTable,
        at parent: [String],
        into values: inout [[String]: RelaySettingValue],
        _ outline: TOMLOutline
    ) throws(DexError) {
        for key in table.keys.sorted() {
            let here = parent + [key]
            let name = PlainText.clean(here.joined(separator: "."), limit: 100)
            if RelaySettingsSchema.isTable(here) {
                guard let inner = table[key]?.table else {
                    throw problem(here, "\(name) is not a table: [\(name)] is expected")
                }
                try collect(inner, at: here, into: &values, outline)
                continue
            }
            guard let known = RelaySettingsSchema.key(here) else {
                throw problem(here, "the key \(name) is not known", hint: Self.keysHint(parent))
            }
            let value = table[key].flatMap { Self.value(of: $0, known.kind, at: here, outline) }
            guard let value, known.kind.accepts(value) else {
                let refusal = known.kind.refusal(of: value)
                throw problem(here, "\(name) takes \(known.kind.expectation)\(refusal)")
            }
            values[here] = value
        }
    }

    private static func keysHint(_ parent: [String]) -> String {
        let keys = RelaySettingsSchema.keys.filter { $0.path.count >= parent.count + 1 }
            .filter { key in zip(key.path, parent).allSatisfy { $0 == "*" || $0 == $1 } }
        return "The keys \(parent.isEmpty ? "" : "there ")are "
            + keys.map(\.name).joined(separator: ", ") + "."
    }

    private static func value(
        of value: any TOMLValueConvertible,
        _ kind: RelaySettingKind,
        at path: [String],
        _ outline: TOMLOutline
    ) -> RelaySettingValue? {
        if let text = value.string { return .text(text) }
        if let flag = value.bool { return .flag(flag) }
        if let number = value.int {
            switch kind {
            case .percent, .amount: return .text(String(number))
            default: return UInt64(exactly: number).map { .integer($0) }
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

    // MARK: Changing

    /// Sets values or removes tables, keeps everything else as written, and checks the result by
    /// reading it back.
    ///
    /// - Parameter removed: tables to remove.
    /// - Throws: `DexError`, exit 3, if the text's layout prevents a safe change.
    package mutating func change(
        set changes: [(path: [String], value: RelaySettingValue)] = [],
        remove removed: [[String]] = []
    ) throws(DexError) {
        var wanted = values
        var edited = text
        for (path, value) in changes {
            // A comment inside a list would be lost with the list.
            if let literal = TOMLOutline(edited).literal(of: path), case .list = value,
                Self.hasComment(literal)
            {
                throw layout(path)
            }
            edited = TOMLEdit.setting(path, to: value.literal, in: edited)
            wanted[path] = value
        }
        for table in removed {
            edited = TOMLEdit.removing(table: table, in: edited)
            for path in wanted.keys where path.starts(with: table) { wanted[path] = nil }
        }
        guard (try? parse(edited)) == wanted else {  // nil: the edit broke it
            throw layout(changes.first?.path ?? removed.first ?? [])
        }
        text = edited
        values = wanted
        outline = TOMLOutline(edited)
    }

    private func layout(_ key: [String]) -> DexError {
        RelaySettingsError.layout(path: path, key: key.joined(separator: "."))
    }

    /// A list's text has a comment, outside of its strings.
    private static func hasComment(_ literal: String) -> Bool {
        var quote: Character?
        var isEscaped = false
        for character in literal {
            if let open = quote {
                if isEscaped {
                    isEscaped = false
                } else if character == "\\", open == "\"" {
                    isEscaped = true
                } else if character == open {
                    quote = nil
                }
                continue
            }
            if character == "#" { return true }
            if character == "\"" || character == "'" { quote = character }
        }
        return false
    }

    /// Writes the file completely or not at all, for those who may read it now: a service of another
    /// user does.
    ///
    /// - Throws: `DexError`, exit 3.
    package func save() throws(DexError) {
        try Self.write(text, to: path)
    }

    /// Writes a new file.
    ///
    /// - Parameter replaces: an existing file is replaced; otherwise that is an error.
    /// - Throws: `DexError`, exit 3.
    package static func write(
        _ text: String,
        to path: String,
        replaces: Bool = true
    ) throws(DexError) {
        let folder = path.split(separator: "/", omittingEmptySubsequences: false).dropLast()
        do throws(PrivateFiles.Failure) {
            if !folder.isEmpty { try PrivateFiles.makeFolder(folder.joined(separator: "/")) }
            guard !replaces else {
                return try PrivateFiles.replace(path, with: Array(text.utf8), for: .same)
            }
        } catch {
            throw DexError(error)
        }
        do {
            try Array(text.utf8).withUnsafeBytes { try PrivateFiles.create(path, with: $0) }
        } catch let error as PrivateFiles.Failure where error.code == EEXIST {
            throw RelaySettingsError.exists(path: path)
        } catch let error as PrivateFiles.Failure {
            throw DexError(error)
        } catch {
            throw DexError(PrivateFiles.Failure(path: path, action: "written", code: EIO))
        }
    }
}
