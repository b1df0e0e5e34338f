extension ZeroExV1 {
    public func batchCall(
        _ fills: [PlannedFill],
        mode: FillMode,
        contracts: ExchangeContracts
    ) -> ExchangeCall {
        fatalError("unimplemented")
    }
}
