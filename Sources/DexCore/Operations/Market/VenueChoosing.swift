import Ethereum
import ZeroEx

/// The comparison of a swap with the book, in figures and sentences.
struct VenueChoosing {
    let side: TradeSide
    let pair: Pair
    let book: VenueOffer
    /// As screens name the swap venue.
    let name: String

    private var chooser: VenueChooser { VenueChooser(side: side) }

    /// What a price offers; nil for amounts without a ratio.
    func swap(
        _ price: SwapPrice,
        gas: UInt64?,
        network: Network,
        gasPrice: Wei?,
        rollupFee: Wei
    ) -> VenueOffer? {
        func ratio(_ pay: UInt256, _ receive: UInt256) -> Price? {
            side == .buy ? Price(quote: pay, base: receive) : Price(quote: receive, base: pay)
        }
        guard let average = ratio(price.sold, price.bought),
            let worst = ratio(price.mostSold, price.leastBought)
        else { return nil }
        return VenueOffer(
            venue: .swap,
            pay: price.sold,
            receive: price.bought,
            average: average,
            worst: worst,
            gas: gas,
            gasValue: GasValue(network, pair: pair, average: average)
                .value(of: gas, at: gasPrice, rollupFee: rollupFee)
        )
    }

    func prefers(_ swap: VenueOffer) -> Bool { chooser.prefers(swap, to: book) }

    /// Why the swap is not used; nil has no price.
    func reason(against swap: VenueOffer?) -> VenueAlternative {
        guard let swap else {
            return VenueAlternative(
                venue: .swap,
                average: nil,
                worst: nil,
                gas: nil,
                reason: "\(shownName) gave no price."
            )
        }
        let distance = chooser.distance(of: swap, behind: book)
        let words =
            distance == 0
            ? "It is better by less than 0.05 %, which counts as equal: the book is used."
            : "It \(side == .buy ? "costs" : "brings") \(percent(distance)) % "
                + "\(side == .buy ? "more" : "less")."
        return alternative(swap, words + gasWords(swap))
    }

    /// Why the book is not used.
    func reason(beside swap: VenueOffer) -> VenueAlternative {
        let distance = percent(chooser.distance(of: book, behind: swap))
        let words =
            "It \(side == .buy ? "costs" : "brings") \(distance) % "
            + "\(side == .buy ? "more" : "less")."
        return alternative(book, words + gasWords(swap))
    }

    private func gasWords(_ swap: VenueOffer) -> String {
        guard !VenueChooser.countsGas(swap, book) else { return "" }
        return " Gas is not compared: it has no known price in "
            + "\(PlainText.name(pair.quote.symbol))."
    }

    private func alternative(_ offer: VenueOffer, _ reason: String) -> VenueAlternative {
        VenueAlternative(
            venue: offer.venue,
            average: offer.average,
            worst: offer.worst,
            gas: offer.gas,
            reason: reason
        )
    }

    private var shownName: String { PlainText.clean(name, limit: 40) }

    private func percent(_ basisPoints: UInt64) -> String {
        guard basisPoints < 1_000_000 else { return "more than 10000" }
        return DecimalText.format(UInt256(basisPoints), decimals: 2)
    }
}
