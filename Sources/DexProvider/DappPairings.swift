package import Ethereum

/// Which origins may ask for accounts and signatures.
///
/// An origin asks, the terminal shows a code, and its user types the code in the page: so a page that
/// only runs in a browser of this machine is not enough. A pairing holds until the provider ends.
package struct DappPairings: Sendable {
    /// How long a code holds, in seconds.
    package static let seconds: UInt64 = 180
    /// Wrong codes that end an attempt.
    package static let maximumTries = 3
    /// Ended attempts, of all origins, after which no more codes are made: a guess then still has
    /// only three chances in 100,000.
    package static let maximumAttempts = 10
    package static let maximumPairings = 16
    /// The digits of a code.
    private static let codes: UInt256 = 1_000_000

    private struct Attempt: Sendable {
        let origin: DappOrigin
        let code: String
        /// Seconds since a fixed moment.
        let end: UInt64
        var tries = 0
    }

    /// 32 unpredictable bytes.
    private let random: @Sendable () -> Bytes32
    /// Seconds since a fixed moment, never decreasing.
    private let now: @Sendable () -> UInt64
    private var attempt: Attempt?
    private var failures = 0
    /// By the hash of the token, so that a comparison says nothing about it.
    private var paired: [Bytes32: DappOrigin] = [:]

    package init(
        random: @escaping @Sendable () -> Bytes32,
        now: @escaping @Sendable () -> UInt64
    ) {
        self.random = random
        self.now = now
    }

    /// Whether any token of an origin is valid.
    package func isPaired(_ origin: DappOrigin) -> Bool {
        paired.values.contains(origin)
    }

    /// Whether a token is valid, and of this origin.
    package func holds(_ token: String?, of origin: DappOrigin) -> Bool {
        guard let token else { return false }
        return paired[Keccak256.hash(token.utf8)] == origin
    }

    /// Begins an attempt, and returns the code to show; nil if one of this origin is open.
    ///
    /// - Throws: `DappError` if another origin's attempt is open, or too many have failed.
    package mutating func begin(_ origin: DappOrigin) throws(DappError) -> String? {
        let time = now()
        if let open = attempt, open.end > time {
            guard open.origin == origin else {
                throw .limit("Another application is being paired: try again soon.")
            }
            return nil
        }
        // An attempt that ran out was seen in the terminal, and counts like a wrong one.
        if attempt != nil { failures += 1 }
        attempt = nil
        guard failures < Self.maximumAttempts else {
            throw .limit("Too many pairings have failed: start dex provider again.")
        }
        guard paired.count < Self.maximumPairings else {
            throw .limit("Too many applications are paired: start dex provider again.")
        }
        let number = UInt256(random()).quotientAndRemainder(dividingBy: Self.codes).remainder
        let digits = number.description
        let code = String(repeating: "0", count: 6 - digits.utf8.count) + digits
        attempt = Attempt(origin: origin, code: code, end: time + Self.seconds)
        return code
    }

    /// Ends an attempt with the right code, and returns the token of the origin: 64 digits.
    ///
    /// - Parameter text: digits; spaces and hyphens do not count.
    /// - Throws: `DappError.unauthorized`.
    package mutating func enter(
        _ text: String,
        _ origin: DappOrigin
    ) throws(DappError) -> String {
        guard var open = attempt, open.origin == origin, open.end > now() else {
            throw .unauthorized("No code waits: ask to be paired first.")
        }
        guard text.filter({ $0 != " " && $0 != "-" }) == open.code else {
            open.tries += 1
            let left = Self.maximumTries - open.tries
            if left > 0 {
                attempt = open
            } else {
                attempt = nil
                failures += 1
            }
            throw .unauthorized(
                left > 0
                    ? "The code is wrong: \(left) more \(left == 1 ? "try" : "tries")."
                    : "The code is wrong: ask to be paired again."
            )
        }
        attempt = nil
        let token = String(random().hex.dropFirst(2))
        paired[Keccak256.hash(token.utf8)] = origin
        return token
    }
}
