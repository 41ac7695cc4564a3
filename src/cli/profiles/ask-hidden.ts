// A question at the terminal whose answer is not shown: a password, a token.

import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'
import { askLine } from '../confirm.ts'
import { CommandFailure, EXIT } from '../exit-codes.ts'

/** Throws exit code 2 where nobody can be asked; `otherwise` says how to give it then. */
export async function askHidden(question: string, otherwise: string): Promise<string> {
  assertTerminal(otherwise)
  // The terminal shows what readline writes, so what it writes after the question is dropped.
  let isShown = true
  const output = new Writable({
    write(chunk: Buffer, _encoding, done) {
      if (isShown) process.stderr.write(chunk)
      done()
    },
  })
  const lines = createInterface({ input: process.stdin, output, terminal: true })
  try {
    const answer = askLine(lines, question)
    isShown = false
    const text = (await answer).trim()
    process.stderr.write('\n')
    return text
  } finally {
    lines.close()
  }
}

/** The same, shown. */
export async function askShown(question: string, otherwise: string): Promise<string> {
  assertTerminal(otherwise)
  const lines = createInterface({ input: process.stdin, output: process.stderr })
  try {
    return (await askLine(lines, question)).trim()
  } finally {
    lines.close()
  }
}

function assertTerminal(otherwise: string): void {
  if (!process.stdin.isTTY) throw new CommandFailure(otherwise, EXIT.usage)
}
