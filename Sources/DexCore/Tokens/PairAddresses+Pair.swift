import DexStore
import Ethereum

extension PairAddresses {
    init(_ pair: Pair) {
        self.init(base: pair.base.address, quote: pair.quote.address)
    }
}
