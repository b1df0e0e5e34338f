package import DexStore

/// What a view model that only reads works with.
package struct ReadContext: Sendable {
    var session: Session
    /// nil where own orders and transactions are not looked up.
    let journal: Journal?
    let settings: ReadSettings

    package init(session: Session, journal: Journal?, settings: ReadSettings) {
        self.session = session
        self.journal = journal
        self.settings = settings
    }
}

/// A view model that reads relay, chain and journal, and writes nothing.
package protocol ReadModel: Sendable {
    var context: ReadContext { get }

    init(_ context: ReadContext)
}

extension ReadModel {
    package init(
        session: Session,
        journal: Journal? = nil,
        settings: ReadSettings = ReadSettings()
    ) {
        self.init(ReadContext(session: session, journal: journal, settings: settings))
    }

    var session: Session { context.session }
    var journal: Journal? { context.journal }
    var settings: ReadSettings { context.settings }
}
