// What the command line knows of an operation of the interface (resources/operations.json, which
// `npm run write` makes of the OpenAPI document).

import { readResource } from '../../values/resources.ts'
import { CommandFailure, EXIT } from '../exit-codes.ts'

export interface CliMember {
  readonly name: string
  /** How its value is given as a flag: `texts` with commas or several times, `json` as JSON. */
  readonly kind: 'text' | 'texts' | 'number' | 'truth' | 'json'
  readonly values?: readonly string[]
  readonly isRequired?: true
  readonly isNullable?: true
  readonly word: string
}

export interface CliOperation {
  readonly id: string
  readonly method: string
  /** With `{name}` for each of `params`. */
  readonly path: string
  readonly title: string
  readonly params: readonly CliMember[]
  readonly query: readonly CliMember[]
  /** The media types of its body; none for an operation without one. */
  readonly types: readonly string[]
  /** Its JSON body is an array of objects with the members of `body`. */
  readonly isArray?: true
  /** The members of its JSON body, where that is an object. */
  readonly body: readonly CliMember[]
}

let known: ReadonlyMap<string, CliOperation> | null = null

/** All operations by their id. */
export function listOperations(): ReadonlyMap<string, CliOperation> {
  known ??= new Map(parse().map((operation) => [operation.id, operation]))
  return known
}

function parse(): readonly CliOperation[] {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a test compares it with its maker
  return JSON.parse(readResource('operations.json')) as CliOperation[]
}

/** Throws for an id that the interface does not have. */
export function findOperation(id: string): CliOperation {
  const found = listOperations().get(id)
  if (found !== undefined) return found
  throw new CommandFailure(
    `There is no operation ${id}; \`npx casework api --list\` shows all.`,
    EXIT.usage,
  )
}

/**
 * `case_id` and `caseId` are the flag `case-id`. A version is `if-version`: `--version` is that of
 * the program.
 */
export function nameFlag(member: string): string {
  if (member === 'version') return 'if-version'
  return member.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`).replaceAll('_', '-')
}

/** Where commander keeps the value of a flag. */
export function nameValue(flag: string): string {
  return flag.replaceAll(/-([a-z0-9])/g, (_, letter: string) => letter.toUpperCase())
}
