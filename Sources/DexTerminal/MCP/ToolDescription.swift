package import StrictJSON

/// What a client is told of a tool: all of it constant.
package struct ToolDescription: Sendable {
    /// What a call may change.
    package enum Effect: Sendable {
        /// Nothing.
        case none
        /// Nothing on the chain; `dex` keeps what it made.
        case keeps
        /// Moves money, once for each plan.
        case moves
    }

    package let name: String
    package let title: String
    package let about: String
    package let ring: ToolRing
    package let effect: Effect
    package let parameters: [ToolParameter]
    package let answer: Answer

    package init(
        _ name: String,
        _ title: String,
        _ about: String,
        ring: ToolRing,
        effect: Effect = .none,
        parameters: [ToolParameter] = [],
        answer: Answer
    ) {
        self.name = name
        self.title = title
        self.about = about
        self.ring = ring
        self.effect = effect
        self.parameters = parameters
        self.answer = answer
    }

    package var json: JSONValue {
        [
            "name": .string(name),
            "title": .string(title),
            "description": .string(about),
            "inputSchema": input,
            "outputSchema": output,
            "annotations": annotations,
        ]
    }

    private var input: JSONValue {
        var properties = JSONObject()
        for parameter in parameters { properties[parameter.name] = parameter.schema }
        let required = parameters.filter(\.isRequired).map { JSONValue.string($0.name) }
        var schema = JSONObject()
        schema["type"] = "object"
        if !parameters.isEmpty { schema["properties"] = .object(properties) }
        if !required.isEmpty { schema["required"] = .array(required) }
        schema["additionalProperties"] = false
        return .object(schema)
    }

    /// The top keys alone, since the list has to stay small; `dex schema` has the rest.
    private var output: JSONValue {
        var properties = JSONObject()
        var required: [String]?
        for form in answer.forms {
            let members = form.shape.members
            for member in members { properties[member.name] = [:] }
            let always = members.filter { !$0.isOptional }.map(\.name)
            required = required.map { $0.filter(always.contains) } ?? always
        }
        return [
            "type": "object",
            "properties": .object(properties),
            "required": .array((required ?? []).map { .string($0) }),
        ]
    }

    private var annotations: JSONValue {
        switch effect {
        case .none: ["readOnlyHint": true, "openWorldHint": true]
        case .keeps: ["readOnlyHint": false, "destructiveHint": false, "openWorldHint": true]
        case .moves:
            [
                "readOnlyHint": false, "destructiveHint": true, "idempotentHint": true,
                "openWorldHint": true,
            ]
        }
    }
}
