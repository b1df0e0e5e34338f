import Ethereum
import Testing

@Suite("The gas of a transaction before it does anything, by revision")
struct TransactionGasTests {
    private static func list() throws -> [AccessListEntry] {
        let address = try Address("0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed")
        return [
            AccessListEntry(address: address, storageKeys: [UInt256(1).word, UInt256(2).word]),
            AccessListEntry(address: .zero, storageKeys: []),
        ]
    }

    @Test(
        "by the bytes of its data, and by its access list",
        arguments: [Revision.cancun, .prague, .osaka]
    )
    func gas(revision: Revision) throws {
        let gas = TransactionGas(revision)
        #expect(gas.intrinsic(data: [], accessList: []) == 21_000)
        #expect(gas.intrinsic(data: [0, 0, 1], accessList: []) == 21_024)
        // transfer(0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed, 1): 24 bytes that are not zero.
        let address = try Address("0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed")
        let data = ERC20.transfer(to: address, amount: 1)
        let full = data.count { $0 != 0 }
        #expect(
            gas.intrinsic(data: data, accessList: [])
                == 21_000 + UInt64(16 * full + 4 * (68 - full))
        )
        let list = try Self.list()
        #expect(gas.intrinsic(data: [], accessList: list) == 21_000 + 4_800 + 3_800)
    }

    @Test("from Prague on much call data has a least, whatever it does")
    func minimum() {
        let data: [UInt8] = [0, 0, 0, 1, 1]
        let limits = Revision.allCases.map {
            TransactionGas($0).minimumLimit(data: data, accessList: [])
        }
        #expect(limits == [21_044, 21_110, 21_110, 12_320])
        #expect(TransactionGas(.osaka).minimumLimit(data: [], accessList: []) == 21_000)
    }

    @Test("Amsterdam's base is lower, and its access lists pay for their bytes")
    func amsterdam() throws {
        let gas = TransactionGas(.amsterdam)
        #expect(gas.intrinsic(data: [], accessList: []) == 12_000)
        #expect(
            gas.base + gas.otherTarget + gas.value == TransactionGas.payment
        )
        let listed: UInt64 = 2 * (2_900 + 20 * 64) + 2 * (2_000 + 32 * 64)
        #expect(gas.listed(try Self.list()) == listed)
    }

    @Test("from Osaka on a transaction has at most 16,777,216")
    func maximum() {
        let maximum = Revision.allCases.map { TransactionGas($0).maximum }
        #expect(maximum == [nil, nil, 16_777_216, 16_777_216])
    }
}

@Suite("The gas that is enough for a call, by revision")
struct GasFloorTests {
    @Test("what was measured holds until Amsterdam")
    func measured() {
        let floor = GasFloor(108_000, newWords: 1, changedWords: 4)
        #expect(
            Revision.allCases.map(floor.units) == [108_000, 108_000, 108_000, 218_320]
        )
    }

    @Test("an interpreter's gas under Amsterdam's prices, within a hundredth")
    func amsterdam() {
        // A v4 fill; a v1 fill of a balance that was zero, and of three orders; a swap of a v3 pool.
        for (floor, gas) in [
            (GasFloor(103_000, newWords: 1, changedWords: 4, accounts: 5), 215_000),
            (GasFloor(131_000, newWords: 2, changedWords: 3, accounts: 4), 324_000),
            (GasFloor(249_000, newWords: 4, changedWords: 3, accounts: 4), 618_000),
            (GasFloor(101_000, changedWords: 6, accounts: 5), 139_000),
        ] as [(GasFloor, UInt64)] {
            let units = floor.units(.amsterdam)
            #expect(units * 100 >= gas * 99 && units * 100 <= gas * 101, "\(units) of \(gas)")
        }
    }

    @Test("nothing traps at any count")
    func saturates() {
        let floor = GasFloor(.max, newWords: .max, changedWords: .max, payments: .max)
        #expect(floor.units(.amsterdam) == .max && floor.units(.osaka) == .max)
        #expect(GasFloor(21_000, newWords: -1).units(.amsterdam) == 15_000)
    }
}
