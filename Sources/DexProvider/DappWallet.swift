package import Ethereum
package import StrictJSON

/// What answers a dapp's requests: the wallet, and the user at its terminal.
///
/// Its methods that show or ask something are called one at a time.
package protocol DappWallet: Sendable {
    /// The account that signs on the network in use.
    func account() async -> Address

    /// The chain of the network in use.
    func chainID() async -> UInt64

    /// Shows who asks to be paired, and the code that its user has to type there.
    func show(code: String, for origin: DappOrigin) async

    /// Shows that an origin is paired.
    func notePaired(_ origin: DappOrigin) async

    /// Shows a message (EIP-191), asks, and signs it: `0x` and 130 digits.
    func sign(message: [UInt8], for client: DappClient) async throws(DappError) -> String

    /// The same for typed data.
    func sign(typedData: TypedData, for client: DappClient) async throws(DappError) -> String

    /// Plans, simulates, shows, asks, signs and sends a transaction, and follows it.
    ///
    /// - Parameter onSent: gets the hash as soon as the transaction may be in flight.
    func send(
        _ transaction: DappTransaction,
        for client: DappClient,
        onSent: @escaping @Sendable (TransactionHash) -> Void
    ) async throws(DappError) -> TransactionHash

    /// Asks, and changes to the network of a chain.
    func switchChain(to chainID: UInt64, for client: DappClient) async throws(DappError)

    /// What a node of the network in use answers.
    func read(_ method: String, _ parameters: [JSONValue]) async throws(DappError) -> JSONValue
}
