import Ethereum
import Testing

@testable import ZeroEx

@Suite("v4 reverts")
struct ExchangeRevertV4Tests {
    private static let hash = OrderHash(UInt256(0xABC).word)
    private static let one = SampleOrder.address(1)
    private static let two = SampleOrder.address(2)

    private static var reverts: [(ExchangeRevertV4, UInt32, String)] {
        let first = one.checksummed
        let second = two.checksummed
        return [
            (
                .orderNotFillable(hash, status: 2), 0x47ab_394e,
                "The order \(hash) cannot be filled: it is filled."
            ),
            (
                .orderNotFillable(hash, status: 3), 0x47ab_394e,
                "The order \(hash) cannot be filled: it is cancelled."
            ),
            (
                .orderNotFillable(hash, status: 4), 0x47ab_394e,
                "The order \(hash) cannot be filled: it is expired."
            ),
            (
                .orderNotFillable(hash, status: 0), 0x47ab_394e,
                "The order \(hash) is not valid: it names no origin of transactions."
            ),
            (
                .orderNotFillable(hash, status: 9), 0x47ab_394e,
                "The order \(hash) cannot be filled: its status is 9."
            ),
            (
                .orderNotFillableByTaker(hash, taker: one, orderTaker: two), 0x5d33_0018,
                "The order \(hash) is reserved for the taker \(second), not for \(first)."
            ),
            (
                .orderNotFillableBySender(hash, sender: one, orderSender: two), 0x15e6_a383,
                "The order \(hash) may only be filled by calls from \(second), not from \(first)."
            ),
            (
                .orderNotFillableByOrigin(hash, txOrigin: one, orderTxOrigin: two), 0xc097_2f3c,
                "The order \(hash) may only be filled by transactions of \(second), not of "
                    + "\(first)."
            ),
            (
                .orderNotSignedByMaker(hash, signer: one, maker: two), 0xf13e_65d9,
                "The order \(hash) was signed by \(first) and not by its maker \(second), or it "
                    + "names the wrong type of signature."
            ),
            (
                .signatureValidation(code: 0, hash.word), 0xf18f_11f3,
                "The signature over \(hash) is not valid: its type is 1, which is never valid."
            ),
            (
                .signatureValidation(code: 2, hash.word), 0xf18f_11f3,
                "The signature over \(hash) is not valid: its type is 4 (presigned), which is not "
                    + "for orders."
            ),
            (
                .signatureValidation(code: 3, hash.word), 0xf18f_11f3,
                "The signature over \(hash) is not valid: its type is 0, which is illegal."
            ),
            (
                .signatureValidation(code: 5, hash.word), 0xf18f_11f3,
                "The signature over \(hash) is not valid: its v, r or s is not what a key makes, "
                    + "or s is in the upper half."
            ),
            (
                .signatureValidation(code: 7, hash.word), 0xf18f_11f3,
                "The signature over \(hash) is not valid: the contract's code is 7."
            ),
            (
                .fillOrKillFailed(hash, filled: 3, wanted: 4), 0x2194_8612,
                "Of the order \(hash) only 3 of 4 base units of its taker token could be filled, "
                    + "and all or nothing was asked for."
            ),
            (
                .batchFillIncomplete(hash, filled: 3, wanted: .max), 0x1d44_aa5d,
                "Of the order \(hash) only 3 of \(UInt256.max) base units of its taker token could "
                    + "be filled, and the whole batch was to be filled or none of it."
            ),
            (
                .onlyOrderMakerAllowed(hash, sender: one, maker: two), 0x88b2_c08e,
                "The order \(hash) can only be cancelled by its maker \(second), not by \(first)."
            ),
            (
                .cancelSaltTooLow(minValidSalt: 5, oldMinValidSalt: 6), 0xb12b_c7e7,
                "Orders of the pair are cancelled below the salt 6 already; it cannot go down to 5."
            ),
            (
                .invalidSigner(maker: one, signer: two), 0x8435_6db3,
                "\(second) is not registered to sign for the maker \(first)."
            ),
            (
                .protocolFeeRefundFailed(receiver: one, amount: 70_000), 0xbde9_5cc2,
                "The rest of the protocol fee, 70000 wei, could not be given back to \(first)."
            ),
            (
                .notImplemented(selector: 0x00AB_CDEF), 0x734e_6e1c,
                "The exchange has no function 0x00abcdef on this chain."
            ),
            (.words("no luck"), 0x08c3_79a0, "The contract's reason: \"no luck\""),
            (.words(""), 0x08c3_79a0, "The contract gave no reason."),
            (
                .words("FixinProtocolFees/ETHER_TRANSFER_FALIED"), 0x08c3_79a0,
                "The transaction carries too little of the coin for the protocol fee "
                    + "(FixinProtocolFees/ETHER_TRANSFER_FALIED)."
            ),
            (
                .transferFailed(token: one, from: two, to: .zero, amount: 7, []), 0xdfdc_6f57,
                "The token \(first) did not move 7 base units from \(second) to \(Address.zero): "
                    + "it gave no reason."
            ),
            (
                .transferFailed(
                    token: one,
                    from: two,
                    to: .zero,
                    amount: 7,
                    ExchangeRevertV4.words("too poor").data
                ), 0xdfdc_6f57,
                "The token \(first) did not move 7 base units from \(second) to \(Address.zero): "
                    + "\"too poor\""
            ),
            (
                .transferFailed(
                    token: one,
                    from: two,
                    to: .zero,
                    amount: 7,
                    [UInt8](repeating: 0xEE, count: 261)
                ), 0xdfdc_6f57,
                "The token \(first) did not move 7 base units from \(second) to \(Address.zero): 0x"
                    + String(repeating: "ee", count: 260) + "…"
            ),
        ]
    }

    @Test("every error has its selector and a sentence with its arguments, and is read again")
    func sentences() throws {
        let kinds = Set(Self.reverts.map(\.0.kind))
        #expect(kinds == Set(ExchangeRevertV4.Kind.allCases))
        #expect(kinds.count == 15)
        for (revert, selector, sentence) in Self.reverts {
            #expect(revert.kind.selector == selector, "\(revert.kind)")
            #expect(ExchangeRevertV4.Kind(selector: selector) == revert.kind)
            #expect(revert.description == sentence)
            #expect(ExchangeRevertV4(revert.data) == revert)
            #expect(
                Array(revert.data.prefix(4)) == (try ABIFunction(revert.kind.rawValue).selector)
            )
        }
    }

    @Test("what is no error of the contract's, or cut off, is none")
    func others() {
        for data in [[], [1, 2, 3], [0xDE, 0xAD, 0xBE, 0xEF], [0x4E, 0x48, 0x7B, 0x71]] as [[UInt8]]
        {
            #expect(ExchangeRevertV4(data) == nil)
        }
        for (revert, _, _) in Self.reverts {
            let data = revert.data
            for length in 0..<data.count {
                #expect(ExchangeRevertV4(Array(data.prefix(length))) == nil)
            }
            if revert.kind != .words {
                #expect(ExchangeRevertV4(data + [0]) == nil)
            }
        }
        // Addresses, codes and selectors that are wider than their types.
        for revert in [
            .orderNotFillable(Self.hash, status: 0), .invalidSigner(maker: Self.one, signer: .zero),
            .notImplemented(selector: 1), .signatureValidation(code: 1, .zero),
            .onlyOrderMakerAllowed(Self.hash, sender: .zero, maker: .zero),
        ] as [ExchangeRevertV4] {
            var data = revert.data
            for position in 4..<data.count { data[position] = 0xFF }
            #expect(ExchangeRevertV4(data) == nil, "\(revert.kind)")
        }
    }
}
