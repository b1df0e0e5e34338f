public import Ethereum
public import StrictJSON

/// Version 1 of the 0x protocol behind the seam.
public struct ZeroExV1: ExchangeProtocol {
    public let version = ProtocolVersion.v1

    /// The protocol.
    public init() {}

    public func contractCalls(exchange: Address) -> [CallRequest] {
        fatalError("unimplemented")
    }

    public func contracts(
        exchange: Address,
        answers: [[UInt8]]
    ) throws(ExchangeError) -> ExchangeContracts {
        fatalError("unimplemented")
    }

    public func readinessCalls(_ contracts: ExchangeContracts) -> [CallRequest] {
        fatalError("unimplemented")
    }

    public func checkReadiness(
        _ contracts: ExchangeContracts,
        answers: [[UInt8]]
    ) throws(ExchangeError) {
        fatalError("unimplemented")
    }

    public func decodeOrder(_ json: JSONValue) throws(OrderError) -> any SignedOrder {
        fatalError("unimplemented")
    }

    public func encodeOrder(_ order: any SignedOrder) -> JSONValue {
        fatalError("unimplemented")
    }

    public func encodeDraft(_ draft: OrderDraft) -> JSONValue {
        fatalError("unimplemented")
    }

    public func verify(
        _ order: any SignedOrder,
        exchange: Address,
        recoverer: any SignatureRecovering
    ) throws(OrderRejection) {
        fatalError("unimplemented")
    }

    public func sign(
        _ draft: OrderDraft,
        with signer: any Signer
    ) async throws(SignerError) -> any SignedOrder {
        fatalError("unimplemented")
    }

    public func hash(of draft: OrderDraft) -> OrderHash {
        fatalError("unimplemented")
    }

    public func salt(random: Bytes32, now: UInt64) -> UInt256 {
        fatalError("unimplemented")
    }

    public func feeToken(of order: any SignedOrder, contracts: ExchangeContracts) -> Address {
        fatalError("unimplemented")
    }

    public func stateCalls(
        of orders: [any SignedOrder],
        contracts: ExchangeContracts
    ) -> [CallRequest] {
        fatalError("unimplemented")
    }

    public func states(
        of orders: [any SignedOrder],
        answers: [[UInt8]]
    ) throws(ExchangeError) -> [OrderState] {
        fatalError("unimplemented")
    }

    public func makerAmount(of order: any SignedOrder, filling takerAmount: UInt256) -> UInt256? {
        fatalError("unimplemented")
    }

    public func takerAmount(of order: any SignedOrder, for makerAmount: UInt256) -> UInt256? {
        fatalError("unimplemented")
    }

    public func takerFee(of order: any SignedOrder, filling takerAmount: UInt256) -> UInt256 {
        fatalError("unimplemented")
    }

    public func makerFee(of order: any SignedOrder, filling takerAmount: UInt256) -> UInt256 {
        fatalError("unimplemented")
    }

    public func hasRoundingError(_ order: any SignedOrder, filling takerAmount: UInt256) -> Bool {
        fatalError("unimplemented")
    }

    public func marketCall(
        _ fills: [PlannedFill],
        total: UInt256,
        mode: FillMode,
        contracts: ExchangeContracts
    ) -> ExchangeCall {
        fatalError("unimplemented")
    }

    public func fillCall(_ fill: PlannedFill, mode: FillMode, contracts: ExchangeContracts) -> ExchangeCall {
        fatalError("unimplemented")
    }

    public func cancelCall(_ orders: [any SignedOrder], contracts: ExchangeContracts) -> ExchangeCall {
        fatalError("unimplemented")
    }

    public func filledAmount(returned: [UInt8], by call: ExchangeCall) throws(ExchangeError) -> UInt256? {
        fatalError("unimplemented")
    }

    public func events(
        in logs: [Log],
        contracts: ExchangeContracts
    ) throws(ExchangeError) -> [ExchangeEvent] {
        fatalError("unimplemented")
    }

    public func eventFilter(
        maker: Address?,
        from: BlockTag,
        to: BlockTag,
        contracts: ExchangeContracts
    ) -> LogFilter {
        fatalError("unimplemented")
    }
}
