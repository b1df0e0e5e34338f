import Ethereum

/// The path from a master key to one of its keys: `m/44'/60'/0'/0/0` (BIP-32, BIP-44).
///
/// Shape: at most 255 steps; a step is a 32-bit number, with its top bit set if it is hardened.
public struct DerivationPath: Hashable, Sendable, CustomStringConvertible {
    /// The top bit of a step that needs the private key.
    static let hardened: UInt32 = 1 << 31

    let steps: [UInt32]

    private init(steps: [UInt32]) {
        self.steps = steps
    }

    /// An Ethereum account in the numbering of nearly all wallets: `m/44'/60'/0'/0/index`.
    ///
    /// - Parameter index: nil from 2^31 on.
    public static func ethereum(_ index: UInt32) -> DerivationPath? {
        guard index < hardened else { return nil }
        return DerivationPath(steps: [44 | hardened, 60 | hardened, hardened, 0, index])
    }

    /// A path in text form: `m`, then `/` and a number for each step.
    ///
    /// A hardened step ends with `'`, `h` or `H`.
    public init(_ text: String) throws(DerivationPathError) {
        let parts = text.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        guard let first = parts.first, first.elementsEqual("m".utf8) else {
            throw DerivationPathError(text: text)
        }
        guard parts.count <= 256 else { throw DerivationPathError(text: text) }
        var steps: [UInt32] = []
        for part in parts.dropFirst() {
            let marks = ["'", "h", "H"].map { UInt8(ascii: $0) }
            let isHardened = part.last.map { marks.contains($0) } ?? false
            let digits = isHardened ? part.dropLast() : part
            guard digits.allSatisfy({ (0x30...0x39).contains($0) }),
                let number = UInt32(Substring(digits)), number < Self.hardened
            else { throw DerivationPathError(text: text) }
            steps.append(isHardened ? number | Self.hardened : number)
        }
        self.steps = steps
    }

    /// The path with `'` after hardened steps.
    public var description: String {
        steps.reduce(into: "m") { text, step in
            text += "/\(step & ~Self.hardened)" + (step & Self.hardened != 0 ? "'" : "")
        }
    }
}

/// A text is not a derivation path.
public struct DerivationPathError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The rejected text.
    public let text: String

    /// The message shown to the user.
    public var description: String {
        "\(ForeignWords.quoted(text, limit: 80)) is no derivation path: m, then up to 255 numbers below 2147483648 with "
            + "/ before each and ' behind those that are hardened, such as m/44'/60'/0'/0/0."
    }
}
