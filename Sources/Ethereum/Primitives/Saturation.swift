extension UInt256 {
    /// The sum, or the maximum on overflow.
    package func addingSaturating(_ other: UInt256) -> UInt256 {
        let (sum, overflow) = addingReportingOverflow(other)
        return overflow ? .max : sum
    }
}

extension UInt64 {
    /// The sum, or the maximum on overflow.
    package func addingSaturating(_ other: UInt64) -> UInt64 {
        let (sum, overflow) = addingReportingOverflow(other)
        return overflow ? .max : sum
    }
}
