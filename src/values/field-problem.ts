// One wrong place in an input, as every refusal that names fields says it.

/**
 * One wrong place in an input: `path` is a JSON pointer ("/0/item") or a parameter name, `reason`
 * one public sentence.
 */
export interface FieldProblem {
  readonly path: string
  readonly reason: string
}
