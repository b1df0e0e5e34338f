import DexCore
package import Foundation

/// The table of `error.code` in docs/output.md, and what is compared with it.
package struct ErrorTable {
    /// The exit codes of each code.
    private let documented: [String: Set<Int32>]

    private static let root = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    /// The folder of all sources.
    package static var sources: URL { root.appending(path: "Sources") }

    /// Reads the table.
    ///
    /// - Throws: an error of Foundation.
    package init() throws {
        let page = Self.root.appending(path: "docs/output.md")
        let text = try String(contentsOf: page, encoding: .utf8)
        var codes: [String: Set<Int32>] = [:]
        let start = text.firstRange(of: "### `error.code`")?.upperBound ?? text.endIndex
        for line in text[start...].split(separator: "\n") {
            if line.hasPrefix("## ") { break }
            guard let row = line.wholeMatch(of: /\| ([\d, ]+) \| (.*) \|/) else { continue }
            let exits = row.1.split(separator: ",").compactMap {
                Int32($0.trimmingCharacters(in: .whitespaces))
            }
            for code in row.2.matches(of: /`([a-zA-Z0-9-]+)`/) {
                codes[String(code.1), default: []].formUnion(exits)
            }
        }
        documented = codes
    }

    /// The table has a row with this code.
    package func lists(_ code: String) -> Bool {
        documented[code] != nil
    }

    /// What is wrong with the rows of an area: a case without an example, a code or an exit code
    /// that the table does not list, words that are no sentence.
    ///
    /// - Parameter listed: what a code is listed as; itself unless it is one of a family.
    package func faults(
        of area: any ExemplifiedError.Type,
        listed: (String) -> String = { $0 }
    ) -> [String] {
        func open<Area: ExemplifiedError>(_ area: Area.Type) -> (numbers: [Int], [ErrorReport]) {
            (area.examples.map(\.number), area.examples.map(\.report))
        }
        let (numbers, reports) = open(area)
        var faults: [String] = []
        if reports.isEmpty || numbers != Array(numbers.indices) {
            faults.append("not one example of each case, in order: \(numbers)")
        }
        for report in reports { faults += self.faults(of: report, listed: listed(report.code)) }
        return faults.map { "\(area): \($0)" }
    }

    private func faults(of report: ErrorReport, listed: String) -> [String] {
        var faults: [String] = []
        if report.code.wholeMatch(of: /[a-z0-9]+(-[a-z0-9]+)*/) == nil {
            faults.append("\(report.code) is not in kebab case")
        }
        if documented[listed]?.contains(report.kind.exit.rawValue) != true {
            faults.append("\(report.code) is not listed with exit \(report.kind.exit.rawValue)")
        }
        if beginsSmall(report.message) { faults.append("begins small: \(report.message)") }
        for text in [report.message, report.hint].compactMap({ $0 }) {
            let isPlain = text.unicodeScalars.allSatisfy {
                $0.properties.generalCategory != .control || $0 == "\n"
            }
            if text.isEmpty || !isPlain || text.contains("  ") || text.contains("nil") {
                faults.append("\(report.code), not plain words: \(text)")
            }
        }
        return faults
    }

    /// A sentence begins with a capital, except for the program's own name and a setting's.
    private func beginsSmall(_ sentence: String) -> Bool {
        let word = sentence.prefix { $0 != " " }
        guard word != "dex", !word.contains(".") else { return false }
        return word.unicodeScalars.first?.properties.isLowercase != false
    }
}
