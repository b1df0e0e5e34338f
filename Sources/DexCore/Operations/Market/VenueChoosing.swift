import Ethereum
import ZeroEx

/// The comparison of a venue's offer with another one's, in figures and sentences.
struct VenueChoosing {
    let side: TradeSide
    let pair: Pair
    /// What is traded unless the venue is better: the book's, if there is a book.
    let reference: VenueOffer
    let venue: Venue
    /// As screens name the venue.
    let name: String

    private var chooser: VenueChooser { VenueChooser(side: side) }

    /// What a price offers; nil for amounts without a ratio.
    static func offer(
        _ price: SwapPrice,
        at venue: Venue,
        side: TradeSide,
        pair: Pair,
        gas: UInt64?,
        network: Network,
        gasPrice: Wei?,
        rollupFee: Wei = .zero
    ) -> VenueOffer? {
        func ratio(_ pay: UInt256, _ receive: UInt256) -> Price? {
            side == .buy ? Price(quote: pay, base: receive) : Price(quote: receive, base: pay)
        }
        guard let average = ratio(price.sold, price.bought),
            let worst = ratio(price.maximumSold, price.minimumBought)
        else { return nil }
        return VenueOffer(
            venue: venue,
            pay: price.sold,
            receive: price.bought,
            average: average,
            worst: worst,
            gas: gas,
            gasValue: GasValue(network, pair: pair, average: average)
                .value(of: gas, at: gasPrice, rollupFee: rollupFee)
        )
    }

    func prefers(_ offer: VenueOffer) -> Bool { chooser.prefers(offer, to: reference) }

    /// Why the venue is not used; nil has no price.
    func reason(against offer: VenueOffer?) -> VenueAlternative {
        guard let offer else {
            return VenueAlternative(
                venue: venue,
                average: nil,
                worst: nil,
                gas: nil,
                reason: "\(shownName) gave no price."
            )
        }
        let distance = chooser.distance(of: offer, behind: reference)
        let equal =
            reference.venue == .book
            ? "It is better by less than 0.05 %, which counts as equal: the book is used."
            : "It is no better."
        let words =
            distance == 0
            ? equal
            : "It \(side == .buy ? "costs" : "brings") \(percent(distance)) % "
                + "\(side == .buy ? "more" : "less")."
        return alternative(offer, words + gasWords(offer))
    }

    /// Why the reference is not used.
    func reason(beside offer: VenueOffer) -> VenueAlternative {
        let distance = percent(chooser.distance(of: reference, behind: offer))
        let words =
            "It \(side == .buy ? "costs" : "brings") \(distance) % "
            + "\(side == .buy ? "more" : "less")."
        return alternative(reference, words + gasWords(offer))
    }

    private func gasWords(_ offer: VenueOffer) -> String {
        guard !VenueChooser.countsGas(offer, reference) else { return "" }
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
