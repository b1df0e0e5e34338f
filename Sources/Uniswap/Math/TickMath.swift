public import Ethereum

/// Prices of ticks: a tick is a power of 1.0001, the price of token0 in token1, both in base units;
/// pools hold its square root times 2^96 (`sqrtPriceX96`).
///
/// Source: TickMath of Uniswap v3.
public enum TickMath {
    /// -887272...887272, for every tick spacing.
    public static let ticks: ClosedRange<Int32> = -887_272...887_272
    /// The square root price of the lowest tick; a swap stops one above it.
    public static let minimumPrice: UInt256 = 4_295_128_739
    /// The square root price of the highest tick; a swap stops one below it.
    public static let maximumPrice: UInt256 =
        1_461_446_703_485_210_103_287_273_052_203_988_822_378_723_970_342

    /// The square root prices that a pool can have.
    static let prices = minimumPrice...(maximumPrice - 1)
    /// Those that a swap can leave: it stops at one of the ends if the pool has nothing left.
    static let pricesAfterSwap = (minimumPrice + 1)...(maximumPrice - 1)

    /// The square root price of a tick; nil for a tick out of range.
    ///
    /// Example: `TickMath.price(0)` is `Optional(79228162514264337593543950336)`.
    ///
    /// Source: `getSqrtRatioAtTick`.
    public static func price(_ tick: Int32) -> UInt256? {
        guard ticks.contains(tick) else { return nil }
        var bits = tick.magnitude
        // 1 in 128 fractional bits does not fit; the first factor stands for the first product.
        var ratio: UInt128?
        while bits != 0 {
            let factor = factors[bits.trailingZeroBitCount]
            ratio = ratio.map { $0.multipliedFullWidth(by: factor).high } ?? factor
            bits &= bits - 1
        }
        guard let ratio else { return one }
        if tick < 0 { return rounded(UInt256(ratio)) }
        return UInt256.max.divided(by: UInt256(ratio)).map(rounded)
    }

    /// The greatest tick whose square root price is not above a price.
    ///
    /// nil for a price below the lowest tick's, or not below the highest one's.
    ///
    /// Source: `getTickAtSqrtRatio`.
    public static func tick(_ price: UInt256) -> Int32? {
        guard price >= minimumPrice, price < maximumPrice else { return nil }
        var tick = estimate(price)
        // The estimate is exact or one off.
        while let own = Self.price(tick), own > price { tick -= 1 }
        while let next = Self.price(tick + 1), next <= price { tick += 1 }
        return tick
    }

    /// 2^96.
    static let one = UInt256(UInt128(1) << 96)

    /// A ratio of 128 fractional bits in 96 of them, rounded up.
    private static func rounded(_ ratio: UInt256) -> UInt256 {
        UInt256(
            w0: ratio.w0 >> 32 | ratio.w1 << 32,
            w1: ratio.w1 >> 32 | ratio.w2 << 32,
            w2: ratio.w2 >> 32 | ratio.w3 << 32,
            w3: ratio.w3 >> 32
        ) + (ratio.w0 & 0xffff_ffff == 0 ? 0 : 1)
    }

    /// The tick from 16 binary digits of the logarithm: at most one off.
    private static func estimate(_ price: UInt256) -> Int32 {
        let zeros = price.leadingZeroBitCount
        var mantissa = (price << zeros).w3
        var logarithm = Int64(255 - zeros - 96)
        // The square of a number from 1 to 2 is below 2 exactly if the next digit is 0.
        for _ in 0..<16 {
            let square = mantissa.multipliedFullWidth(by: mantissa)
            let digit = square.high >> 63
            mantissa = digit == 1 ? square.high : square.high << 1 | square.low >> 63
            logarithm = logarithm << 1 | Int64(digit)
        }
        let tick = (logarithm * ticksPerDigit) >> 32
        let bounded = min(max(tick, Int64(ticks.lowerBound)), Int64(ticks.upperBound))
        return Int32(truncatingIfNeeded: bounded)
    }

    /// 2 / log2(1.0001) / 2^16 in 32 fractional bits.
    private static let ticksPerDigit: Int64 = 908_567_298

    /// 1.0001^(-2^(i-1)) in 128 fractional bits.
    private static let factors: [UInt128] = [
        0xfffc_b933_bd6f_ad37_aa2d_162d_1a59_4001, 0xfff9_7272_373d_4132_59a4_6990_580e_213a,
        0xfff2_e50f_5f65_6932_ef12_357c_f3c7_fdcc, 0xffe5_caca_7e10_e4e6_1c36_24ea_a094_1cd0,
        0xffcb_9843_d60f_6159_c9db_5883_5c92_6644, 0xff97_3b41_fa98_c081_472e_6896_dfb2_54c0,
        0xff2e_a164_66c9_6a38_43ec_78b3_26b5_2861, 0xfe5d_ee04_6a99_a2a8_11c4_61f1_969c_3053,
        0xfcbe_86c7_900a_88ae_dcff_c83b_479a_a3a4, 0xf987_a725_3ac4_1317_6f2b_074c_f781_5e54,
        0xf339_2b08_22b7_0005_940c_7a39_8e4b_70f3, 0xe715_9475_a2c2_9b74_43b2_9c7f_a6e8_89d9,
        0xd097_f3bd_fd20_22b8_845a_d8f7_92aa_5825, 0xa9f7_4646_2d87_0fdf_8a65_dc1f_90e0_61e5,
        0x70d8_69a1_56d2_a1b8_90bb_3df6_2baf_32f7, 0x31be_135f_97d0_8fd9_8123_1505_542f_cfa6,
        0x09aa_508b_5b7a_84e1_c677_de54_f3e9_9bc9, 0x005d_6af8_dedb_8119_6699_c329_225e_e604,
        0x0000_2216_e584_f5fa_1ea9_2604_1bed_fe98, 0x0000_0000_048a_1703_91f7_dc42_444e_8fa2,
    ]
}
