import DexCore

extension MouseInput {
    /// The parameters of a control sequence of mode 1006: `<0;12;5` with the end `M` is a click in
    /// the twelfth column of the fifth row; nil for anything else.
    ///
    /// Releases, other buttons, and a button with Shift, Alt or Ctrl are nothing.
    init?(parameters: [UInt8], final: UInt8) {
        guard final == UInt8(ascii: "M"), parameters.first == UInt8(ascii: "<") else { return nil }
        let parts = String(decoding: parameters.dropFirst(), as: UTF8.self)
            .split(separator: ";", omittingEmptySubsequences: false)
        let numbers = parts.compactMap { $0.utf8.count <= 5 ? Int($0) : nil }
        guard parts.count == 3, numbers.count == 3, numbers[1] > 0, numbers[2] > 0 else {
            return nil
        }
        let action: Action
        switch numbers[0] {
        case 0: action = .click
        case 64: action = .wheelUp
        case 65: action = .wheelDown
        default: return nil
        }
        self.init(action, row: numbers[2] - 1, column: numbers[1] - 1)
    }
}
