# pragma version 0.4.3
"""
Uniswap's TickLens, ours: the ticks with liquidity in a word of 256 of a v3 pool's bitmap.
"""


interface Pool:
    def tickSpacing() -> int24: view
    def tickBitmap(word: int16) -> uint256: view
    def ticks(
        tick: int24,
    ) -> (uint128, int128, uint256, uint256, int56, uint160, uint32, bool): view


struct PopulatedTick:
    tick: int24
    liquidityNet: int128
    liquidityGross: uint128


@external
@view
def getPopulatedTicksInWord(pool: address, tickBitmapIndex: int16) -> DynArray[PopulatedTick, 256]:
    """
    The highest tick first.
    """
    bitmap: uint256 = staticcall Pool(pool).tickBitmap(tickBitmapIndex)
    spacing: int256 = convert(staticcall Pool(pool).tickSpacing(), int256)
    first: int256 = convert(tickBitmapIndex, int256) * 256
    found: DynArray[PopulatedTick, 256] = []
    for bit: int256 in range(256):
        place: int256 = 255 - bit
        if (bitmap >> convert(place, uint256)) & 1 == 0:
            continue
        tick: int24 = convert((first + place) * spacing, int24)
        gross: uint128 = 0
        net: int128 = 0
        growth0: uint256 = 0
        growth1: uint256 = 0
        sum: int56 = 0
        share: uint160 = 0
        seconds: uint32 = 0
        is_initialised: bool = False
        gross, net, growth0, growth1, sum, share, seconds, is_initialised = staticcall Pool(
            pool
        ).ticks(tick)
        found.append(PopulatedTick(tick=tick, liquidityNet=net, liquidityGross=gross))
    return found
