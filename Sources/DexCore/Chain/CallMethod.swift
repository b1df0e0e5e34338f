package import Ethereum
import ZeroEx

/// What a transaction calls, by the start of its data.
///
/// The name is that of a known function with this selector. What the function does is up to the
/// contract, except for the network's own exchange.
package enum CallMethod: Hashable, Sendable {
    /// It has no data: only ether moves, or a contract's fallback runs.
    case payment
    /// It has no recipient: it creates a contract.
    case creation
    /// A function of an exchange, or one that is read from call data, whatever follows it.
    case function(String)
    /// The first four bytes (fewer, if there are no more) of other data.
    case selector([UInt8])

    /// - Parameters:
    ///   - data: nil if the node does not return it.
    ///   - scope: its exchanges are the only contracts whose functions are those of 0x.
    /// - Returns: nil for unknown data.
    package init?(to: Address?, data: [UInt8]?, in scope: ChainScope) {
        guard let to else {
            self = .creation
            return
        }
        guard let data else { return nil }
        guard !data.isEmpty else {
            self = .payment
            return
        }
        let exchange = scope.session(ofExchange: to)?.exchangeProtocol
        let name =
            exchange.map { $0.functionName(of: data) }
            ?? CallRules.rule(of: data[...])?.signature.function.name
        self = name.map { .function($0) } ?? .selector(Array(data.prefix(4)))
    }
}
