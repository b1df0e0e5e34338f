/// The application that a question at the terminal is about.
package struct DappClient: Sendable {
    package let origin: DappOrigin
    private let waits: @Sendable () -> Bool

    package init(_ origin: DappOrigin, waits: @escaping @Sendable () -> Bool) {
        self.origin = origin
        self.waits = waits
    }

    /// It still waits for the answer: nothing is signed for one that has gone.
    package var isWaiting: Bool { waits() }
}
