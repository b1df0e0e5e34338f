import DexCore
import EthereumWallet

/// Arguments that look like a private key or a recovery phrase.
///
/// No command takes a secret as an argument: the shell keeps it in its history, and while the
/// command runs any program of the machine can read it. So none runs with one, and no message
/// repeats one, whole or in part.
struct SecretArguments {
    enum Kind: Hashable {
        case key
        case phrase
    }

    private let arguments: [String]
    /// Other texts that a message might repeat, such as the name in DEX_WALLET.
    private let others: [String]

    init(_ arguments: [String], others: [String] = []) {
        self.arguments = arguments
        self.others = others
    }

    // MARK: Before a command runs

    /// What one of the arguments is, where no command takes 64 digits for anything else.
    var refused: Kind? {
        if hasPhrase { return .phrase }
        for (index, argument) in arguments.enumerated()
        where Self.parts(of: argument).contains(where: Self.looksLikeKey) {
            if !takesDigits(at: index) { return .key }
        }
        return nil
    }

    /// The values that may be a word of 32 bytes: hashes, and arguments and messages of any form.
    private static let ofDigits: Set<String> = [
        "hash", "hashes", "order", "block", "arg", "arguments", "function", "message", "signature",
    ]

    private func takesDigits(at index: Int) -> Bool {
        guard case .value(let argument) = CompletionLine(Array(arguments[...index])).place else {
            return false
        }
        return Self.ofDigits.contains(argument.value)
    }

    // MARK: In messages

    /// A message or a hint that repeats no secret: a substitute for one that would.
    func hiding(_ text: String) -> String {
        repeats(text) ? "\(Self.hidden)\n\(ArgumentError.historyHint)" : text
    }

    /// An error that repeats no secret, and that says where such an argument is now.
    func hiding(_ error: DexError) -> DexError {
        guard repeats(error.message) || error.hint.map(repeats) == true else { return error }
        return HiddenError.hiding(error)
    }

    /// In place of a message.
    static let hidden =
        "What is wrong is not repeated here, since it looks like a private key or a recovery phrase."

    /// A part of this length of a secret is too much.
    private static let shown = 12

    private func repeats(_ text: String) -> Bool {
        let lower = text.lowercased()
        let isKeyShown = keys.contains { key in
            guard key.count > Self.shown else { return lower.contains(key) }
            let letters = Array(key)
            return (0...letters.count - Self.shown).contains { start in
                lower.contains(String(letters[start..<start + Self.shown]))
            }
        }
        // Two words of a phrase are too many.
        return isKeyShown
            || hasPhrase && Self.words(of: [text]).count(where: phraseWords.contains) > 1
    }

    /// What looks like a key, without what stands before its digits, in lower case.
    private var keys: [String] {
        let own = arguments.enumerated().flatMap { index, argument in
            Self.parts(of: argument).filter {
                Self.looksLikeKey($0) && !(Self.isHash($0) && takesDigits(at: index))
            }
        }
        return (own + others.filter(Self.looksLikeKey)).map { Self.digits(of: $0).lowercased() }
    }

    private var phraseWords: Set<String> {
        Set(Self.words(of: arguments).filter(Self.isListed))
    }

    // MARK: Keys

    /// The values in an argument: of `--option=value`, of a pair, and between spaces and commas.
    ///
    /// A URL has none: its path may be a key of the server, and no message shows it.
    private static func parts(of argument: String) -> [String] {
        guard !argument.contains("://") else { return [] }
        var marks: Set<Character> = [
            "=", " ", ",", ";", ":", "\t", "\n", "\r", "\"", "'", "[", "]",
        ]
        let isPath = argument.first.map { "/.~".contains($0) } ?? false
        if !isPath, argument.count(where: { $0 == "/" }) == 1 { marks.insert("/") }
        return argument.split { marks.contains($0) }.map(String.init)
    }

    private static func digits(of text: String) -> String {
        text.lowercased().hasPrefix("0x") ? String(text.dropFirst(2)) : text
    }

    /// 0x and 64 hexadecimal digits, as hashes are written.
    private static func isHash(_ text: String) -> Bool {
        text.lowercased().hasPrefix("0x") && text.utf8.count == 66
            && text.dropFirst(2).allSatisfy(\.isHexDigit)
    }

    /// 64 hexadecimal digits, also with a mistake or two; an extended key; a key in Base58.
    static func looksLikeKey(_ text: String) -> Bool {
        let digits = digits(of: text)
        guard (50...120).contains(digits.utf8.count),
            digits.utf8.allSatisfy(isLetterOrDigit)
        else { return false }
        if (62...66).contains(digits.utf8.count) {
            return digits.count { !$0.isHexDigit } <= 3
        }
        let isExtended = digits.utf8.count > 100 && digits.dropFirst().hasPrefix("prv")
        let isBase58 = (51...52).contains(digits.utf8.count) && "5KL".contains(digits.prefix(1))
        return isExtended || isBase58
    }

    private static func isLetterOrDigit(_ byte: UInt8) -> Bool {
        (0x30...0x39).contains(byte) || isLetter(byte)
    }

    private static func isLetter(_ byte: UInt8) -> Bool {
        (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
    }

    // MARK: Phrases

    /// Fewer words of the list in a row are an accident.
    private static let fewestWords = 6
    /// More are read of no command line.
    private static let maximumWords = 400

    /// A row of words nearly all of which are those of recovery phrases, in one argument or in
    /// several.
    private var hasPhrase: Bool {
        // Names of options are words of the list too, such as `--dry-run` and `--name`.
        let values = arguments.compactMap { argument in
            argument.hasPrefix("-")
                ? argument.firstIndex(of: "=").map { String(argument[$0...].dropFirst()) }
                : argument
        }
        let single = values.filter { $0.utf8.allSatisfy(Self.isLetter) }
        return Self.isPhrase(single) || values.contains { Self.isPhrase([$0]) }
    }

    private static func isPhrase(_ texts: [String]) -> Bool {
        let words = words(of: texts)
        guard words.count >= fewestWords else { return false }
        let listed = words.prefix(maximumWords).map(isListed)
        return listed.indices.contains { start in
            var count = 0
            return listed[start...].enumerated().contains { place, isListed in
                if isListed { count += 1 }
                return isListed && count >= fewestWords && count * 5 >= (place + 1) * 4
            }
        }
    }

    /// The words of letters in some texts, in lower case.
    private static func words(of texts: [String]) -> [String] {
        texts.flatMap { text in
            text.utf8.split { !isLetter($0) }.map { String(decoding: $0, as: UTF8.self) }
        }.map { $0.lowercased() }
    }

    private static func isListed(_ word: String) -> Bool {
        Mnemonic.isWord(word.utf8)
    }
}

/// An error whose own words would repeat a secret.
private enum HiddenError: ErrorArea {
    static func hiding(_ error: DexError) -> DexError {
        row(
            ErrorCode(error.kind, recorded: error.code),
            SecretArguments.hidden,
            hint: ArgumentError.historyHint,
            retryable: error.retryable
        ).after(error.sent)
    }
}
