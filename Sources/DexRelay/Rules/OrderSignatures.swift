import Ethereum
import EthereumWallet
import ZeroEx

/// Checks the signatures of orders, many at once: those of makers that are known cost least.
struct OrderSignatures: Sendable {
    let exchangeProtocol: any ExchangeProtocol
    let verifier: SignatureVerifier

    /// Why each order is refused; nil if its maker signed it.
    func refusals(of orders: [any SignedOrder], exchange: Address) -> [OrderRefusals?] {
        var refusals = [OrderRefusals?](repeating: nil, count: orders.count)
        var claims: [SignatureClaim] = []
        var places: [Int] = []
        claims.reserveCapacity(orders.count)
        places.reserveCapacity(orders.count)
        for (place, order) in orders.enumerated() {
            do throws(OrderRefusals) {
                claims.append(try claim(of: order, exchange: exchange))
                places.append(place)
            } catch {
                refusals[place] = error
            }
        }
        for (place, outcome) in zip(places, verifier.outcomes(of: claims))
        where outcome != .signed {
            refusals[place] = OrderRefusals([.badSignature])
        }
        return refusals
    }

    /// What the order's signature says, once all else that is checked of the order alone is right.
    private func claim(
        of order: any SignedOrder,
        exchange: Address
    ) throws(OrderRefusals) -> SignatureClaim {
        do throws(OrderRejection) {
            return try exchangeProtocol.claim(of: order, exchange: exchange)
        } catch {
            switch error {
            case .wrongExchange: throw OrderRefusals([.wrongExchange(expected: exchange)])
            case .zeroMaker: throw OrderRefusals([.zeroMaker])
            case .zeroAmount: throw OrderRefusals([.zeroTakerAmount])
            case .wrongChain: throw OrderRefusals([.wrongChain])
            case .badSignature, .malformedSignature, .noOrigin, .wrongTokens, .reservedToken,
                .failingToken, .wrongHash:
                throw OrderRefusals([.badSignature])
            }
        }
    }
}
