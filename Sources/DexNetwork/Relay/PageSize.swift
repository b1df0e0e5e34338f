import Synchronization
import ZeroEx

/// The page size that is requested of a relay: smaller once the relay has refused one.
final class PageSize: Sendable {
    /// The name of the parameter.
    let name: String
    /// The first size that is requested.
    let preferred: Int
    /// nil leaves the size to the relay.
    private let size: Mutex<Int?>

    /// Tried in turn where the relay names no size.
    private static let smaller = [100, 50, 20, 10]

    init(_ name: String, preferred: Int) {
        self.name = name
        self.preferred = preferred
        size = Mutex(preferred)
    }

    /// The size to request now; nil leaves it to the relay.
    var current: Int? { size.withLock { $0 } }

    /// Takes a smaller size if an error refuses the requested one.
    ///
    /// - Parameter size: the requested one; nil if it was left to the relay.
    /// - Returns: whether another request may help.
    func refused(_ size: Int?, by error: RelayError) -> Bool {
        guard let size, case .refused(let status, _, let reason, let fields) = error,
            status == 400 || status == 413 || status == 422
        else { return false }
        let texts = fields.isEmpty ? [reason] : fields.map { "\($0.field) \($0.reason)" }
        let isClear = texts.contains(where: isAboutSize)
        // A refusal that names something else, or another member, is about that.
        guard isClear || fields.isEmpty && reason == RelayError.noReason else { return false }
        let next: Int? =
            isClear
            ? texts.flatMap(Self.numbers).filter { (1..<size).contains($0) }.max()
                ?? Self.smaller.first { $0 < size }
            : nil
        self.size.withLock { current in
            // Another list may have learned it meanwhile.
            if current == size { current = next }
        }
        return true
    }

    private func isAboutSize(_ text: String) -> Bool {
        let plain = text.lowercased().filter { $0.isLetter }
        return [name.lowercased().filter(\.isLetter), "perpage", "pagesize", "limit"]
            .contains(where: plain.contains)
    }

    private static func numbers(_ text: String) -> [Int] {
        text.split { !$0.isASCII || !$0.isNumber }.compactMap { Int($0) }
    }
}
