import Ethereum
import Testing

@Suite("The gas that a call costs before it does anything")
struct IntrinsicGasTests {
    @Test("by the bytes of its data, and by its access list")
    func gas() throws {
        #expect(Transaction.intrinsicGas(data: [], accessList: []) == 21_000)
        #expect(Transaction.intrinsicGas(data: [0, 0, 1], accessList: []) == 21_024)
        // transfer(0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed, 1): 24 bytes that are not zero.
        let address = try Address("0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed")
        let data = ERC20.transfer(to: address, amount: 1)
        let full = data.count { $0 != 0 }
        let gas = Transaction.intrinsicGas(data: data, accessList: [])
        #expect(gas == 21_000 + UInt64(16 * full + 4 * (68 - full)))
        let list = [
            AccessListEntry(address: address, storageKeys: [UInt256(1).word, UInt256(2).word]),
            AccessListEntry(address: .zero, storageKeys: []),
        ]
        #expect(Transaction.intrinsicGas(data: [], accessList: list) == 21_000 + 4_800 + 3_800)
    }
}
