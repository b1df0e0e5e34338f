extension Shape {
    package static let integer = Shape.named(.integer)
    package static let time = Shape.named(.time)
    package static let address = Shape.named(.address)
    package static let hash = Shape.named(.hash)
    package static let bytes = Shape.named(.bytes)
    package static let digits = Shape.named(.digits)
    package static let price = Shape.named(.price)
    package static let percent = Shape.named(.percent)
    package static let pairName = Shape.named(.pairName)
    package static let amount = Shape.named(.amount)
    package static let signedAmount = Shape.named(.signedAmount)
    package static let token = Shape.named(.token)
    package static let currency = Shape.named(.currency)
}

/// The values that all answers share.
extension NamedShape {
    package static let integer = NamedShape(
        "integer",
        "An integer from 0 on; a text beyond 2^53",
        .either([.count, .pattern("[0-9]{16,78}")])
    )

    package static let time = NamedShape(
        "time",
        "Seconds since 1970; a text beyond 2^53",
        integer.shape
    )

    package static let address = NamedShape(
        "address",
        "An address with its checksum (EIP-55)",
        .pattern("0x[0-9a-fA-F]{40}")
    )

    package static let hash = NamedShape(
        "hash",
        "32 bytes in lower case",
        .pattern("0x[0-9a-f]{64}")
    )

    package static let bytes = NamedShape(
        "bytes",
        "Bytes in lower case",
        .pattern("0x([0-9a-f]{2})*")
    )

    package static let digits = NamedShape(
        "digits",
        "A whole number as a text: base units, wei",
        .pattern("[0-9]+")
    )

    package static let price = NamedShape(
        "price",
        "QUOTE per BASE in human units, rounded half up to 18 significant digits",
        .pattern("[0-9]+(\\.[0-9]+)?")
    )

    package static let percent = NamedShape(
        "percent",
        "A percentage: 0.83 is less than one hundredth",
        .pattern("[0-9]+(\\.[0-9]+)?")
    )

    package static let pairName = NamedShape(
        "pairName",
        "BASE/QUOTE by their symbols",
        .text
    )

    package static let amount = NamedShape(
        "amount",
        "An amount of a token or a coin",
        amount(.digits, .pattern("[0-9]+(\\.[0-9]+)?"))
    )

    package static let signedAmount = NamedShape(
        "signedAmount",
        "A profit; a loss has a minus sign",
        amount(.pattern("-?[0-9]+"), .pattern("-?[0-9]+(\\.[0-9]+)?"))
    )

    private static func amount(_ raw: Shape, _ value: Shape) -> Shape {
        .object([
            .init("raw", raw, "Base units"),
            .init("value", value.orNull, "Human units, exact; null if the decimals are unknown"),
            .init("symbol", .text, "The token's symbol"),
            .init("address", Shape.address.orNull, "The token; null is a coin"),
        ])
    }

    package static let token = NamedShape("token", "A token", token(.address))
    package static let currency = NamedShape(
        "currency",
        "A token or a coin",
        token(Shape.address.orNull)
    )

    private static func token(_ address: Shape) -> Shape {
        .object([
            .init("symbol", .text, "Its symbol"),
            .init("name", .text, "Its name"),
            .init("address", address, "Its contract; null is a coin"),
            .init("decimals", Shape.count.orNull, "Its decimals; null if unknown"),
        ])
    }
}
