// The value of --output, from those that a command has.

import { CommandFailure, EXIT } from './exit-codes.ts'

/** Throws a usage failure for any other value; the first is the default. */
export function readOutput<Output extends string>(
  flags: Readonly<Record<string, unknown>>,
  outputs: readonly [Output, ...Output[]],
): Output {
  const given = flags['output'] ?? outputs[0]
  const found = outputs.find((output) => output === given)
  if (found !== undefined) return found
  throw new CommandFailure(`--output takes ${outputs.join(', ')}.`, EXIT.usage)
}
