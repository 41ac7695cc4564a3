// The question before an act that cannot be taken back. A script answers it beforehand with --yes.

import { createInterface, type Interface } from 'node:readline/promises'
import { hasErrorCode } from '../kernel/system-error.ts'
import { CommandFailure, EXIT } from './exit-codes.ts'

interface Terminal {
  readonly stdin: NodeJS.ReadableStream & { readonly isTTY?: boolean }
  readonly stderr: NodeJS.WritableStream & { readonly isTTY?: boolean }
}

/**
 * Returns when the act is wanted. Throws: exit code 2 where nobody can be asked, 1 where the answer
 * is not yes.
 */
export async function requireConsent(
  question: string,
  flags: Readonly<Record<string, unknown>>,
  { stdin, stderr }: Terminal = process,
): Promise<void> {
  if (flags['yes'] === true) return
  if (stdin.isTTY !== true || stderr.isTTY !== true) {
    throw new CommandFailure(`${question} Say --yes where no terminal can ask.`, EXIT.usage)
  }
  const lines = createInterface({ input: stdin, output: stderr })
  try {
    const answer = (await askLine(lines, `${question} [y/N] `)).trim().toLowerCase()
    if (answer === 'y' || answer === 'yes') return
  } finally {
    lines.close()
  }
  throw new CommandFailure('Nothing was changed.', EXIT.failure)
}

/** With --dry-run the request is shown, and is not to be sent. */
export function isDryRun(
  flags: Readonly<Record<string, unknown>>,
  { method, path }: { readonly method: string; readonly path: string },
): boolean {
  if (flags['dryRun'] !== true) return false
  process.stdout.write(`${method} ${path}\n`)
  return true
}

/** The answer to a question; Ctrl-C is exit code 130. */
export async function askLine(lines: Interface, question: string): Promise<string> {
  try {
    return await lines.question(question)
  } catch (error) {
    if (!hasErrorCode(error, 'ABORT_ERR')) throw error
    throw new CommandFailure('Interrupted; nothing was changed.', EXIT.interrupted, error)
  }
}
