# pragma version 0.4.3
"""
What a step of a Uniswap v3 swap moves, exactly as the pool rounds it.

Written from the published formulas: L is the liquidity, P a price (a square root, in 2^-96), of 160
bits. Where nothing is checked, the bounds of L (128 bits) and P exclude an overflow.
"""

Q96: constant(uint256) = 2**96
MASK96: constant(uint256) = 2**96 - 1
MASK128: constant(uint256) = 2**128 - 1
MILLION: constant(uint256) = 10**6


@internal
@pure
def mul_div(a: uint256, b: uint256, c: uint256, up: bool) -> uint256:
    """
    a * b / c, with all 512 bits of the product; c is not 0. Reverts where the result has more than
    256 bits.
    """
    low: uint256 = unsafe_mul(a, b)
    # The product modulo 2^256 - 1 tells the high half.
    other: uint256 = uint256_mulmod(a, b, max_value(uint256))
    high: uint256 = unsafe_sub(other, low)
    if other < low:
        high = unsafe_sub(high, 1)
    rest: uint256 = 0
    result: uint256 = 0
    if high == 0:
        result = unsafe_div(low, c)
        rest = low % c
    else:
        assert high < c
        rest = uint256_mulmod(a, b, c)
        if rest > low:
            high = unsafe_sub(high, 1)
        low = unsafe_sub(low, rest)
        # The division is exact now: without the twos in c it is a product with the inverse of c
        # modulo 2^256, of which each turn doubles the bits that are right: 4 at first.
        twos: uint256 = c & unsafe_sub(0, c)
        odd: uint256 = unsafe_div(c, twos)
        low = unsafe_div(low, twos)
        # 2^256 / twos, which is 2^256 itself, so 0, for 1.
        low |= unsafe_mul(high, unsafe_add(unsafe_div(unsafe_sub(0, twos), twos), 1))
        inverse: uint256 = unsafe_mul(3, odd) ^ 2
        inverse = unsafe_mul(inverse, unsafe_sub(2, unsafe_mul(odd, inverse)))
        inverse = unsafe_mul(inverse, unsafe_sub(2, unsafe_mul(odd, inverse)))
        inverse = unsafe_mul(inverse, unsafe_sub(2, unsafe_mul(odd, inverse)))
        inverse = unsafe_mul(inverse, unsafe_sub(2, unsafe_mul(odd, inverse)))
        inverse = unsafe_mul(inverse, unsafe_sub(2, unsafe_mul(odd, inverse)))
        inverse = unsafe_mul(inverse, unsafe_sub(2, unsafe_mul(odd, inverse)))
        result = unsafe_mul(low, inverse)
    if up and rest > 0:
        assert result < max_value(uint256)
        result = unsafe_add(result, 1)
    return result


@internal
@pure
def ceiling(a: uint256, b: uint256) -> uint256:
    """
    a / b, rounded up; b is not 0.
    """
    result: uint256 = unsafe_div(a, b)
    if a % b > 0:
        return unsafe_add(result, 1)
    return result


@internal
@pure
def moved(
    low: uint256, high: uint256, liquidity: uint256, is_token0: bool, up: bool
) -> uint256:
    """
    What of a token moves the price from one to another.
    """
    distance: uint256 = unsafe_sub(high, low)
    if is_token0:
        whole: uint256 = self.mul_div(liquidity << 96, distance, high, up)
        if up:
            return self.ceiling(whole, low)
        return unsafe_div(whole, low)
    # L * distance / 2^96 by the halves of the distance, whose products fit.
    part: uint256 = unsafe_mul(liquidity, distance & MASK96)
    result: uint256 = unsafe_add(unsafe_mul(liquidity, distance >> 96), part >> 96)
    if up and part & MASK96 > 0:
        return unsafe_add(result, 1)
    return result


@internal
@pure
def price_after_input(
    price: uint256, liquidity: uint256, amount: uint256, falls: bool
) -> uint256:
    """
    Where an amount moves the price to that does not suffice for the whole way; L is not 0.
    """
    if falls:
        if amount == 0:
            return price
        pool: uint256 = liquidity << 96
        product: uint256 = unsafe_mul(amount, price)
        if unsafe_div(product, amount) == price:
            whole: uint256 = unsafe_add(pool, product)
            if whole >= pool:
                return self.mul_div(pool, price, whole, True)
        return self.ceiling(pool, unsafe_add(unsafe_div(pool, price), amount))
    if amount < 2**160:
        return unsafe_add(price, unsafe_div(amount << 96, liquidity))
    return unsafe_add(price, self.mul_div(amount, Q96, liquidity, False))


@internal
@pure
def price_after_output(
    price: uint256, liquidity: uint256, amount: uint256, falls: bool
) -> uint256:
    """
    Where taking an amount moves the price to that the way has more of; L is not 0.
    """
    if falls:
        if amount < 2**160:
            return unsafe_sub(price, self.ceiling(amount << 96, liquidity))
        return unsafe_sub(price, self.mul_div(amount, Q96, liquidity, True))
    pool: uint256 = liquidity << 96
    return self.mul_div(pool, price, unsafe_sub(pool, unsafe_mul(amount, price)), True)


@internal
@pure
def without_fee(amount: uint256, fee: uint256) -> uint256:
    """
    What is left of an amount after a fee in millionths, rounded down.
    """
    left: uint256 = unsafe_sub(MILLION, fee)
    if amount < 2**235:
        return unsafe_div(unsafe_mul(amount, left), MILLION)
    return unsafe_add(
        unsafe_mul(unsafe_div(amount, MILLION), left),
        unsafe_div(unsafe_mul(amount % MILLION, left), MILLION),
    )


@internal
@pure
def fee_on(amount: uint256, fee: uint256) -> uint256:
    """
    The fee that belongs to an amount without it, rounded up; the amount has at most 200 bits.
    """
    return self.ceiling(unsafe_mul(amount, fee), unsafe_sub(MILLION, fee))


@internal
@pure
def growth(fee: uint256, liquidity: uint256) -> uint256:
    """
    A fee as a share of the liquidity, in 2^-128.
    """
    if fee < 2**128:
        return unsafe_div(fee << 128, liquidity)
    return self.mul_div(fee, 2**128, liquidity, False)


@internal
@pure
def share(grown: uint256, liquidity: uint256) -> uint256:
    """
    What a position earns of a growth of fees, at most 128 bits: higher ones are lost.
    """
    high: uint256 = unsafe_mul(grown >> 128, liquidity)
    low: uint256 = unsafe_mul(grown & MASK128, liquidity) >> 128
    return unsafe_add(high, low) & MASK128
