import Ethereum
import Testing

@testable import Uniswap

@Suite("Pool addresses")
struct PoolIDTests {
    @Test("USDC/WETH on mainnet: both kinds have the addresses of the chain")
    func mainnet() throws {
        let usdc = try Address("0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48")
        let weth = try Address("0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2")
        let factory = try Address("0x1F98431c8aD98523631AE4a59f267346ea31F984")
        let v3 = try #require(PoolID(weth, usdc, .v3(fee: 500)))
        #expect(v3.address(of: factory).checksummed == "0x88e6A0c2dDD26FEEb64F039a2c41296FcB3f5640")
        let v2 = try #require(PoolID(usdc, weth, .v2))
        let v2Factory = try Address("0x5C69bEe701ef814a2B6a3EDD4B1652CB9cc5aA6f")
        #expect(
            v2.address(of: v2Factory).checksummed == "0xB4e16d0168e52d35CaCD2c6185b44281Ec28C9Dc"
        )
    }

    @Test("58 pools of 16 chains have the salt and the address that their factories give them")
    func vectors() throws {
        let pools = try PoolVectors.addresses.list("pools")
        #expect(pools.count == 58)
        for pool in pools {
            let id = try pool.poolID()
            let (tokenA, tokenB) = try (pool.address("tokenA"), pool.address("tokenB"))
            #expect(PoolID(tokenA, tokenB, id.kind) == id && PoolID(tokenB, tokenA, id.kind) == id)
            #expect(try id.salt.hex == pool.string("salt"))
            #expect(try id.address(of: pool.address("factory")) == pool.address("address"))
            #expect(id.other(than: tokenA) == tokenB && id.other(than: .zero) == nil)
        }
        let token = try pools[0].address("tokenA")
        #expect(PoolID(token, token, .v2) == nil)
    }
}
