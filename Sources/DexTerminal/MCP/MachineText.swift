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
        return Self.replaced(text, isEnd: { $0.isWhitespace || "\"'<>“”`".contains($0) }) { word in
            Self.origin(word)
                ?? Self.replaced(word, isEnd: { "()[]{}|,;=".contains($0) }, Self.file)
        }
    }

    /// A text with every word between some characters replaced.
    private static func replaced(
        _ text: String,
        isEnd: (Character) -> Bool,
        _ change: (String) -> String
    ) -> String {
        var result = ""
        var word = ""
        for character in text {
            guard isEnd(character) else {
                word.append(character)
                continue
            }
            result += change(word)
            result.append(character)
            word = ""
        }
        return result + change(word)
    }

    /// A word with its URL by scheme, host and port, and what ends the sentence; nil without one.
    private static func origin(_ word: String) -> String? {
        guard let mark = word.firstRange(of: "://") else { return nil }
        let scheme = word[..<mark.lowerBound].reversed()
            .prefix { $0.isLetter || $0.isNumber || "+-.".contains($0) }
        let start = word.index(mark.lowerBound, offsetBy: -scheme.count)
        let end = String(word.reversed().prefix { ".,;:!?)]}…".contains($0) }.reversed())
        let url = word[start...].dropLast(end.count)
        return word[..<start] + PlainText.origin(of: String(url)) + end
    }

    private static func file(_ word: String) -> String {
        let isPath = ["/", "~/", "./", "../"].contains { word.hasPrefix($0) }
        guard isPath, let name = word.split(separator: "/").last else { return word }
        return String(name)
    }
}
