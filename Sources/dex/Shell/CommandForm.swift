import ArgumentParser
import DexCore

/// The command line that a user probably meant: the same words in another order or form.
///
/// `dex buy 100 ZRX` is `dex buy ZRX/WETH 100`. What is missing stands in capitals: `AMOUNT`.
struct CommandForm {
    /// The whole line, without `dex`.
    private let arguments: [String]
    private let path: CommandPath
    private let declared: [CommandArgument]
    /// QUOTE of a pair of which only BASE was typed.
    private let quote: String

    /// Names of options that other programs use, and what they may be here.
    private static let synonyms: [String: [String]] = [
        "--price": ["--max-price", "--min-price"],
        "--limit-price": ["--price", "--max-price", "--min-price"],
        "--max-price": ["--price"], "--min-price": ["--price"],
        "--limit": ["--price", "--max-price", "--min-price"],
        "--max": ["--max-price"], "--min": ["--min-price"],
        "--expiry": ["--expires"], "--expire": ["--expires"], "--expiration": ["--expires"],
        "--account": ["--wallet"], "--from": ["--wallet"],
    ]
    /// Words between the others that mean nothing here.
    private static let fillers: Set<String> = ["to", "of", "for", "with", "at", "@", "in"]

    /// - Parameter pair: the default pair of the settings; nil without one.
    init(_ arguments: [String], pair: String?) {
        self.arguments = arguments
        path = CommandPath(arguments)
        declared = CommandArgument.all(of: path.command)
        quote = pair?.split(separator: "/").last.map(String.init) ?? "WETH"
    }

    /// The line as it would be typed; nil if the words are in order, or fit in no way.
    func meant() -> String? {
        let names = path.words.count
        guard names > 0, !path.isGroup else { return nil }
        let typed = Array(arguments.dropFirst(names))
        guard !typed.contains("--"), var parts = Parts(typed, declared) else { return nil }
        let before = parts.words
        guard let words = arranged(&parts) else { return nil }
        let line = arguments.prefix(names) + words + parts.options
        // Where an option stands changes nothing, nor does the = before its value.
        let pieces = arguments.flatMap { word in
            word.hasPrefix("--") ? word.split(separator: "=", maxSplits: 1) : [word[...]]
        }
        guard before != words || line.sorted() != pieces.map(String.init).sorted() else {
            return nil
        }
        let isWhole = !parts.isIncomplete
        // The parser has the last word on a line that is whole.
        guard !isWhole || (try? TypedLine.parse(Array(line))) is any DexCommand else {
            return nil
        }
        return "dex "
            + line.map { word in
                let text = PlainText.clean(word, limit: 200)
                return text.contains { " '\"<>|&;$*?".contains($0) } ? "'\(text)'" : text
            }.joined(separator: " ")
    }

    /// An option's name among the declared ones that are near; nil if none is.
    static func nearest(to name: String, _ arguments: [String]) -> String? {
        let names = CommandArgument.all(of: CommandPath(arguments).command).flatMap(\.names)
        return Suggestion.closest(to: name, among: names).first
    }

    // MARK: The words of a line

    /// The words that are no options, and the options with their values.
    private struct Parts {
        var words: [String] = []
        var options: [String] = []
        /// Something is missing, and stands in capitals.
        var isIncomplete = false

        /// - Returns: nil if an option is not known in any spelling.
        init?(_ typed: [String], _ declared: [CommandArgument]) {
            var index = 0
            while index < typed.count {
                let word = typed[index]
                index += 1
                guard word.hasPrefix("-"), word.count > 1 else {
                    words += CommandForm.split(word)
                    continue
                }
                if CommonOption.letters(of: word) != nil {
                    options.append(word)
                    if CommonOption.takesNext(word) == true, index < typed.count {
                        options.append(typed[index])
                        index += 1
                    }
                    continue
                }
                let name = String(word.prefix { $0 != "=" })
                var value = name == word ? nil : String(word.dropFirst(name.count + 1))
                let known = declared.first { $0.names.contains(name) }
                let takesValue =
                    known.map { $0.kind == .option }
                    ?? (index < typed.count && !typed[index].hasPrefix("-"))
                if takesValue, value == nil, index < typed.count {
                    value = typed[index]
                    index += 1
                }
                if known != nil {
                    options += [name] + [value].compactMap(\.self)
                } else if declared.contains(where: {
                    $0.kind == .positional && "--" + $0.value == name
                }), let value {
                    words.append(value)
                } else if let other = CommandForm.synonyms[name]?.first(where: { other in
                    declared.contains { $0.names.contains(other) }
                }), let value {
                    options += [other, value]
                } else {
                    return nil
                }
            }
        }

        mutating func take(_ isWanted: (String) -> Bool) -> String? {
            words.firstIndex(where: isWanted).map { words.remove(at: $0) }
        }

        mutating func missing(_ name: String) -> String {
            isIncomplete = true
            return name
        }
    }

    /// `100ZRX` as an amount and a symbol; any other word alone.
    private static func split(_ word: String) -> [String] {
        guard let match = word.wholeMatch(of: /([0-9.]+)([A-Za-z]{2,10})/),
            NumberSuggestion.isAmount(String(match.1)), !word.hasPrefix("0x")
        else { return [word] }
        return [String(match.1), String(match.2)]
    }

    // MARK: Order

    /// The words in the order of the command; nil if they do not fit.
    private func arranged(_ parts: inout Parts) -> [String]? {
        let wanted = declared.filter { $0.kind == .positional }
        let minimum = wanted.count
        if parts.words.count > minimum {
            parts.words.removeAll { Self.fillers.contains($0.lowercased()) }
        }
        // `cancel all`, `orders mine`: a flag without its dashes; `cancel ZRX/WETH`.
        for word in parts.words where !Self.isHash(word) {
            if declared.contains(where: { $0.kind == .flag && $0.names.contains("--" + word) }) {
                parts.options.append("--" + word)
                parts.words.removeAll { $0 == word }
            }
        }
        if !wanted.contains(where: { $0.value == "pair" }),
            declared.contains(where: { $0.names.contains("--pair") }),
            !parts.options.contains("--pair"), let pair = parts.take(Self.isPair)
        {
            parts.options += ["--pair", pair]
        }
        var result: [String] = []
        for argument in wanted {
            guard let words = word(for: argument, &parts) else { continue }
            result += words
        }
        let hasPrice = declared.contains { $0.names.contains("--price") && $0.kind == .option }
        if hasPrice, !parts.options.contains("--price") {
            let price = parts.take { NumberSuggestion.isAmount($0) || $0.hasPrefix("mid") }
            parts.options += ["--price", price ?? parts.missing("P")]
        }
        if declared.contains(where: { $0.names.contains("--amount") }),
            !parts.options.contains("--amount"), let amount = parts.take(NumberSuggestion.isAmount)
        {
            parts.options += ["--amount", amount]
        }
        // The coin's symbol behind an amount to wrap.
        if wanted.map(\.value) == ["amount"], parts.words.count == 1 {
            _ = parts.take(Self.isSymbol)
        }
        return parts.words.isEmpty ? result : nil
    }

    /// The word, or words, of one argument; nil if it may be missing.
    private func word(for argument: CommandArgument, _ parts: inout Parts) -> [String]? {
        switch argument.value {
        case "side":
            let side = parts.take { ["buy", "sell"].contains($0.lowercased()) }
            return [side?.lowercased() ?? parts.missing("buy|sell")]
        case "pair": return [pair(&parts)]
        case "amount":
            if let amount = parts.take(NumberSuggestion.isAmount) { return [amount] }
            if let typed = parts.take({ NumberSuggestion.meant(by: $0).count == 1 }) {
                return NumberSuggestion.meant(by: typed)
            }
            let isNeeded = !argument.isOptional || declared.contains { $0.names == ["--slippage"] }
            return isNeeded && !parts.options.contains("--spend")
                ? [parts.missing("AMOUNT")] : nil
        case "token":
            let token = parts.take { Self.isSymbol($0) || Self.isHash($0) }
            return [token ?? parts.missing("TOKEN")]
        case "order", "hash", "hashes":
            let orders = [parts.take { Self.isHash($0) || $0.hasPrefix("@") }].compactMap(\.self)
            if argument.isRepeating {
                defer { parts.words = [] }
                return orders + parts.words
            }
            return orders.isEmpty
                ? parts.take { !NumberSuggestion.isAmount($0) }.map { [$0] } : orders
        default:
            if argument.isRepeating {
                defer { parts.words = [] }
                return parts.words
            }
            return parts.words.isEmpty ? nil : [parts.words.removeFirst()]
        }
    }

    private func pair(_ parts: inout Parts) -> String {
        if let pair = parts.take(Self.isPair) { return pair }
        func symbol() -> String? {
            parts.take { Self.isSymbol($0) || Self.isHash($0) }.map {
                Self.isHash($0) ? $0 : $0.uppercased()
            }
        }
        guard let base = symbol() else { return parts.missing("PAIR") }
        let other = symbol() ?? (base == quote.uppercased() ? parts.missing("QUOTE") : quote)
        return "\(base)/\(other)"
    }

    private static func isPair(_ word: String) -> Bool {
        let sides = word.split(separator: "/", omittingEmptySubsequences: false)
        return sides.count == 2 && sides.allSatisfy { !$0.isEmpty }
            && !word.contains("://") && !word.hasPrefix(".")
    }

    private static func isHash(_ word: String) -> Bool { word.hasPrefix("0x") }

    private static func isSymbol(_ word: String) -> Bool {
        word.first?.isLetter == true && word.count <= 20
            && !["max", "buy", "sell"].contains(word.lowercased())
            && word.allSatisfy { $0.isLetter || $0.isNumber || ".-_".contains($0) }
    }
}
