// Rows have null where a record of the wire leaves the member out. A presenter names every member
// of its record here, so that tsc finds one that is missing, misnamed or of another type.

/** `Wire` with all of its members; null stands for an optional member without a value. */
export type WithNulls<Wire> = {
  readonly [Name in keyof Wire]-?: {} extends Pick<Wire, Name>
    ? AsReadonly<Exclude<Wire[Name], undefined>> | null
    : AsReadonly<Wire[Name]>
}

type AsReadonly<Value> = Value extends readonly (infer Item)[] ? readonly Item[] : Value

/** The members whose value is not null, in their order. */
export function omitNulls<Wire extends object>(members: WithNulls<Wire>): Wire {
  const present = Object.entries(members).filter(([, value]) => value !== null)
  // `WithNulls` allows null only where `Wire` allows the member to be absent.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return Object.fromEntries(present) as Wire
}
