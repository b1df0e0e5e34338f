import Ethereum
import Testing

@testable import ZeroEx

@Suite("What an order needs of its maker")
struct OrderFundingTests {
    private let zeroEx = ZeroExV1()
    private let zrx = SampleOrder.address(0xF1)
    private let given = SampleOrder.address(0xB1)

    private func order(
        _ token: Address,
        gives: UInt256 = 1000,
        takes: UInt256 = 3000,
        fee: UInt256 = 0
    ) throws -> SignedOrderV1 {
        var sample = SampleOrder(gives, takes)
        sample.draft.makerToken = token
        sample.draft.fees = OrderFees(
            recipient: SampleOrder.address(0xD1),
            makerFee: fee,
            takerFee: 0
        )
        return try sample.unsigned
    }

    private func funding(_ order: SignedOrderV1) -> OrderFunding {
        let contracts = ExchangeContracts(
            exchange: SampleOrder.exchange,
            transferContract: SampleOrder.address(0xE2),
            feeToken: zrx
        )
        return OrderFunding(order, by: zeroEx, contracts: contracts)
    }

    private func amounts(_ needs: [OrderFunding.Need]) -> [UInt256] { needs.map(\.amount) }

    @Test("it needs what a fill moves, rounded down, and its fee beside it")
    func needs() throws {
        let plain = funding(try order(given))
        #expect(plain.tokens == [given])
        #expect(amounts(plain.needs(filling: 2900)) == [966])
        let charged = funding(try order(given, fee: 30))
        #expect(charged.tokens == [given, zrx])
        #expect(amounts(charged.needs(filling: 2900)) == [966, 29])
        #expect(charged.needs(filling: 3000).map(\.isFee) == [false, true])
    }

    @Test("a fee in the token that is given comes out of the same pool")
    func onePool() throws {
        let funding = funding(try order(zrx, fee: 30))
        #expect(funding.tokens == [zrx])
        #expect(amounts(funding.needs(filling: 2900)) == [995])
        #expect(funding.payable(upTo: 2900) { _ in 995 } == 2900)
        #expect(funding.payable(upTo: 2900) { _ in 515 } == 1500)
    }

    @Test("what is left can be filled where the maker has what it moves, else its share")
    func payable() throws {
        let plain = funding(try order(given))
        #expect(plain.payable(upTo: 2900) { _ in 966 } == 2900)
        #expect(plain.payable(upTo: 2900) { _ in 965 } == 2895)
        #expect(plain.payable(upTo: 2900) { _ in 0 } == 0)
        let charged = funding(try order(given, fee: 30))
        let poorInFees = charged.payable(upTo: 3000) { $0 == zrx ? 10 : .max }
        #expect(poorInFees == 1000)
        #expect(charged.payable(upTo: 3000) { $0 == zrx ? nil : .max } == nil)
    }

    @Test("a fill of the share never needs more than there is, at any size")
    func neverMore() throws {
        for (gives, takes, fee) in [
            (7, 3, 2), (3, 7, 0), (1, 1000, 1), (1000, 1, 999), (999, 1000, 1001),
        ] as [(UInt256, UInt256, UInt256)] {
            for token in [given, zrx] {
                let funding = funding(try order(token, gives: gives, takes: takes, fee: fee))
                for pool in stride(from: 0, through: 2000, by: 13).map({ UInt256($0) }) {
                    let fill = funding.payable(upTo: takes) { _ in pool } ?? .max
                    #expect(fill <= takes)
                    #expect(funding.needs(filling: fill).allSatisfy { $0.amount <= pool })
                }
            }
        }
    }

    @Test("amounts up to 256 bits neither trap nor promise more than there is")
    func huge() throws {
        let sum = funding(try order(zrx, gives: .max, takes: 10, fee: .max))
        #expect(sum.payable(upTo: 10) { _ in .max - 1 } == 4)
        let wide = funding(try order(given, gives: 1, takes: .max))
        #expect(amounts(wide.needs(filling: .max)) == [1])
        #expect(wide.payable(upTo: .max) { _ in 0 } == 0)
    }
}
