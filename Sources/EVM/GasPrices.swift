import Ethereum

/// What instructions and transactions cost, in units of gas.
///
/// Source: the executable specification (`vm/gas.py`) of Cancun, Prague and Osaka, which differ in
/// what `init` sets. Amsterdam's are not here: `Execution` refuses it.
struct GasPrices: Sendable {
    // MARK: Instructions

    let keccakWord: Int64 = 6
    let copyWord: Int64 = 3
    let memoryWord: Int64 = 3
    /// Memory of so many words costs the square of them divided by this, too.
    let memoryQuadratic: Int64 = 512
    let exponentByte: Int64 = 50
    let logTopic: Int64 = 375
    let logByte: Int64 = 8
    /// Of an account or a word that the transaction named before; transient storage, too.
    let warm: Int64 = 100
    let coldAccount: Int64
    let coldSlot: Int64

    // MARK: Storage

    /// A write fails with so much gas left, or less.
    let storageStipend: Int64 = 2_300
    /// From zero.
    let storageSet: Int64
    /// Of a word that is not zero.
    let storageChange: Int64
    let storageClearRefund: Int64
    /// Of a word that is as it was, and was zero.
    let storageUnsetRefund: Int64 = 19_900
    /// Of a word that is as it was, and was not zero.
    let storageRestoreRefund: Int64 = 2_800

    // MARK: Calls

    let callValue: Int64
    /// The callee gets so much with ether, beside what it is given.
    let callStipend: Int64 = 2_300
    let newAccount: Int64
    let initCodeWord: Int64 = 2
    let codeByte: Int64 = 200

    // MARK: Transactions

    let transaction: TransactionGas
    let creation: Int64 = 32_000
    let authorization: Int64 = 25_000
    /// Of an authorization whose account existed.
    let authorizationRefund: Int64 = 12_500
    /// At most this part of the gas used comes back.
    let refundQuotient: Int64 = 5
    /// Of a blob, in the gas of blobs.
    let blob: UInt64 = 131_072
    /// The most blobs of a transaction.
    let maximumBlobs: Int

    // MARK: Precompiles

    let recover: Int64 = 3_000
    let sha256 = Linear(base: 60, word: 12)
    let ripemd160 = Linear(base: 600, word: 120)
    let identity = Linear(base: 15, word: 3)
    let blake2Round: Int64 = 1
    let verifyP256: Int64 = 6_900
    let power: Power

    /// A price that grows with the words of the input.
    struct Linear: Sendable {
        let base: Int64
        let word: Int64
    }

    /// The price of base^exponent modulo a modulus.
    ///
    /// Source: EIP-2565, from Osaka on EIP-7883.
    struct Power: Sendable {
        let minimum: Int64
        /// Of numbers of at most 32 bytes; nil for the same as of longer ones.
        let short: Int64?
        /// For the square of the words of eight bytes.
        let square: Int64
        /// For each byte of the exponent beyond 32.
        let exponentByte: Int64
        let divisor: Int64
    }

    init(_ revision: Revision) {
        let isPrague = revision >= .prague
        let isOsaka = revision >= .osaka
        transaction = TransactionGas(revision)
        let state = StateGas(revision)
        coldAccount = Int64(state.coldAccount)
        coldSlot = Int64(state.coldSlot)
        storageSet = Int64(state.newWord)
        storageChange = Int64(state.changedWord)
        storageClearRefund = Int64(state.clearRefund)
        callValue = Int64(state.callValue)
        newAccount = Int64(state.newAccount)
        maximumBlobs = isPrague && !isOsaka ? 9 : 6
        power =
            isOsaka
            ? Power(minimum: 500, short: 16, square: 2, exponentByte: 16, divisor: 1)
            : Power(minimum: 200, short: nil, square: 1, exponentByte: 8, divisor: 3)
    }
}

/// Sizes that the rules bound, in bytes.
enum SizeLimit {
    static let code = 24_576
    static let initCode = 49_152
}
