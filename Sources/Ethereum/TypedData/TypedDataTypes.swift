/// The structs of EIP-712 typed data; all are known and none contains itself.
public struct TypedDataTypes: Hashable, Sendable {
    /// The maximum number of structs, of members in one, and of bytes of their hashed form.
    static let maximumCount = 64
    static let maximumMembers = 128
    static let maximumText = 16_384

    /// Sorted by name.
    public let structures: [TypedDataStruct]
    private let byName: [String: Entry]

    /// A struct with values computed from all structs.
    private struct Entry: Hashable {
        let structure: TypedDataStruct
        let encodedType: String
        let typeHash: Bytes32
    }

    /// A set of structs.
    ///
    /// A struct that contains itself is refused, even through an array that could end the
    /// recursion: no standard says how others hash it.
    ///
    /// - Throws: `TypedDataError`.
    public init(_ structures: [TypedDataStruct]) throws(TypedDataError) {
        let length = structures.reduce(0) { $0 + $1.encodedType.utf8.count }
        guard structures.count <= Self.maximumCount, length <= Self.maximumText,
            structures.allSatisfy({ $0.members.count <= Self.maximumMembers })
        else { throw .tooManyTypes }
        var known: [String: TypedDataStruct] = [:]
        for structure in structures {
            guard known.updateValue(structure, forKey: structure.name) == nil else {
                throw .repeatedStruct(structure.name)
            }
        }
        var graph = TypedDataGraph(structures: known)
        var byName: [String: Entry] = [:]
        for structure in structures {
            let others = try graph.dependencies(of: structure).compactMap { known[$0] }
            let text = ([structure] + others).map(\.encodedType).joined()
            byName[structure.name] = Entry(
                structure: structure,
                encodedType: text,
                typeHash: Keccak256.hash(text.utf8)
            )
        }
        self.structures = structures.sorted { TypedDataGraph.precedes($0.name, $1.name) }
        self.byName = byName
    }

    /// A struct by its name; nil if there is none.
    public subscript(name: String) -> TypedDataStruct? {
        byName[name]?.structure
    }

    /// EIP-712's `encodeType`: the struct and, sorted by name, all structs that it refers to.
    ///
    /// nil if there is no struct of this name.
    public func encodedType(of name: String) -> String? {
        byName[name]?.encodedType
    }

    /// The hash of `encodedType`.
    public func typeHash(of name: String) -> Bytes32? {
        byName[name]?.typeHash
    }

    /// EIP-712's `hashStruct`.
    ///
    /// - Parameter value: a tuple with a value for each member; structs are tuples themselves.
    /// - Throws: `TypedDataError`: the struct does not exist, or the value does not fit it.
    public func hash(_ value: ABIValue, of name: String) throws(TypedDataError) -> Bytes32 {
        guard let entry = byName[name] else { throw .unknownStruct(name) }
        let members = entry.structure.members
        guard case .tuple(let values) = value, values.count == members.count else {
            throw .value(
                path: "",
                .mismatch("\(members.count) values are expected for \(name.excerpt)")
            )
        }
        var encoded = entry.typeHash.bytes
        encoded.reserveCapacity(32 * (1 + members.count))
        for (member, value) in zip(members, values) {
            try TypedDataError.within(member.name) { () throws(TypedDataError) in
                let word = try word(of: value, member.type.base, member.type.dimensions[...])
                word.append(to: &encoded)
            }
        }
        return Keccak256.hash(encoded)
    }

    /// EIP-712's `encodeData` of one value, which is always one word.
    private func word(
        of value: ABIValue,
        _ base: TypedDataType.Base,
        _ dimensions: ArraySlice<Int?>
    ) throws(TypedDataError) -> Bytes32 {
        guard let count = dimensions.last else { return try word(of: value, base) }
        guard case .array(let elements) = value else {
            throw .value(path: "", .mismatch("an array is expected"))
        }
        if let count, count != elements.count {
            throw .value(path: "", .wrongCount(expected: count, found: elements.count))
        }
        var encoded: [UInt8] = []
        encoded.reserveCapacity(32 * elements.count)
        for (index, element) in elements.enumerated() {
            try TypedDataError.within("[\(index)]") { () throws(TypedDataError) in
                try word(of: element, base, dimensions.dropLast()).append(to: &encoded)
            }
        }
        return Keccak256.hash(encoded)
    }

    private func word(
        of value: ABIValue,
        _ base: TypedDataType.Base
    ) throws(TypedDataError) -> Bytes32 {
        switch (base, value) {
        case (.structure(let name), _): return try hash(value, of: name)
        case (.atomic(.bytes), .bytes(let bytes)): return Keccak256.hash(bytes)
        case (.atomic(.string), .string(let text)): return Keccak256.hash(text.utf8)
        case (.atomic(let type), _):
            do throws(ABIError) {
                let encoded = try ABI.encode([value], as: [type])
                if !type.isDynamic, let word = Bytes32(bytes: encoded) { return word }
            } catch {
                throw .value(path: "", .mismatch("it is no \(type.name)"))
            }
            throw .value(path: "", .mismatch("it is no \(type.name)"))
        }
    }
}

/// The references between structs.
private struct TypedDataGraph {
    fileprivate enum Mark {
        /// Its visit is not finished: a second visit means that the struct contains itself.
        case open
        /// The maximum nesting of structs and arrays, and all referenced structs.
        case done(height: Int, dependencies: Set<String>)
    }

    let structures: [String: TypedDataStruct]
    fileprivate var marks: [String: Mark] = [:]

    /// The names of the structs that a struct refers to, in EIP-712's order.
    mutating func dependencies(of structure: TypedDataStruct) throws(TypedDataError) -> [String] {
        try visit(structure, depth: 0).dependencies.sorted(by: Self.precedes)
    }

    /// Compares names, which are ASCII, by their bytes.
    static func precedes(_ left: String, _ right: String) -> Bool {
        left.utf8.lexicographicallyPrecedes(right.utf8)
    }

    private mutating func visit(
        _ structure: TypedDataStruct,
        depth: Int
    ) throws(TypedDataError) -> (height: Int, dependencies: Set<String>) {
        switch marks[structure.name] {
        case .done(let height, let dependencies)?: return (height, dependencies)
        case .open?: throw .recursiveStruct(structure.name)
        case nil: break
        }
        guard depth < ABIType.maximumDepth else { throw .tooDeep }
        marks[structure.name] = .open
        var height = 1
        var dependencies: Set<String> = []
        for member in structure.members {
            var below = member.type.dimensions.count
            if case .structure(let name) = member.type.base {
                guard let other = structures[name] else { throw .unknownStruct(name) }
                let found = try visit(other, depth: depth + 1)
                below += found.height
                dependencies.formUnion(found.dependencies)
                dependencies.insert(name)
            }
            height = max(height, 1 + below)
        }
        guard height <= ABIType.maximumDepth else { throw .tooDeep }
        marks[structure.name] = .done(height: height, dependencies: dependencies)
        return (height, dependencies)
    }
}
