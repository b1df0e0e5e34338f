import Ethereum

/// The length of a candle in the form that users type.
package enum CandleInterval {
    /// Seconds of the longest one: a week.
    private static let longest: UInt64 = 604_800

    /// Seconds of `1m`, `15m`, `1h`, `4h`, `1d` and the like: a whole number of minutes, hours or
    /// days, from a minute to a week.
    ///
    /// - Throws: `DexError`, exit 2, `bad-interval`.
    package static func seconds(_ text: String) throws(DexError) -> UInt64 {
        let units: [Character: UInt64] = ["m": 60, "h": 3_600, "d": 86_400]
        let digits = text.dropLast()
        guard let unit = text.last.flatMap({ units[$0] }),
            digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let count = UInt64(digits)
        else { throw InputError.badInterval(text) }
        let (seconds, overflow) = count.multipliedReportingOverflow(by: unit)
        guard !overflow, (60...longest).contains(seconds) else {
            throw InputError.badInterval(text)
        }
        return seconds
    }

    /// The shortest form of an interval: `1h` of 3600.
    package static func text(_ seconds: UInt64) -> String {
        if seconds % 86_400 == 0 { return "\(seconds / 86_400)d" }
        if seconds % 3_600 == 0 { return "\(seconds / 3_600)h" }
        return "\(seconds / 60)m"
    }
}
