package import DexStore
package import Ethereum

/// Adds, lists and removes alerts: `dex alert`.
package struct AlertsModel: Sendable {
    private let session: Session
    private let journal: Journal

    package init(session: Session, journal: Journal) {
        self.session = session
        self.journal = journal
    }

    /// An alert for a condition, which is not in the journal yet.
    ///
    /// - Parameter account: of a balance or of orders; it is not read for a condition of a book.
    package func alert(
        _ parsed: AlertParser.Parsed,
        account: Address?,
        isOnce: Bool
    ) -> JournalAlert {
        JournalAlert(
            chainID: session.network.chainID,
            exchange: session.network.exchange,
            account: parsed.condition.isOfAccount ? account : nil,
            condition: parsed.condition,
            text: parsed.text,
            isOnce: isOnce,
            created: session.environment.now()
        )
    }

    /// Writes an alert into the journal; returns it with its number.
    package func add(_ alert: JournalAlert) throws(DexError) -> JournalAlert {
        try journaled(try journal.add(alert))
    }

    /// The alerts of the network, the oldest first.
    package func list() throws(DexError) -> [JournalAlert] {
        try journaled(
            try journal.alerts(
                chainID: session.network.chainID,
                exchange: session.network.exchange
            )
        )
    }

    /// The alerts that concern an account: its own, and those of any.
    package func list(for account: Address?) throws(DexError) -> [JournalAlert] {
        try list().filter { $0.account == nil || $0.account == account }
    }

    /// The alert of a number.
    ///
    /// - Throws: `DexError`, exit 2, `no-such-alert`.
    package func find(_ id: Int64) throws(DexError) -> JournalAlert {
        let alerts = try list()
        guard let alert = alerts.first(where: { $0.id == id }) else {
            throw AlertError.noSuchAlert(
                id,
                network: session.network.name,
                known: alerts.map(\.id)
            )
        }
        return alert
    }

    /// Removes an alert.
    ///
    /// - Throws: as `find`.
    package func remove(_ id: Int64) throws(DexError) {
        _ = try find(id)
        _ = try journaled(
            try journal.removeAlert(
                id,
                chainID: session.network.chainID,
                exchange: session.network.exchange
            )
        )
    }
}
