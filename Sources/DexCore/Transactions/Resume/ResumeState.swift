package import DexStore
package import Ethereum

/// The unfinished entries of a network's journal, and their outcome.
package struct ResumeState: EndedWork {
    /// One entry that did not finish, or whose outcome was never reported.
    package struct Item: Sendable {
        package enum Kind: String, CaseIterable, Sendable {
            /// Signed bytes.
            case transaction
            /// A reserved nonce without a signed transaction.
            case reservation
            /// A command without a signature.
            case intent
            /// A signed order whose acceptance by the relay is unknown.
            case order
        }

        package enum Action: String, CaseIterable, Sendable {
            /// Broadcast the same bytes again.
            case send
            /// Post the same order again.
            case post
        }

        package enum Status: Hashable, Sendable {
            /// A transaction; `planned` if nothing is signed.
            case transaction(TransactionStage)
            case order(OrderPlace)

            /// For users and scripts (docs/output.md).
            package var word: String {
                switch self {
                case .transaction(let stage): stage.word
                case .order(let place): place.rawValue
                }
            }
        }

        package enum OrderPlace: String, CaseIterable, Sendable {
            /// On the relay.
            case posted
            /// Only in the journal.
            case signed
            /// Nowhere: it can no longer be filled.
            case expired
            /// The relay does not answer, or the journal's text cannot be read.
            case unknown
        }

        package let kind: Kind
        package let account: Address
        /// The hash of a transaction or an order.
        package let hash: Bytes32?
        package let nonce: UInt64?
        /// Its purpose: `fill`, `market-buy`, `order`.
        package let purpose: String
        /// Seconds since 1970.
        package let created: UInt64
        /// The stage in the journal; nil for a command.
        package let was: TransactionStage?
        /// The current state.
        package var status: Status
        package var action: Action?
        /// The action taken: `sent`, `posted`, `refused`; nil if there was none.
        package var done: String?
        /// The problem and its remedy; sentences.
        package var notes: [String]
        /// The relays that have an order, or those that it can be posted to.
        package var relays: [String] = []
        /// The effects of a mined transaction.
        package var outcome: TransactionStatus?
        /// It may still change.
        package var isInFlight: Bool
    }

    package var items: [Item]
    package var error: DexError? {
        items.contains(where: \.isInFlight) ? OutcomeError.stillInFlight : nil
    }
}
