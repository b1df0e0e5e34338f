/// What `dex init` is to write; nil leaves a setting as it is.
package struct SetupAnswers: Sendable {
    /// The network with the nodes and relays that it has afterwards.
    package var network: Network
    package var nodes: [String]?
    package var relays: [String]?
    /// The default wallet.
    package var wallet: SetupWallet?
    /// The sandbox is to be started.
    package var startsSandbox = false
}
