import DexCore
package import Foundation

/// The codes of all errors with their exit codes, as they stand in the sources.
///
/// No list of them is kept: a code is a `StaticString` of an `ErrorCode`, or of a `Reported` of the
/// signers, so that each is a literal behind its kind.
package struct WrittenCodes: Sendable {
    /// The exit codes of each code; one with capitals at its end is a family.
    package private(set) var exits: [String: Set<Int32>] = [:]
    /// Codes whose exit code is that of another error, their cause.
    package private(set) var ofCauses: Set<String> = []
    /// The files where a code is that of another error, which has a row of its own.
    package private(set) var recorded: Set<String> = []
    /// The constructors of each area.
    private var constructors: [String: Set<String>] = [:]

    private static let root = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    /// docs/output.md.
    package static var page: URL { root.appending(path: "docs/output.md") }

    private static let all = Result { try WrittenCodes(below: root.appending(path: "Sources")) }

    /// Reads all sources, once.
    ///
    /// - Throws: an error of Foundation.
    package init() throws {
        self = try Self.all.get()
    }

    private init(below folder: URL) throws {
        let files = FileManager.default.enumerator(
            at: folder,
            includingPropertiesForKeys: nil
        )
        for case let file as URL in files ?? .init() where file.pathExtension == "swift" {
            let text = try String(contentsOf: file, encoding: .utf8)
            // Other files hold other calls of these names.
            guard ["ErrorArea", "ReportedError", "SigningError"].contains(where: text.contains)
            else {
                continue
            }
            read(text)
            if text.contains("recorded: ") {
                recorded.insert(file.deletingPathExtension().lastPathComponent)
            }
        }
        recorded.remove("ErrorCode")
    }

    private mutating func read(_ text: String) {
        let kinds = Dictionary(
            uniqueKeysWithValues: ErrorKind.allCases.map { ("\($0)", $0.exit.rawValue) }
        )
        for code in text.matches(of: /\.(\w+)\(\s*"([a-z0-9-]+[A-Z]*)"/) {
            guard let exit = kinds[String(code.1)] else { continue }
            exits[String(code.2), default: []].insert(exit)
        }
        for code in text.matches(of: /Reported\(\s*\.(\w+),\s*"([a-z0-9-]+)"/) {
            guard let exit = kinds[code.1 == "key" ? "wallet" : String(code.1)] else { continue }
            exits[String(code.2), default: []].insert(exit)
        }
        for code in text.matches(of: /ErrorCode\([\w.]+, "([a-z0-9-]+)"/) {
            ofCauses.insert(String(code.1))
        }
        let area = text.firstMatch(of: /enum (\w+): ErrorArea/).map { String($0.1) }
        guard let area else { return }
        let name =
            /\n    (?:package )?static (?:let (\w+) = row\(|var (\w+): DexError \{|func (\w+)[^{]*-> DexError \{)/
        for found in text.matches(of: name) {
            guard let name = found.1 ?? found.2 ?? found.3 else { continue }
            constructors[area, default: []].insert(String(name))
        }
    }

    /// The names of an area's constructors.
    package func names(of area: String) -> Set<String> {
        constructors[area] ?? []
    }

    /// The exit codes that a code may have; nil if it is none.
    func exits(of code: String) -> Set<Int32>? {
        if let exact = exits[code] { return exact }
        if ofCauses.contains(code) { return Set(ErrorKind.allCases.map(\.exit.rawValue)) }
        let family = exits.keys.first { family in
            let start = family.prefix { !$0.isUppercase }
            return start != family && code.hasPrefix(start)
        }
        return family.flatMap { exits[$0] }
    }

    /// The table of docs/output.md.
    package var lines: [String] {
        var rows: [[Int32]: [String]] = [:]
        for (code, exits) in exits { rows[exits.sorted(), default: []].append(code) }
        let sorted = rows.sorted { $0.key.lexicographicallyPrecedes($1.key) }
        return ["| exit | `error.code` |", "|---|---|"]
            + sorted.map { Self.row($0.key.map(String.init).joined(separator: ", "), $0.value) }
            + [Self.row("that of its cause", Array(ofCauses))]
    }

    private static func row(_ exits: String, _ codes: [String]) -> String {
        "| \(exits) | \(codes.sorted().map { "`\($0)`" }.joined(separator: ", ")) |"
    }
}
