/// The structs that EIP-712 typed data is made of, all of them known and none within itself.
public struct TypedDataTypes: Hashable, Sendable {
    /// The most structs, members of one, and bytes of all of them as they are hashed.
    static let maximumCount = 64
    static let maximumMembers = 128
    static let maximumText = 16_384

    /// Sorted by name.
    public let structures: [TypedDataStruct]
    private let byName: [String: Entry]

    /// A struct with what follows from all of them.
    private struct Entry: Hashable {
        let structure: TypedDataStruct
        let encodedType: String
        let typeHash: Bytes32
    }

    /// A set of structs.
    ///
    /// A struct that is within itself is refused, also where an array would let its values end: no
    /// standard says what others make of it.
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
        var graph = TypedDataGraph(known)
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

    /// A struct by its name; nil where there is none.
    public subscript(name: String) -> TypedDataStruct? {
        byName[name]?.structure
    }

    /// EIP-712's `encodeType`: the struct and, sorted by name, all that it refers to; nil where
    /// there is no struct of this name.
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
    /// - Throws: `TypedDataError`: there is no such struct, or the value does not fit it.
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
            do throws(TypedDataError) {
                let word = try word(of: value, member.type.base, member.type.dimensions[...])
                word.append(to: &encoded)
            } catch {
                throw error.within(member.name)
            }
        }
        return Keccak256.hash(encoded)
    }

    /// EIP-712's `encodeData` for one value, which is always one word.
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
            do throws(TypedDataError) {
                try word(of: element, base, dimensions.dropLast()).append(to: &encoded)
            } catch {
                throw error.within("[\(index)]")
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

/// Which structs refer to which.
private struct TypedDataGraph {
    private enum Mark {
        /// Being looked at: whoever comes here again is within itself.
        case open
        /// How many structs and arrays are within each other at the most, and what is referred to.
        case done(height: Int, dependencies: Set<String>)
    }

    private let structures: [String: TypedDataStruct]
    private var marks: [String: Mark] = [:]

    init(_ structures: [String: TypedDataStruct]) {
        self.structures = structures
    }

    /// The names of the structs that a struct refers to, sorted as EIP-712 asks.
    mutating func dependencies(of structure: TypedDataStruct) throws(TypedDataError) -> [String] {
        try visit(structure, depth: 0).dependencies.sorted(by: Self.precedes)
    }

    /// The order of names, which are ASCII: that of their bytes.
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
