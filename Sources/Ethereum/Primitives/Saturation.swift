extension FixedWidthInteger where Self: UnsignedInteger {
    /// The sum, or the maximum on overflow.
    @inlinable
    package func addingSaturating(_ other: Self) -> Self {
        let (sum, overflow) = addingReportingOverflow(other)
        return overflow ? .max : sum
    }
}
