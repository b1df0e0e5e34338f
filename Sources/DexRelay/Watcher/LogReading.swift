package import Ethereum
package import ZeroEx

/// Which logs matter to a relay's orders, and what each of them can have changed.
///
/// A log that does not have the shape of its event touches nothing.
package struct LogReading: Sendable {
    /// The exchange of one protocol version.
    package struct Market: Sendable {
        package let exchangeProtocol: any ExchangeProtocol
        package let contracts: ExchangeContracts
    }

    /// The maximum number of addresses in a filter; with more, logs of all contracts are read.
    package static let maximumAddresses = 500

    private let markets: [Market]
    /// The contracts whose allowances orders need.
    private let spenders: Set<Address>
    private let topics: [Bytes32]

    package init(markets: [Market]) {
        self.markets = markets
        spenders = Set(markets.map(\.contracts.transferContract))
        var topics = [
            ERC20.transferTopic, ERC20.approvalTopic, ERC20.depositTopic, ERC20.withdrawalTopic,
        ]
        for market in markets {
            let filter = market.exchangeProtocol.eventFilter(
                maker: nil,
                from: .latest,
                to: .latest,
                exchange: market.contracts.exchange
            )
            topics += filter.topics.first ?? []
            topics += market.exchangeProtocol.signerTopics
        }
        self.topics = Set(topics).sorted()
    }

    /// The filter for one block's logs of all markets.
    ///
    /// - Parameter tokens: the tokens that makers need for the relay's orders.
    package func filter(block: BlockHash, tokens: [Address]) -> LogFilter {
        let addresses = Set(tokens + markets.map(\.contracts.exchange))
        return LogFilter(
            block: block,
            addresses: addresses.count > Self.maximumAddresses ? [] : addresses.sorted(),
            topics: [topics]
        )
    }

    /// What the logs can have changed.
    package func touches(of logs: [Log]) -> LogTouches {
        var touches = LogTouches()
        for log in logs {
            note(transferIn: log, in: &touches)
            for market in markets where log.address == market.contracts.exchange {
                // An unreadable log of the exchange is none of its events.
                let events = try? market.exchangeProtocol.events(
                    in: [log],
                    exchange: log.address
                )
                for event in events ?? [] { note(event, of: market, in: &touches) }
                if let maker = market.exchangeProtocol.makerWithChangedSigners(log) {
                    let version = market.exchangeProtocol.version
                    touches.makers.insert(.init(version: version, maker: maker))
                }
            }
        }
        return touches
    }

    private func note(
        _ event: ExchangeEvent,
        of market: Market,
        in touches: inout LogTouches
    ) {
        switch event {
        case .filled(let fill):
            touches.orders.insert(fill.orderHash)
            // Not every token emits an event for what a fill moves.
            for token in [fill.makerToken, fill.takerToken] {
                for owner in [fill.maker, fill.taker] {
                    touches.holdings.insert(TokenHolding(token: token, owner: owner))
                }
            }
        case .cancelled(let cancel): touches.orders.insert(cancel.orderHash)
        case .cancelSeen(let hash, _): touches.orders.insert(hash)
        case .pairCancelled(let cancel):
            touches.pairCancels.insert(
                LogTouches.VersionedCancel(
                    version: market.exchangeProtocol.version,
                    cancel: cancel
                )
            )
        case .skipped: break
        }
    }

    /// Notes the accounts of a token's event.
    private func note(transferIn log: Log, in touches: inout LogTouches) {
        // Each has one amount that is not indexed.
        guard let topic = log.topics.first, log.data.count == 32 else { return }
        let accounts = log.topics.dropFirst().compactMap(Self.account)
        guard accounts.count == log.topics.count - 1 else { return }
        let owners: [Address]
        switch (topic, accounts.count) {
        case (ERC20.transferTopic, 2): owners = accounts
        case (ERC20.approvalTopic, 2) where spenders.contains(accounts[1]):
            owners = [accounts[0]]
        case (ERC20.depositTopic, 1), (ERC20.withdrawalTopic, 1): owners = accounts
        default: return
        }
        for owner in owners {
            touches.holdings.insert(TokenHolding(token: log.address, owner: owner))
        }
    }

    /// The address in a topic; nil if the word is none.
    private static func account(_ word: Bytes32) -> Address? {
        let address = Address(truncating: word)
        return address.word == word ? address : nil
    }
}
