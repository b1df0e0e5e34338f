import DexTestSupport
import Ethereum
import StrictJSON
import Testing

@testable import Uniswap

@Suite("Pool addresses")
struct PoolIDTests {
    @Test("USDC/WETH on mainnet: both kinds have the addresses of the chain")
    func mainnet() throws {
        let usdc = try Address("0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48")
        let weth = try Address("0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2")
        let v3 = try #require(PoolID(weth, usdc, .v3(fee: 500)))
        let factory = try Address("0x1F98431c8aD98523631AE4a59f267346ea31F984")
        #expect(v3.address(of: factory).checksummed == "0x88e6A0c2dDD26FEEb64F039a2c41296FcB3f5640")
    }
}
