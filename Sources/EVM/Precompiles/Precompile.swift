import Ethereum
import OpenSSL

/// A contract that is part of the rules.
struct Precompile {
    let number: UInt64
    let revision: Revision
    let prices: GasPrices
    let recoverer: any SignatureRecovering

    /// What its run gives.
    enum Outcome {
        case answer([UInt8], price: Int64)
        /// Too little gas, or an input that it does not take: all gas is gone.
        case fail
        /// There is none of it here: that says nothing about the call.
        case unsupported
    }

    private static let wordBytes = 32
    private static let p256: UInt64 = 0x100

    /// The number of the precompile at an address; nil for any other address.
    static func number(of address: Address, _ revision: Revision) -> UInt64? {
        let word = UInt256(address.word)
        guard word.isSmall, word.w0 != 0 else { return nil }
        let last: UInt64 = revision >= .prague ? 0x11 : 0x0A
        return word.w0 <= last || revision >= .osaka && word.w0 == p256 ? word.w0 : nil
    }

    /// - Parameter gas: what it may cost.
    func run(_ input: [UInt8], gas: Int64) -> Outcome {
        switch number {
        case 0x01: return priced(prices.recover, gas) { recover(input) }
        case 0x02:
            return priced(price(prices.sha256, input), gas) { HashFunction.sha256.hash(input) }
        case 0x03:
            return priced(price(prices.ripemd160, input), gas) {
                Array(repeating: 0, count: 12) + HashFunction.ripemd160.hash(input)
            }
        case 0x04: return priced(price(prices.identity, input), gas) { input }
        case 0x05:
            guard let power = ModularPower(input, revision, prices.power) else { return .fail }
            return priced(power.price, gas) { power.run() }
        case 0x09:
            guard let compression = Blake2Compression(input) else { return .fail }
            return priced(prices.blake2Round * Int64(compression.rounds), gas) {
                compression.run()
            }
        case Self.p256: return priced(prices.verifyP256, gas) { verifyP256(input) }
        default: return .unsupported
        }
    }

    private func price(_ price: GasPrices.Linear, _ input: [UInt8]) -> Int64 {
        price.base + price.word * Int64((input.count + Self.wordBytes - 1) / Self.wordBytes)
    }

    private func priced(_ price: Int64, _ gas: Int64, _ answer: () -> [UInt8]) -> Outcome {
        price <= gas ? .answer(answer(), price: price) : .fail
    }

    /// The address that signed: digest, v of 27 or 28 as a word, r, s; nothing for what nobody signed.
    ///
    /// Source: the yellow paper, appendix E. A high s is taken.
    private func recover(_ input: [UInt8]) -> [UInt8] {
        func word(_ index: Int) -> Bytes32 { input.word(at: index * Self.wordBytes) }
        let v = UInt256(word(1))
        guard v == 27 || v == 28,
            let signature = Signature(r: word(2), s: word(3), yParity: UInt8(v.w0 - 27)),
            // nil: no key made it
            let signer = try? recoverer.recover(digest: word(0), signature: signature)
        else { return [] }
        return signer.word.bytes
    }

    /// 1 for a valid signature: digest, r, s, x, y; nothing for any other input.
    ///
    /// Source: EIP-7951.
    private func verifyP256(_ input: [UInt8]) -> [UInt8] {
        guard input.count == 160,
            P256.isValid(
                digest: Array(input[..<32]),
                signature: Array(input[32..<96]),
                key: Array(input[96...])
            )
        else { return [] }
        return UInt256(1).bigEndianBytes
    }
}

extension [UInt8] {
    /// Bytes from an index; zeros behind the end.
    func padded(from index: Int, count: Int) -> [UInt8] {
        guard index < self.count else { return Array(repeating: 0, count: count) }
        let known = self[index..<Swift.min(self.count, index + count)]
        return Array(known) + Array(repeating: 0, count: count - known.count)
    }

    /// 32 bytes from an index; zeros behind the end.
    func word(at index: Int) -> Bytes32 {
        withUnsafeBufferPointer { $0.word(at: UInt256(small: UInt64(index))).word }
    }
}
