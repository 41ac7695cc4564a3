// The log of a test program, kept to be searched for secrets at its end.

import assert from 'node:assert/strict'
import { createLog, type Log } from '../../src/kernel/log.ts'

/** A part of every secret that a test makes up, so that one search finds them all. */
export const CANARY = 'canary7e41b0'

// Secrets that the program makes: tokens, keys of webhooks, cookies, links.
const MADE = [
  /cw_[a-z]+_[0-9A-Za-z]{20,}/,
  /whsec_[0-9A-Za-z+/=]{20,}/,
  /__Host-[\w-]+=[^;\s"]{16,}/,
  /Bearer (?!realm)[^\s"]{8,}/,
]
// Of a line only its end is one.
// oxlint-disable-next-line eslint/no-control-regex -- they are what is looked for
const CONTROLS = /[\u0000-\u001F\u007F-\u009F\u2028\u2029\u202A-\u202E\u2066-\u2069]/

/** Whether a text holds what looks like a secret of ours. */
export const looksLikeSecret = (text: string): boolean => MADE.some((pattern) => pattern.test(text))

interface LogWatch {
  readonly log: Log
  readonly lines: () => readonly string[]
  /** Fails for a line with a secret or a control character. */
  readonly assertClean: (secrets?: readonly string[]) => void
}

export function watchLog(): LogWatch {
  const lines: string[] = []
  const destination = { write: (line: string) => lines.push(line) }
  return {
    log: createLog({ level: 'debug', isForPeople: false, destination }),
    lines: () => lines,
    assertClean(secrets = []) {
      const known = [CANARY, ...secrets]
      const isBad = (line: string): boolean =>
        known.some((secret) => line.includes(secret)) ||
        looksLikeSecret(line) ||
        CONTROLS.test(line.replace(/\n$/, ''))
      assert.deepEqual(lines.filter(isBad), [])
    },
  }
}
