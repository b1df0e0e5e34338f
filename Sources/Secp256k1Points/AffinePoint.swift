package import Ethereum

/// A point of secp256k1, y^2 = x^3 + 7, that is not the one at infinity.
///
/// Source: https://www.secg.org/sec2-v2.pdf, 2.4.1.
package struct AffinePoint: Sendable {
    /// Both coordinates are tidy.
    var x: FieldElement
    var y: FieldElement

    @inline(__always)
    init(x: FieldElement, y: FieldElement) {
        self.x = x
        self.y = y
    }

    /// A point from its coordinates, of 32 big-endian bytes each.
    ///
    /// The caller makes sure that they are a point's, as libsecp256k1's public keys are.
    package init(x: Bytes32, y: Bytes32) {
        self.init(x: FieldElement(x), y: FieldElement(y))
    }

    /// The generator of the group.
    package static let generator = AffinePoint(
        x: Bytes32(
            limbs: (
                0x79BE_667E_F9DC_BBAC, 0x55A0_6295_CE87_0B07, 0x029B_FCDB_2DCE_28D9,
                0x59F2_815B_16F8_1798
            )
        ),
        y: Bytes32(
            limbs: (
                0x483A_DA77_26A3_C465, 0x5DA4_FBFC_0E11_08A8, 0xFD17_B448_A685_5419,
                0x9C47_D08F_FB10_D4B8
            )
        )
    )

    /// This point times 1, 2, 4 and so on to 2^(count - 1).
    ///
    /// No power of two is a multiple of the group's order, which is odd.
    func doublings(count: Int) -> [AffinePoint] {
        // Jacobian coordinates: x / z^2 and y / z^3.
        var (x, y, z) = (x, y, FieldElement.one)
        var points = [AffinePoint(x: x, y: y)]
        var depths = [z]
        // The product of all z until here.
        var products = [z]
        for _ in 1..<max(1, count) {
            let square = y.squared
            let shared = (x * square).tidy
            let s = (shared + shared + shared + shared).tidy
            let tangent = (x.squared + x.squared + x.squared).tidy
            let newX = tangent.squared.minus(s, s)
            let fourth = square.squared
            let twice = (fourth + fourth).tidy
            z = ((y + y).tidy * z)
            y = (tangent * (s - newX) - (twice + twice + twice + twice).tidy).tidy
            x = newX
            points.append(AffinePoint(x: x, y: y))
            depths.append(z)
            products.append(products[products.count - 1] * z)
        }
        var inverse = products[products.count - 1].inverse
        for index in stride(from: points.count - 1, to: 0, by: -1) {
            let depth = inverse * products[index - 1]
            inverse = inverse * depths[index]
            let square = depth.squared
            points[index].x = points[index].x * square
            points[index].y = points[index].y * square * depth
        }
        return points
    }
}
