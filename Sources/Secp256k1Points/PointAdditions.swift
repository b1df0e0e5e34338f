/// Additions of points, many at once, which share one inversion in the field.
///
/// An addition of affine points takes one division, a multiplication and a square; by Montgomery's
/// trick a division takes four multiplications and its part of the inversion.
///
/// Source: https://www.secg.org/sec1-v2.pdf, 2.2.1.
struct PointAdditions: ~Copyable {
    /// An addition: where its two points are, and where its sum goes.
    struct Addition {
        var left: Int32
        var right: Int32
        var sum: Int32
    }

    /// The points, and behind them three that stand in for an impossible addition.
    let points: UnsafeMutablePointer<AffinePoint>
    /// What is to be added next.
    let additions: UnsafeMutablePointer<Addition>
    private let products: UnsafeMutablePointer<FieldElement>
    private let standIn: Int32

    /// Room for points and for additions at a time; the points are to be written before use.
    init(points pointCount: Int, additions additionCount: Int) {
        points = .allocate(capacity: pointCount + 3)
        additions = .allocate(capacity: additionCount)
        products = .allocate(capacity: additionCount)
        standIn = Int32(pointCount)
        // Any two with different x.
        (points + pointCount).initialize(to: .generator)
        (points + pointCount + 1).initialize(to: AffinePoint(x: .one, y: .one))
        (points + pointCount + 2).initialize(to: .generator)
    }

    deinit {
        // Plain numbers, which need no deinitialisation.
        points.deallocate()
        additions.deallocate()
        products.deallocate()
    }

    /// Adds up groups of points, each at the start of its own room, where its sum is left.
    ///
    /// - Parameters:
    ///   - width: the room of a group.
    ///   - counts: the number of points of each group, at most its room.
    /// - Returns: whether each group has a sum; not without points, nor if one of its additions is
    ///   impossible, which leaves the others alone.
    func addGroups(of width: Int, counts: [Int]) -> [Bool] {
        var haveSums = counts.map { $0 > 0 }
        var counts = counts
        while true {
            var count = 0
            for (group, points) in counts.enumerated() {
                let first = Int32(group * width)
                for pair in 0..<Int32(points / 2) {
                    additions[count] = Addition(
                        left: first + 2 * pair,
                        right: first + 2 * pair + 1,
                        sum: first + pair
                    )
                    count += 1
                }
            }
            guard count > 0 else { return haveSums }
            add(count) { haveSums[$0 / width] = false }
            for group in counts.indices {
                let first = group * width
                // The one without a partner.
                if counts[group] % 2 == 1 {
                    points[first + counts[group] / 2] = points[first + counts[group] - 1]
                }
                counts[group] = (counts[group] + 1) / 2
            }
        }
    }

    /// Does the first additions, in their order.
    ///
    /// A sum may replace points that later additions do not use.
    ///
    /// - Parameter impossible: is called with the place of each sum that is not made because both
    ///   points have the same x; what is in this place has no meaning.
    func add(_ count: Int, impossible: (Int) -> Void) {
        guard count > 0 else { return }
        var product = multiplyDenominators(count)
        var total = product.even * product.odd
        if total.isZero {
            for index in 0..<count where denominator(index).isZero {
                impossible(Int(additions[index].sum))
                additions[index] = Addition(
                    left: standIn,
                    right: standIn + 1,
                    sum: standIn + 2
                )
            }
            product = multiplyDenominators(count)
            total = product.even * product.odd
        }
        let inverse = total.inverse
        // The inverse of all denominators from here on, with an even number and with an odd one.
        var even = inverse * product.odd
        var odd = inverse * product.even
        var index = 0
        while index &+ 1 < count {
            add(index, &even)
            add(index &+ 1, &odd)
            index &+= 2
        }
        if index < count { add(index, &even) }
    }

    /// Stores for each addition the product of the denominators of every other one behind it.
    ///
    /// Two products instead of one, so that a processor can work on both at once.
    private func multiplyDenominators(
        _ count: Int
    ) -> (even: FieldElement, odd: FieldElement) {
        var even = FieldElement.one
        var odd = FieldElement.one
        var index = count
        if index & 1 == 1 {
            index &-= 1
            products[index] = even
            even = even * denominator(index)
        }
        while index > 0 {
            index &-= 2
            products[index] = even
            products[index &+ 1] = odd
            even = even * denominator(index)
            odd = odd * denominator(index &+ 1)
        }
        return (even, odd)
    }

    /// The difference of the x of the points, loose.
    @inline(__always)
    private func denominator(_ index: Int) -> FieldElement {
        let addition = additions[index]
        return points[Int(addition.right)].x - points[Int(addition.left)].x
    }

    @inline(__always)
    private func add(_ index: Int, _ inverse: inout FieldElement) {
        let addition = additions[index]
        let left = points[Int(addition.left)]
        let right = points[Int(addition.right)]
        let slope = (right.y - left.y) * (inverse * products[index])
        inverse = inverse * (right.x - left.x)
        let x = slope.squared.minus(left.x, right.x)
        let y = (slope * (left.x - x) - left.y).tidy
        points[Int(addition.sum)] = AffinePoint(x: x, y: y)
    }
}
