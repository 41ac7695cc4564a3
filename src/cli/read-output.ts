// The value of --output, from those that a command has.

import { CommandFailure, EXIT } from './exit-codes.ts'

/** The forms of every command that reads. */
export const OUTPUTS = ['human', 'json', 'jsonl', 'csv', 'raw'] as const
export type Output = (typeof OUTPUTS)[number]

/** The flag of these commands. */
export const READ_OUTPUT = [
  '-o, --output <format>',
  'human, json, jsonl, csv or raw',
  'human',
] as const

/** The flag of an act that is one request. */
export const DRY_RUN = ['--dry-run', 'Show the request, and send nothing.'] as const

/** Throws a usage failure for any other value; the first is the default. */
export function readOutput<Form extends string>(
  flags: Readonly<Record<string, unknown>>,
  outputs: readonly [Form, ...Form[]],
): Form {
  const given = flags['output'] ?? outputs[0]
  const found = outputs.find((output) => output === given)
  if (found !== undefined) return found
  throw new CommandFailure(`--output takes ${outputs.join(', ')}.`, EXIT.usage)
}
