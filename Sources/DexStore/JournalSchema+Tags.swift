extension JournalSchema {
    /// Adds the user's own word to an intent.
    static let tags = """
        ALTER TABLE intents ADD COLUMN tag TEXT CHECK (length(tag) BETWEEN 1 AND 64);
        """
}
