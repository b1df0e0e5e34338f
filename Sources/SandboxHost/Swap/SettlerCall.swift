import Ethereum

/// The call data of a quote, written word by word as 0x's contracts read it.
///
/// Source: 0x's published contracts and samples of its API; the actions that begin with
/// `STAND_IN` are those of the sandbox's Settler.
struct SettlerCall: Sendable {
    /// What the call promises; a faulty quote has other words than its JSON.
    struct Words: Hashable, Sendable {
        var settler: Address
        var recipient: Address
        var buyToken: Address
        var minimum: UInt256
    }

    let query: SwapAPIQuery
    let trade: PooledTrade
    var words: Words
    /// The account that sends it.
    let taker: Address
    /// Seconds since 1970.
    let deadline: UInt64
    /// Of the Permit2 message.
    let nonce: UInt256
    /// The request's id, in the highest bytes.
    let id: Bytes32

    /// The Settler takes the token by the AllowanceHolder, whose call wraps its own.
    var throughAllowanceHolder: [UInt8] {
        let inner = execute(actions(signatureLength: 0))
        var data = ERC20.call(
            "exec(address,address,uint256,address,bytes)",
            words.settler.word,
            query.sellToken.word,
            trade.maximumSold.word,
            words.settler.word,
            UInt256(0xa0).word
        )
        Self.append(inner, to: &data)
        return data
    }

    /// The Settler is called itself; a Permit2 signature has yet to be appended.
    ///
    /// The action that it belongs to is the last one in memory, with a length that only the
    /// appended bytes fill: that is no canonical ABI encoding.
    var direct: [UInt8] {
        query.sellsNative
            ? execute(actions(signatureLength: 0)) : open(actions(signatureLength: nil))
    }

    // MARK: Actions

    /// - Parameter signatureLength: nil leaves the length of the signature to what is appended.
    private func actions(signatureLength: UInt64?) -> [[UInt8]] {
        var actions: [[UInt8]] = []
        if query.sellsNative {
            actions.append(
                ERC20.call(
                    "NATIVE_CHECK(uint256,uint256)",
                    UInt256(deadline).word,
                    trade.maximumSold.word
                )
            )
            actions.append(Self.wrap)
        } else {
            var action = ERC20.call(
                "TRANSFER_FROM(address,((address,uint256),uint256,uint256),bytes)",
                words.settler.word,
                query.sellToken.word,
                trade.maximumSold.word,
                nonce.word,
                UInt256(deadline).word,
                UInt256(0xc0).word
            )
            if let signatureLength { UInt256(signatureLength).word.append(to: &action) }
            actions.append(action)
        }
        actions += trade.route.hops.map { sell(at: $0, to: words.settler) }
        if query.buysNative { actions.append(Self.unwrap) }
        if trade.isExactOut {
            actions.append(ERC20.call("CHECK_SLIPPAGE(bool)", UInt256(1).word))
            actions += refund
        }
        return actions
    }

    /// Sells back what is left; the account gets it as a token, also where it sold the coin.
    private var refund: [[UInt8]] {
        guard trade.hasRefund else { return [] }
        let back = trade.route.reversed.hops
        var actions = query.buysNative ? [Self.wrap] : []
        for (index, hop) in back.enumerated() {
            actions.append(sell(at: hop, to: index == back.count - 1 ? taker : words.settler))
        }
        return actions
    }

    private func sell(at hop: PoolRoute.Hop, to recipient: Address) -> [UInt8] {
        ERC20.call(
            "STAND_IN_SELL(address,address,address)",
            hop.pool.address.word,
            hop.sell.word,
            recipient.word
        )
    }

    private static let wrap = ERC20.call("STAND_IN_WRAP()")
    private static let unwrap = ERC20.call("STAND_IN_UNWRAP()")

    // MARK: Layout

    /// The selector and the five words of the head.
    private var head: [UInt8] {
        ERC20.call(
            "execute((address,address,uint256),bytes[],bytes32)",
            words.recipient.word,
            words.buyToken.word,
            words.minimum.word,
            UInt256(0xa0).word,
            id
        )
    }

    /// The canonical encoding.
    private func execute(_ actions: [[UInt8]]) -> [UInt8] {
        var places: [UInt64] = []
        var body: [UInt8] = []
        for action in actions {
            places.append(UInt64(32 * actions.count + body.count))
            Self.append(action, to: &body)
        }
        return call(places, body)
    }

    /// The first action comes last and is open at its end.
    private func open(_ actions: [[UInt8]]) -> [UInt8] {
        guard let first = actions.first else { return execute([]) }
        var places: [UInt64] = []
        var body: [UInt8] = []
        for action in actions.dropFirst() {
            places.append(UInt64(32 * actions.count + body.count))
            Self.append(action, to: &body)
        }
        places.insert(UInt64(32 * actions.count + body.count), at: 0)
        UInt256(0xffff).word.append(to: &body)
        body += first
        return call(places, body)
    }

    /// - Parameter places: of the actions, from the first of them on.
    private func call(_ places: [UInt64], _ body: [UInt8]) -> [UInt8] {
        var data = head
        UInt256(UInt64(places.count)).word.append(to: &data)
        for place in places { UInt256(place).word.append(to: &data) }
        return data + body
    }

    /// A byte string: its length, its bytes and zeros up to a whole word.
    private static func append(_ bytes: [UInt8], to data: inout [UInt8]) {
        UInt256(UInt64(bytes.count)).word.append(to: &data)
        data += bytes
        data += [UInt8](repeating: 0, count: (32 - bytes.count % 32) % 32)
    }
}
