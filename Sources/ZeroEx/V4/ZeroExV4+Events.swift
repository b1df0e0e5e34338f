public import Ethereum

extension ZeroExV4 {
    /// false: none of the events has an indexed argument, so a node can only hand out everybody's.
    public var findsMakersInLogs: Bool { false }

    /// What happened to limit orders, in the order of the logs; RFQ orders and registrations are
    /// none of ours.
    ///
    /// A fill that moved nothing is told as skipped: the contract emits its event all the same.
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
                guard fill.amounts.taker > 0 || fill.amounts.maker > 0 else {
                    events.append(.skipped(fill.orderHash, .nothingMoved))
                    continue
                }
                events.append(
                    .filled(
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
            case .rfqOrderFilled?, .pairCancelledRfqOrders?, .rfqOrderOriginsAllowed?,
                .orderSignerRegistered?, nil:
                break
            }
        }
        return events
    }

    /// The taker token, of which the taker's fee is paid on top.
    public func feeToken(of fill: FillEvent, contracts: ExchangeContracts?) -> Address? {
        fill.takerToken
    }

    /// Fills and cancels of everybody's limit orders: the maker is in no topic, so whoever asks for
    /// one maker's picks them of the events.
    public func eventFilter(
        maker: Address?,
        from: BlockTag,
        to: BlockTag,
        exchange: Address
    ) -> LogFilter {
        let kinds: [ExchangeLogV4.Kind] = [
            .limitOrderFilled, .orderCancelled, .pairCancelledLimitOrders,
        ]
        return LogFilter(
            fromBlock: from,
            toBlock: to,
            addresses: [exchange],
            topics: [kinds.map(\.topic)]
        )
    }
}
