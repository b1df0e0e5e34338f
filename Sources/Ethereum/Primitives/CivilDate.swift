/// A date of the Gregorian calendar.
package struct CivilDate: Hashable, Sendable {
    package let year: UInt64
    package let month: UInt64
    package let day: UInt64

    /// The date of a day since 1970-01-01.
    ///
    /// - Parameter days: at most those of 2^64 seconds.
    ///
    /// Source: https://howardhinnant.github.io/date_algorithms.html#civil_from_days
    package init(daysSince1970 days: UInt64) {
        let shifted = days + 719_468
        let era = shifted / 146_097
        let dayOfEra = shifted % 146_097
        let yearOfEra =
            (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        // From March on.
        let month = (5 * dayOfYear + 2) / 153
        let isNextYear = month >= 10
        year = yearOfEra + era * 400 + (isNextYear ? 1 : 0)
        self.month = isNextYear ? month - 9 : month + 3
        day = dayOfYear - (153 * month + 2) / 5 + 1
    }
}
