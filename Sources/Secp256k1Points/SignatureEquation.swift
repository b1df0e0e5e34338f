package import Ethereum

/// What holds of a signature (r, s) over a digest z if the owner of a public key Q made it.
///
/// The point (z G + r Q) / s has r as its x and the signature's parity in its y.
///
/// Source: https://www.secg.org/sec1-v2.pdf, 4.1.4 and 4.1.6.
package struct SignatureEquation: Sendable {
    private let digest: Scalar
    private let r: Scalar
    private let s: Scalar
    /// r as the x of a point, which it is below n.
    private let x: Bytes32
    private let isOdd: Bool
    private let table: PointTable

    /// The equation of a signature and the table of a public key.
    ///
    /// It is nil unless r and s are from 1 to n - 1. A high s will do.
    package init?(digest: Bytes32, signature: Signature, table: PointTable) {
        guard let r = Scalar(inRange: signature.r), let s = Scalar(inRange: signature.s) else {
            return nil
        }
        self.digest = Scalar(digest)
        self.r = r
        self.s = s
        x = signature.r
        isOdd = signature.yParity == 1
        self.table = table
    }

    /// Whether each equation is seen to hold.
    ///
    /// True is exact. False is no proof: two points of a sum that have the same x are not added.
    package static func areConfirmed(_ equations: [SignatureEquation]) -> [Bool] {
        var confirmed: [Bool] = []
        confirmed.reserveCapacity(equations.count)
        var start = 0
        while start < equations.count {
            let end = min(start + batchSize, equations.count)
            confirm(equations[start..<end], into: &confirmed)
            start = end
        }
        return confirmed
    }

    /// More would not fit the cache that is next to a processor; an inversion is cheap by then.
    private static let batchSize = 32

    private static func confirm(
        _ equations: ArraySlice<SignatureEquation>,
        into confirmed: inout [Bool]
    ) {
        let width =
            PointTable.generator.windowCount
            + (equations.lazy.map(\.table.windowCount).max() ?? 0)
        let sums = PointAdditions(
            points: equations.count * width,
            additions: equations.count * width / 2
        )
        var counts: [Int] = []
        counts.reserveCapacity(equations.count)
        for (equation, inverse) in zip(equations, inverses(equations)) {
            let points = sums.points + counts.count * width
            let count = PointTable.generator.write(equation.digest * inverse, to: points)
            counts.append(
                count + equation.table.write(equation.r * inverse, to: points + count)
            )
        }
        let haveSums = sums.addGroups(of: width, counts: counts)
        for (index, equation) in equations.enumerated() {
            let point = sums.points[index * width]
            confirmed.append(
                haveSums[index] && point.x.word == equation.x
                    && (point.y.words.0 & 1 == 1) == equation.isOdd
            )
        }
    }

    /// The inverse of each s, with one inversion for all.
    private static func inverses(_ equations: ArraySlice<SignatureEquation>) -> [Scalar] {
        var products: [Scalar] = []
        products.reserveCapacity(equations.count)
        var product = Scalar.one
        for equation in equations {
            products.append(product)
            product = product * equation.s
        }
        var inverse = product.inverse
        for (index, equation) in zip(products.indices, equations).reversed() {
            products[index] = products[index] * inverse
            inverse = inverse * equation.s
        }
        return products
    }
}
