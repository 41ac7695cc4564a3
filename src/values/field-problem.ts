// One fault of an input, as every refusal that names fields reports it.

/**
 * One fault of an input: `path` is a JSON pointer ("/0/item") or a parameter name, `reason` one
 * public sentence.
 */
export interface FieldProblem {
  readonly path: string
  readonly reason: string
  /** Of a problem in a playbook: the id of the node, and the field below it. */
  readonly node?: string
  readonly field?: string
  /** Of a text, such as YAML: the line, from 1. */
  readonly line?: number
}
