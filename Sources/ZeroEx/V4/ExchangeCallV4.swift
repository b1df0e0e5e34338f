public import Ethereum

/// A call to the native order functions of the v4 contract, the Exchange Proxy.
public enum ExchangeCallV4: Hashable, Sendable {
    case limit(OrderCallV4<LimitOrderV4>)
    case rfq(OrderCallV4<RfqOrderV4>)
    /// The protocol fee of a filled limit order, as a multiple of the gas price.
    case getProtocolFeeMultiplier
    /// Allows other origins to fill RFQ orders that name the sender as their origin.
    case registerAllowedRfqOrigins([Address], allowed: Bool)
    /// Allows another key to sign the sender's orders.
    case registerAllowedOrderSigner(Address, allowed: Bool)
    case isValidOrderSigner(maker: Address, signer: Address)

    /// The function that is called.
    public var function: ExchangeFunctionV4 {
        switch self {
        case .limit(let call): ExchangeFunctionV4(call.verb, .limit)
        case .rfq(let call): ExchangeFunctionV4(call.verb, .rfq)
        case .getProtocolFeeMultiplier: .getProtocolFeeMultiplier
        case .registerAllowedRfqOrigins: .registerAllowedRfqOrigins
        case .registerAllowedOrderSigner: .registerAllowedOrderSigner
        case .isValidOrderSigner: .isValidOrderSigner
        }
    }

    /// The call data.
    public var data: [UInt8] {
        var writer = ContractDataWriter(selector: function.rawValue)
        switch self {
        case .limit(let call): call.write(to: &writer)
        case .rfq(let call): call.write(to: &writer)
        case .getProtocolFeeMultiplier: break
        case .registerAllowedRfqOrigins(let origins, let allowed):
            writer.put(array: origins.map(\.word))
            writer.put(allowed)
        case .registerAllowedOrderSigner(let signer, let allowed):
            writer.put([signer.word, ContractDataWriter.word(allowed)])
        case .isValidOrderSigner(let maker, let signer):
            writer.put([maker.word, signer.word])
        }
        return writer.finished
    }

    /// Reads call data: the one canonical encoding, with nothing after it.
    ///
    /// - Throws: `ExchangeCallError`.
    public init(data: [UInt8]) throws(ExchangeCallError) {
        guard let function = data.selector.flatMap(ExchangeFunctionV4.init(rawValue:)) else {
            throw .unknownFunction(.v4)
        }
        do throws(MalformedContractData) {
            let order = function.orderCall
            let headWords = order?.verb.headWords ?? 2
            var reader = ContractDataReader(data[4...], headWords: headWords)
            switch (function, order) {
            case (_, (let verb, .limit)?): self = .limit(try OrderCallV4(verb, from: &reader))
            case (_, (let verb, .rfq)?): self = .rfq(try OrderCallV4(verb, from: &reader))
            case (.registerAllowedRfqOrigins, nil):
                self = .registerAllowedRfqOrigins(
                    try reader.addressList(),
                    allowed: try reader.flag()
                )
            case (.registerAllowedOrderSigner, nil):
                self = .registerAllowedOrderSigner(
                    try reader.address(),
                    allowed: try reader.flag()
                )
            case (.isValidOrderSigner, nil):
                self = .isValidOrderSigner(
                    maker: try reader.address(),
                    signer: try reader.address()
                )
            default: self = .getProtocolFeeMultiplier
            }
            try reader.finish()
        } catch {
            throw .malformedArguments(function.name)
        }
    }
}
