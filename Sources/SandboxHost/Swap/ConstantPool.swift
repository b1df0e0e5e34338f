import Ethereum
import Uniswap

/// A constant-product pool of two tokens as it stands at a block; reserves in base units.
///
/// Its formula is Uniswap v2's, to the last unit: 0.3 % of the input stay in it.
struct ConstantPool: Hashable, Sendable {
    let address: Address
    let first: Address
    let second: Address
    private(set) var firstReserve: UInt256
    private(set) var secondReserve: UInt256

    func joins(_ one: Address, _ other: Address) -> Bool {
        first == one && second == other || first == other && second == one
    }

    /// What it pays for an input of one of its tokens.
    ///
    /// nil where the contract reverts: nothing comes out, or a product exceeds 256 bits.
    func output(of input: UInt256, selling token: Address) -> UInt256? {
        let (own, other) = reserves(of: token)
        return PairMath.amountOut(input, reserveIn: own, reserveOut: other)
    }

    /// The least input of a token for an output of the other one.
    ///
    /// nil where the pool does not hold that much, or a product exceeds 256 bits.
    func input(for output: UInt256, selling token: Address) -> UInt256? {
        let (own, other) = reserves(of: token)
        guard let enough = PairMath.amountIn(output, reserveIn: own, reserveOut: other) else {
            return nil
        }
        // Uniswap adds one also where nothing was rounded.
        let less = enough - 1
        let isEnough = self.output(of: less, selling: token).map { $0 >= output } ?? false
        let input = isEnough ? less : enough
        return self.output(of: input, selling: token) == nil ? nil : input
    }

    /// The pool after a trade that `output` priced.
    func after(selling token: Address, _ input: UInt256, for output: UInt256) -> ConstantPool {
        var pool = self
        if token == first {
            pool.firstReserve = firstReserve.addingSaturating(input)
            pool.secondReserve = secondReserve - min(output, secondReserve)
        } else {
            pool.secondReserve = secondReserve.addingSaturating(input)
            pool.firstReserve = firstReserve - min(output, firstReserve)
        }
        return pool
    }

    private func reserves(of token: Address) -> (own: UInt256, other: UInt256) {
        token == first ? (firstReserve, secondReserve) : (secondReserve, firstReserve)
    }
}

extension ConstantPool {
    /// A pool from the answers of `tokens()` and `reserves()`; nil if there is none.
    init?(address: Address, tokens: [UInt8], reserves: [UInt8]) {
        guard tokens.count == 64, reserves.count == 64,
            let first = Bytes32(bytes: tokens[..<32]), let second = Bytes32(bytes: tokens[32...]),
            let firstReserve = UInt256(bigEndian: reserves[..<32]),
            let secondReserve = UInt256(bigEndian: reserves[32...])
        else { return nil }
        self.init(
            address: address,
            first: Address(truncating: first),
            second: Address(truncating: second),
            firstReserve: firstReserve,
            secondReserve: secondReserve
        )
    }
}
