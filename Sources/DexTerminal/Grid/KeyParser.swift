package import DexCore

/// Turns what a terminal sends into keys, pastes and answers, however it is cut into reads.
///
/// Alt with a key is no key, nor is an unknown sequence. What is sent between the marks of a paste
/// is text. Keys behind it count only after a pause: whoever puts the end mark into a clipboard
/// types no keys.
package struct KeyParser: Sendable {
    package enum Input: Hashable, Sendable {
        case key(Key)
        case mouse(MouseInput)
        case reply(TerminalReply)
    }

    private enum State {
        case ground
        /// Behind an ESC: the key itself, or the start of a sequence.
        case escape
        /// `ESC [`
        case control
        /// `ESC O`
        case function
        /// `ESC [ [`, of Linux's console: one letter follows.
        case console
        /// `ESC [ M`, of a mouse on a terminal without mode 1006: so many bytes follow.
        case oldMouse(left: Int)
        /// `ESC ]`; others of its kind are not kept.
        case string(isCommand: Bool)
        /// An ESC in such a string: its end, if `\` follows.
        case stringEnd(isCommand: Bool)
        case paste
    }

    /// The most bytes of a paste; of a longer one these are taken.
    package static let longestPaste = 64 << 10
    private static let longestSequence = 64
    private static let longestString = 256

    private var state = State.ground
    /// The sequence, the string or the paste so far.
    private var collected: [UInt8] = []
    /// Bytes of a character, and how many belong to it.
    private var character: [UInt8] = []
    private var characterLength = 0
    /// How much of the end mark was seen in a paste.
    private var markLength = 0
    private var isBehindPaste = false
    private var found: [Input] = []

    package init() {}

    /// Something is decided by a pause: a lone ESC, and whether a key was typed behind a paste.
    package var isWaiting: Bool {
        switch state {
        case .escape, .oldMouse: true
        case .string: collected.isEmpty || isBehindPaste
        case .ground, .control, .function, .console, .stringEnd, .paste: isBehindPaste
        }
    }

    /// What these bytes bring, in their order.
    package mutating func read(_ bytes: some Sequence<UInt8>) -> [Input] {
        found.removeAll(keepingCapacity: true)
        for byte in bytes { take(byte) }
        return found
    }

    /// Nothing came for about 50 ms: an ESC was the key, and what comes next is typed.
    package mutating func pause() -> [Input] {
        found.removeAll(keepingCapacity: true)
        switch state {
        case .escape:
            state = .ground
            key(.escape)
        case .string where collected.isEmpty: state = .ground
        case .oldMouse: state = .ground
        case .ground, .control, .function, .console, .string, .stringEnd, .paste: break
        }
        if case .paste = state { return found }
        isBehindPaste = false
        return found
    }

    private mutating func key(_ key: Key) {
        if !isBehindPaste { found.append(.key(key)) }
    }

    private mutating func take(_ byte: UInt8) {
        switch state {
        case .ground: ground(byte)
        case .escape: escape(byte)
        case .control: control(byte)
        case .function:
            state = .ground
            if byte == 0x1B { return start() }
            if byte == UInt8(ascii: "M") { key(.enter) } else { arrow(byte) }
        case .console:
            state = .ground
            if byte == 0x1B { start() }
        case .oldMouse(let left):
            state = left > 1 ? .oldMouse(left: left - 1) : .ground
            if byte == 0x1B { start() }
        case .string(let isCommand): string(byte, isCommand)
        case .stringEnd(let isCommand):
            guard byte == UInt8(ascii: "\\") else {
                start()
                if byte != 0x1B { escape(byte) }
                return
            }
            finishString(isCommand)
        case .paste: paste(byte)
        }
    }

    /// An ESC.
    private mutating func start() {
        collected.removeAll(keepingCapacity: true)
        character = []
        state = .escape
    }

    // MARK: Keys

    private mutating func ground(_ byte: UInt8) {
        if !character.isEmpty, byte & 0xC0 != 0x80 { character = [] }
        switch byte {
        case 0x1B: start()
        case 0x0D, 0x0A: key(.enter)
        case 0x09: key(.tab)
        case 0x7F, 0x08: key(.backspace)
        case 0x01...0x1A: key(.control(Character(Unicode.Scalar(byte + 0x60))))
        case 0x20..<0x7F: key(.character(Character(Unicode.Scalar(byte))))
        case 0x00..<0x20: break
        default: many(byte)
        }
    }

    /// A byte of a character of more than one.
    private mutating func many(_ byte: UInt8) {
        if character.isEmpty {
            switch byte {
            case 0xC2...0xDF: characterLength = 2
            case 0xE0...0xEF: characterLength = 3
            case 0xF0...0xF4: characterLength = 4
            default: return
            }
            character = [byte]
            return
        }
        character.append(byte)
        guard character.count == characterLength else { return }
        // nil: no character has these bytes
        let text = String(validating: character, as: UTF8.self) ?? ""
        character = []
        // Its cleaned form has no controls; a part of a grapheme is a key of its own.
        guard let typed = PlainText.clean(text).first, typed != " " else { return }
        key(.character(typed))
    }

    private mutating func escape(_ byte: UInt8) {
        state = .ground
        switch byte {
        case 0x1B:
            key(.escape)
            start()
        case UInt8(ascii: "["): state = .control
        case UInt8(ascii: "O"): state = .function
        case UInt8(ascii: "]"): state = .string(isCommand: true)
        case UInt8(ascii: "P"), UInt8(ascii: "X"), UInt8(ascii: "^"), UInt8(ascii: "_"):
            state = .string(isCommand: false)
        default:
            // No key has Alt here: somebody pressed Esc, and the next key at once.
            key(.escape)
            ground(byte)
        }
    }

    private mutating func arrow(_ byte: UInt8) {
        switch byte {
        case UInt8(ascii: "A"): key(.up)
        case UInt8(ascii: "B"): key(.down)
        case UInt8(ascii: "C"): key(.right)
        case UInt8(ascii: "D"): key(.left)
        case UInt8(ascii: "H"): key(.home)
        case UInt8(ascii: "F"): key(.end)
        default: break
        }
    }

    // MARK: Sequences

    private mutating func control(_ byte: UInt8) {
        switch byte {
        case 0x1B: start()
        case UInt8(ascii: "[") where collected.isEmpty: state = .console
        case 0x20...0x3F:
            // A longer one means nothing; it is followed up to its end.
            if collected.count < Self.longestSequence { collected.append(byte) }
        case 0x40...0x7E:
            state = .ground
            finishControl(byte)
        default: state = .ground
        }
    }

    private mutating func finishControl(_ byte: UInt8) {
        defer { collected.removeAll(keepingCapacity: true) }
        if let reply = TerminalReply(parameters: collected, final: byte) {
            found.append(.reply(reply))
            return
        }
        if let mouse = MouseInput(parameters: collected, final: byte) {
            if !isBehindPaste { found.append(.mouse(mouse)) }
            return
        }
        if byte == UInt8(ascii: "M"), collected.isEmpty {
            state = .oldMouse(left: 3)
            return
        }
        // Shift, Alt and Ctrl with an arrow are the arrow.
        guard collected.allSatisfy({ (0x30...0x39).contains($0) || $0 == UInt8(ascii: ";") }) else {
            return
        }
        let first = String(decoding: collected.prefix { $0 != UInt8(ascii: ";") }, as: UTF8.self)
        switch byte {
        case UInt8(ascii: "Z"): key(.backTab)
        case UInt8(ascii: "~"): tilde(first)
        default: arrow(byte)
        }
    }

    private mutating func tilde(_ number: String) {
        switch number {
        case "1", "7": key(.home)
        case "4", "8": key(.end)
        case "3": key(.delete)
        case "5": key(.pageUp)
        case "6": key(.pageDown)
        case "200":
            state = .paste
            markLength = 0
        default: break
        }
    }

    private mutating func string(_ byte: UInt8, _ isCommand: Bool) {
        switch byte {
        case 0x07: finishString(isCommand)
        case 0x1B: state = .stringEnd(isCommand: isCommand)
        // No string has another control character: somebody types.
        case 0x00..<0x20:
            state = .ground
            collected.removeAll(keepingCapacity: true)
        default: if collected.count < Self.longestString { collected.append(byte) }
        }
    }

    private mutating func finishString(_ isCommand: Bool) {
        state = .ground
        if isCommand, let reply = TerminalReply(command: collected) { found.append(.reply(reply)) }
        collected.removeAll(keepingCapacity: true)
    }

    // MARK: Pastes

    private static let pasteEnd = Array("\u{1B}[201~".utf8)

    private mutating func paste(_ byte: UInt8) {
        if byte == Self.pasteEnd[markLength] {
            markLength += 1
            if markLength == Self.pasteEnd.count { finishPaste() }
            return
        }
        // ESC is only at the start of the mark, so it cannot begin within what was seen of it.
        keep(Self.pasteEnd[..<markLength])
        markLength = byte == 0x1B ? 1 : 0
        if markLength == 0 { keep([byte]) }
    }

    private mutating func keep(_ bytes: some Collection<UInt8>) {
        let room = Self.longestPaste - collected.count
        if room > 0 { collected += bytes.prefix(room) }
    }

    private mutating func finishPaste() {
        state = .ground
        let text = PlainText.clean(String(decoding: collected, as: UTF8.self), limit: .max)
        collected = []
        if !text.isEmpty { found.append(.key(.paste(text))) }
        isBehindPaste = true
    }
}
