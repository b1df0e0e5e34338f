package import StrictJSON

extension JSONValue {
    /// The value in lines for a reader, two spaces for each level; what has no members stays short.
    package var indented: [String] {
        var lines = [""]
        write(below: "", to: &lines)
        return lines
    }

    private func write(below indent: String, to lines: inout [String]) {
        let inner = indent + "  "
        switch self {
        case .object(let object) where !object.members.isEmpty:
            lines[lines.count - 1] += "{"
            for (index, member) in object.members.enumerated() {
                lines.append(inner + JSONValue.string(member.key).text + ": ")
                member.value.write(below: inner, to: &lines)
                if index < object.members.count - 1 { lines[lines.count - 1] += "," }
            }
            lines.append(indent + "}")
        case .array(let values) where values.contains { $0.objectValue != nil }:
            lines[lines.count - 1] += "["
            for (index, value) in values.enumerated() {
                lines.append(inner)
                value.write(below: inner, to: &lines)
                if index < values.count - 1 { lines[lines.count - 1] += "," }
            }
            lines.append(indent + "]")
        default: lines[lines.count - 1] += text
        }
    }
}
