import DexCore

/// The errors of an area, and what is wrong with them.
package struct ErrorTable {
    package let codes: WrittenCodes

    /// - Throws: an error of Foundation.
    package init() throws {
        codes = try WrittenCodes()
    }

    /// What is wrong with the errors of an area: one without an example, a code or an exit code
    /// that is not in the table, words that are no sentence.
    package func faults(of area: any ExemplifiedArea.Type) -> [String] {
        let faults =
            area.errors.flatMap { self.faults(of: $0) }
            + (hasAllExamples(area) ? [] : ["not one example of each"])
        return faults.map { "\(area): \($0)" }
    }

    private func hasAllExamples(_ area: any ExemplifiedArea.Type) -> Bool {
        if let typed = area as? any ExemplifiedError.Type { return typed.isWhole }
        let names = codes.names(of: "\(area)")
        return !names.isEmpty && names.count == area.errors.count
    }

    private func faults(of error: DexError) -> [String] {
        var faults: [String] = []
        if error.code.wholeMatch(of: /[a-z0-9]+(-[a-z0-9]+)*/) == nil {
            faults.append("\(error.code) is not in kebab case")
        }
        if codes.exits(of: error.code)?.contains(error.exit.rawValue) != true {
            faults.append("\(error.code) is not listed with exit \(error.exit.rawValue)")
        }
        if beginsSmall(error.message) { faults.append("begins small: \(error.message)") }
        for text in [error.message, error.hint].compactMap({ $0 }) {
            let isPlain = text.unicodeScalars.allSatisfy {
                $0.properties.generalCategory != .control || $0 == "\n"
            }
            if text.isEmpty || !isPlain || text.contains("  ") || text.contains("nil") {
                faults.append("\(error.code), not plain words: \(text)")
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
