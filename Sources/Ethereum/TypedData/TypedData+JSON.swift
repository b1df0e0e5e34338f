public import StrictJSON

extension TypedData {
    /// Typed data in the form of `eth_signTypedData_v4`: types, primaryType, domain and message.
    ///
    /// Numbers are JSON integers or texts, decimal or hexadecimal after `0x`; booleans are JSON
    /// booleans; bytes are hexadecimal. A member that is missing, null or not in the types is an
    /// error. So is a domain struct unlike the standard's: others would hash something else.
    ///
    /// - Throws: `TypedDataError`.
    public init(json: JSONValue) throws(TypedDataError) {
        let members = try TypedDataReader.members(
            of: json,
            ["types", "primaryType", "domain", "message"]
        )
        guard let primaryType = members[1].stringValue else {
            throw .value(path: "primaryType", .mismatch("a text is expected"))
        }
        let (types, domainType) = try TypedDataReader.types(members[0])
        let domain = try TypedDataReader.domain(members[2], as: domainType)
        guard let structure = types[primaryType] else { throw .unknownStruct(primaryType) }
        let message = try TypedDataError.within("message") { () throws(TypedDataError) in
            try TypedDataReader.structure(members[3], as: structure, of: types)
        }
        try self.init(types: types, primaryType: primaryType, domain: domain, message: message)
    }

    /// The typed data in the form of `eth_signTypedData_v4`; numbers are decimal texts.
    public var json: JSONValue {
        var types = JSONObject()
        types[TypedDataDomain.typeName] = .array(
            domain.members.map { ["name": .string($0.name), "type": .string($0.type)] }
        )
        for structure in self.types.structures {
            types[structure.name] = .array(
                structure.members.map { member in
                    ["name": .string(member.name), "type": .string(member.type.name)]
                }
            )
        }
        var domain = JSONObject()
        for member in self.domain.members { domain[member.name] = Self.json(member.value) }
        return [
            "types": .object(types),
            "primaryType": .string(primaryType),
            "domain": .object(domain),
            "message": json(message, .structure(primaryType), []),
        ]
    }

    private func json(
        _ value: ABIValue,
        _ base: TypedDataType.Base,
        _ dimensions: ArraySlice<Int?>
    ) -> JSONValue {
        switch (value, base) {
        case (.array(let elements), _):
            return .array(elements.map { json($0, base, dimensions.dropLast()) })
        case (.tuple(let values), .structure(let name)):
            var object = JSONObject()
            for (member, value) in zip(types[name]?.members ?? [], values) {
                let dimensions = member.type.dimensions[...]
                object[member.name] = json(value, member.type.base, dimensions)
            }
            return .object(object)
        default: return Self.json(value)
        }
    }

    private static func json(_ value: ABIValue) -> JSONValue {
        if case .bool(let flag) = value { return .bool(flag) }
        return .string(ABIText.format(value))
    }
}

/// Reads the parts of typed data from JSON.
private enum TypedDataReader {
    /// The values of exactly these members, in this order.
    static func members(
        of json: JSONValue,
        _ names: [String]
    ) throws(TypedDataError) -> [JSONValue] {
        guard let object = json.objectValue else {
            throw .value(path: "", .mismatch("an object is expected"))
        }
        var values: [JSONValue] = []
        values.reserveCapacity(names.count)
        var position = 0
        for name in names {
            guard let value = object.value(of: name, from: &position) else {
                throw TypedDataError.value(path: "", .missing).within(name)
            }
            values.append(value)
        }
        if object.members.count != names.count {
            let known = Set(names)
            let extra = object.members.first { !known.contains($0.key) }
            throw TypedDataError.value(path: "", .unknown).within(extra?.key ?? "")
        }
        return values
    }

    /// The structs without the domain's, and the domain's.
    static func types(
        _ json: JSONValue
    ) throws(TypedDataError) -> (TypedDataTypes, domain: TypedDataStruct) {
        guard let object = json.objectValue else {
            throw .value(path: "types", .mismatch("an object is expected"))
        }
        guard object.members.count <= TypedDataTypes.maximumCount + 1 else { throw .tooManyTypes }
        var structures: [TypedDataStruct] = []
        var domain: TypedDataStruct?
        for entry in object.members {
            let members = try TypedDataError.within("types") { () throws(TypedDataError) in
                try TypedDataError.within(entry.key) { () throws(TypedDataError) in
                    try structMembers(entry.value)
                }
            }
            if entry.key == TypedDataDomain.typeName {
                domain = try TypedDataStruct(checked: entry.key, members)
            } else {
                structures.append(try TypedDataStruct(entry.key, members: members))
            }
        }
        guard let domain else { throw .malformedDomain }
        return (try TypedDataTypes(structures), domain)
    }

    private static func structMembers(
        _ json: JSONValue
    ) throws(TypedDataError) -> [TypedDataStruct.Member] {
        guard let list = json.arrayValue else {
            throw .value(path: "", .mismatch("an array is expected"))
        }
        guard list.count <= TypedDataTypes.maximumMembers else { throw .tooManyTypes }
        var members: [TypedDataStruct.Member] = []
        members.reserveCapacity(list.count)
        for (index, json) in list.enumerated() {
            try TypedDataError.within("[\(index)]") { () throws(TypedDataError) in
                let parts = try Self.members(of: json, ["name", "type"])
                guard let name = parts[0].stringValue, let type = parts[1].stringValue else {
                    throw .value(path: "", .mismatch("name and type must be texts"))
                }
                members.append(try TypedDataStruct.Member(name, TypedDataType(type)))
            }
        }
        return members
    }

    static func domain(
        _ json: JSONValue,
        as structure: TypedDataStruct
    ) throws(TypedDataError) -> TypedDataDomain {
        var position = 0
        for member in structure.members {
            let rest = TypedDataDomain.allMembers[position...]
            guard let index = rest.firstIndex(where: { $0.name == member.name }),
                rest[index].type == member.type.name
            else { throw .malformedDomain }
            position = index + 1
        }
        var domain = TypedDataDomain()
        try TypedDataError.within("domain") { () throws(TypedDataError) in
            let values = try members(of: json, structure.members.map(\.name))
            for (member, json) in zip(structure.members, values) {
                let value = try TypedDataError.within(member.name) { () throws(TypedDataError) in
                    try atomic(json, member.type.base)
                }
                switch value {
                case .string(let text) where member.name == "name": domain.name = text
                case .string(let text): domain.version = text
                case .uint(let number): domain.chainID = number
                case .address(let address): domain.verifyingContract = address
                case .fixedBytes(let bytes): domain.salt = Bytes32(bytes: bytes)
                default: throw .malformedDomain
                }
            }
        }
        return domain
    }

    static func structure(
        _ json: JSONValue,
        as structure: TypedDataStruct,
        of types: TypedDataTypes
    ) throws(TypedDataError) -> ABIValue {
        let found = try members(of: json, structure.members.map(\.name))
        var values: [ABIValue] = []
        values.reserveCapacity(found.count)
        for (member, json) in zip(structure.members, found) {
            try TypedDataError.within(member.name) { () throws(TypedDataError) in
                let dimensions = member.type.dimensions[...]
                values.append(try value(json, member.type.base, dimensions, of: types))
            }
        }
        return .tuple(values)
    }

    private static func value(
        _ json: JSONValue,
        _ base: TypedDataType.Base,
        _ dimensions: ArraySlice<Int?>,
        of types: TypedDataTypes
    ) throws(TypedDataError) -> ABIValue {
        if let count = dimensions.last {
            guard let elements = json.arrayValue else {
                throw .value(path: "", .mismatch("an array is expected"))
            }
            if let count, count != elements.count {
                throw .value(path: "", .wrongCount(expected: count, found: elements.count))
            }
            var values: [ABIValue] = []
            values.reserveCapacity(elements.count)
            for (index, element) in elements.enumerated() {
                try TypedDataError.within("[\(index)]") { () throws(TypedDataError) in
                    values.append(try value(element, base, dimensions.dropLast(), of: types))
                }
            }
            return .array(values)
        }
        guard case .structure(let name) = base else { return try atomic(json, base) }
        guard let structure = types[name] else { throw .unknownStruct(name) }
        return try self.structure(json, as: structure, of: types)
    }

    private static func atomic(
        _ json: JSONValue,
        _ base: TypedDataType.Base
    ) throws(TypedDataError) -> ABIValue {
        guard case .atomic(let type) = base else { throw .malformedDomain }
        let text: String
        switch (json, type) {
        case (.bool(let flag), .bool): return .bool(flag)
        case (_, .bool): throw .value(path: "", .mismatch("true or false is expected"))
        case (.number(let literal), .uint), (.number(let literal), .int): text = literal
        case (.string(let content), _): text = content
        default: throw .value(path: "", .mismatch("a \(type.name) is expected"))
        }
        do throws(ABITextError) {
            return try ABIText.scalar(text, type)
        } catch {
            throw .value(path: "", .mismatch("\(text.quotedExcerpt) is no \(type.name)"))
        }
    }
}
