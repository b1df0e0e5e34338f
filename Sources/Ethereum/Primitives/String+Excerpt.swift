extension String {
    /// The first 80 Unicode scalars, for an error that quotes an external text.
    ///
    /// Scalars, not characters: one character can be a megabyte of combining marks.
    var excerpt: String {
        String(unicodeScalars.prefix(80))
    }
}
