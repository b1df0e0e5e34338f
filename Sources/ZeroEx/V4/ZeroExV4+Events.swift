public import Ethereum

extension ZeroExV4 {
    /// false: no event has an indexed argument, so a node can only return the events of all makers.
    public var findsMakersInLogs: Bool { false }

    /// Events of orders, in log order; pair cancels of RFQ orders and registrations are left out.
    ///
    /// A fill that moved nothing is returned as skipped: the contract still emits its event.
    ///
    /// - Throws: `ExchangeError.unreadableAnswer`.
    public func events(
        in logs: [Log],
        exchange: Address
    ) throws(ExchangeError) -> [ExchangeEvent] {
        var events: [ExchangeEvent] = []
        for log in logs where log.address == exchange {
            switch try ExchangeLogV4(topics: log.topics, data: log.data) {
            case .limitOrderFilled(let fill, let fees)?:
                events.append(Self.event(fill, fees))
            case .rfqOrderFilled(let fill)?:
                events.append(
                    Self.event(
                        fill,
                        ExchangeLogV4.Fees(recipient: .zero, takerTokenFee: 0, protocolFee: 0)
                    )
                )
            case .orderCancelled(let hash, let maker)?:
                events.append(.cancelSeen(hash, maker: maker))
            case .pairCancelledLimitOrders(let maker, let pair)?:
                events.append(
                    .pairCancelled(
                        PairCancel(
                            maker: maker,
                            makerToken: pair.makerToken,
                            takerToken: pair.takerToken,
                            minimumSalt: pair.minValidSalt
                        )
                    )
                )
            case .pairCancelledRfqOrders?, .rfqOrderOriginsAllowed?, .orderSignerRegistered?, nil:
                break
            }
        }
        return events
    }

    /// The topic of registered signers.
    public var signerTopics: [Bytes32] { [ExchangeLogV4.Kind.orderSignerRegistered.topic] }

    /// The maker that allowed a signer, or no longer allows it.
    public func makerWithChangedSigners(_ log: Log) -> Address? {
        // nil: an unreadable log registers nobody.
        let event = try? ExchangeLogV4(topics: log.topics, data: log.data)
        guard case .orderSignerRegistered(let maker, _, _)? = event else { return nil }
        return maker
    }

    private static func event(
        _ fill: ExchangeLogV4.Fill,
        _ fees: ExchangeLogV4.Fees
    ) -> ExchangeEvent {
        guard fill.amounts.taker > 0 || fill.amounts.maker > 0 else {
            return .skipped(fill.orderHash, .nothingMoved)
        }
        return .filled(
            FillEvent(
                orderHash: fill.orderHash,
                maker: fill.maker,
                taker: fill.taker,
                feeRecipient: fees.recipient,
                makerToken: fill.makerToken,
                takerToken: fill.takerToken,
                makerAmount: UInt256(fill.amounts.maker),
                takerAmount: UInt256(fill.amounts.taker),
                makerFee: 0,
                takerFee: UInt256(fees.takerTokenFee),
                protocolFee: fees.protocolFee
            )
        )
    }

    /// The taker token; the taker's fee is paid in it, on top of the fill.
    public func feeToken(of fill: FillEvent, contracts: ExchangeContracts?) -> Address? {
        fill.takerToken
    }

    /// Fills and cancels of all makers' orders.
    ///
    /// No topic holds the maker, so the caller filters the events by maker.
    public func eventFilter(
        maker: Address?,
        from: BlockTag,
        to: BlockTag,
        exchange: Address
    ) -> LogFilter {
        let kinds: [ExchangeLogV4.Kind] = [
            .limitOrderFilled, .rfqOrderFilled, .orderCancelled, .pairCancelledLimitOrders,
        ]
        return LogFilter(
            fromBlock: from,
            toBlock: to,
            addresses: [exchange],
            topics: [kinds.map(\.topic)]
        )
    }
}
