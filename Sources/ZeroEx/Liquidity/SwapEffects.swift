public import Ethereum

/// The most that a call of a venue's contracts can take from its sender, by its own bytes.
///
/// It holds only if all `operators` are genuine (`LiquidityRules.genuine`). The call's value comes
/// on top.
public struct SwapEffects: Hashable, Sendable {
    /// The contract function: `exec`.
    public var function: String
    /// The venue's fixed contract that bounds the trade.
    public var contract: Address
    /// What the call lets the venue take by an allowance; base units.
    ///
    /// Empty if the value or a signed message pays.
    public var pays: [Address: UInt256]
    public var bought: SwapAsset
    /// Gets what is bought.
    public var recipient: Address
    /// The contracts that trade; anyone could have written others.
    public var operators: Set<Address>

    public init(
        function: String,
        contract: Address,
        pays: [Address: UInt256],
        bought: SwapAsset,
        recipient: Address,
        operators: Set<Address>
    ) {
        self.function = function
        self.contract = contract
        self.pays = pays
        self.bought = bought
        self.recipient = recipient
        self.operators = operators
    }
}
