import DexSigning
import Ethereum
import ZeroEx

/// Calls of the swap venue and messages for it, encoded here and not by what reads them.
enum SwapBench {
    typealias Bench = SigningBench

    static let holder = ZeroExSwapContracts.allowanceHolder
    static let permit2 = ZeroExSwapContracts.permit2
    static let native = ZeroExSwapContracts.nativeCoin
    /// What the registry names.
    static let settler = Bench.address(0x5E77)

    /// A bench on a network with a swap venue, whose registry names the Settler.
    static func bench(log: any AuditLog = MemoryAuditLog()) throws -> SigningBench {
        var bench = try Bench(log: log)
        bench.swap = ZeroExSwapRules(chainID: 1)
        bench.genuine = [settler]
        return bench
    }

    static func bytes(_ words: [Bytes32]) -> [UInt8] {
        words.flatMap(\.bytes)
    }

    /// The length, the bytes, and zeros up to a whole word.
    static func sized(_ bytes: [UInt8]) -> [UInt8] {
        let padding = (32 - bytes.count % 32) % 32
        return UInt256(UInt64(bytes.count)).word.bytes + bytes
            + [UInt8](repeating: 0, count: padding)
    }

    /// Settler's call: WETH for the account, at least 1 unit, by no action.
    static func execute(
        recipient: Bytes32 = Bench.own.word,
        bought: Bytes32 = Bench.weth.word,
        minimum: UInt256 = 1,
        actions: [UInt8] = UInt256(0).word.bytes
    ) -> [UInt8] {
        [0x1f, 0xff, 0x99, 0x1f]
            + bytes([recipient, bought, minimum.word, UInt256(0xa0).word, UInt256(7).word])
            + actions
    }

    /// The AllowanceHolder's call: up to 5 ZRX may be moved by the Settler.
    static func exec(
        by mover: Bytes32 = settler.word,
        token: Bytes32 = Bench.zrx.word,
        amount: UInt256 = Bench.units("5"),
        target: Bytes32 = settler.word,
        _ data: [UInt8] = execute()
    ) -> [UInt8] {
        [0x22, 0x13, 0xbc, 0x0b]
            + bytes([mover, token, amount.word, target, UInt256(0xa0).word]) + sized(data)
    }

    /// Settler's call whose head is zero, with one action that pays a pool for WETH.
    static func direct(recipient: Address = Bench.own, sold: Address = Bench.zrx) -> [UInt8] {
        let path =
            sold.bytes + [0] + [0, 1, 2] + [UInt8](repeating: 9, count: 20) + Bench.weth.bytes
        let words = [
            recipient.word, sold.word, Bench.units("5").word, UInt256(3).word,
            UInt256(Bench.now).word, UInt256(0x100).word, UInt256(0x160).word, UInt256(1).word,
        ]
        let action = [0x30, 0x36, 0xd6, 0xa6] + bytes(words) + sized(path) + sized([])
        return execute(
            recipient: .zero,
            bought: .zero,
            minimum: 0,
            actions: bytes([UInt256(1).word, UInt256(0x20).word]) + sized(action)
        )
    }

    /// As the API sends it for Permit2: the actions in no usual encoding, then the signature.
    static var paidByPermit: [UInt8] {
        execute(actions: bytes([UInt256(1).word, UInt256(0xffff).word, UInt256(0xc0).word]))
            + UInt256(65).word.bytes + [UInt8](repeating: 1, count: 65)
    }

    static func transaction(
        _ data: [UInt8],
        to: Address = holder,
        ether: String = "0",
        nonce: UInt64 = 0
    ) -> Transaction {
        Bench.transaction(to: to, ether: ether, data: data, nonce: nonce)
    }

    /// The Settler may take 5 ZRX within ten minutes.
    static func permit(
        _ amount: String = "5",
        nonce: UInt64 = 1,
        change: (inout SwapPermit) -> Void = { _ in }
    ) -> SwapPermit {
        var permit = SwapPermit(
            chainID: 1,
            contract: permit2,
            token: Bench.zrx,
            amount: Bench.units(amount),
            spender: settler,
            nonce: UInt256(nonce),
            deadline: UInt256(Bench.now + 600)
        )
        change(&permit)
        return permit
    }
}
