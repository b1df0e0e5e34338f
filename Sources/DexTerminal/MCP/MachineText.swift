import DexCore

/// Takes out of texts what is of this machine alone: folders, and of URLs what may be a key.
package struct MachineText: Sendable {
    /// Folders whose files are called by their names alone.
    private let folders: [String]

    /// - Parameter folders: absolute paths, such as that of the settings.
    package init(folders: [String]) {
        // The longest first: one may lie in another.
        self.folders = folders.filter { $0.utf8.count > 1 }
            .map { $0.hasSuffix("/") ? $0 : $0 + "/" }
            .sorted { $0.utf8.count > $1.utf8.count }
    }

    /// The text with files by their last names, and URLs by scheme, host and port.
    package func without(_ text: String) -> String {
        guard text.contains("/") else { return text }
        var text = text
        for folder in folders { text = text.replacing(folder, with: "") }
        var result = ""
        var word = ""
        for character in text {
            if Self.isEnd(character) {
                result += Self.shown(word)
                result.append(character)
                word = ""
            } else {
                word.append(character)
            }
        }
        return result + Self.shown(word)
    }

    /// Ends a path or a URL in a sentence.
    private static func isEnd(_ character: Character) -> Bool {
        character.isWhitespace || "\"'()[]{}<>|,;=`“”".contains(character)
    }

    private static func shown(_ word: String) -> String {
        if let mark = word.firstRange(of: "://") {
            let scheme = word[..<mark.lowerBound].reversed()
                .prefix { $0.isLetter || $0.isNumber || "+-.".contains($0) }
            let start = word.index(mark.lowerBound, offsetBy: -scheme.count)
            return String(word[..<start]) + PlainText.origin(of: String(word[start...]))
        }
        let isPath = ["/", "~/", "./", "../"].contains { word.hasPrefix($0) }
        guard isPath, let name = word.split(separator: "/").last else { return word }
        return String(name)
    }
}
