// Searches all that a test program has logged for secrets when it ends: for those of its requests,
// answers and settings, and for texts that look like ours. So every suite proves that logs hold
// none.

import assert from 'node:assert/strict'
import { createLog, type Log } from '../src/kernel/log.ts'
import { CANARY, looksLikeSecret } from './bad-input/log-watch.ts'
import type { TestAnswer, TestRequest } from './harness.ts'

// A shorter text, such as a wrong password of a test, stands in a log by chance.
const SECRET_LENGTH_MIN = 12
// Ten times what the largest suite logs; the oldest lines have been searched by then.
const LINES_MAX = 20_000

const SECRET_HEADERS = ['authorization', 'cookie', 'set-cookie', 'x-api-key', 'casework-csrf']
// Members of bodies, by the words of the interface.
const SECRET_MEMBER =
  /^(?:token|access_token|device_code|secret|password|current_password|new_password|client_secret|link|otpauth_uri|csrf_token|recovery_codes?|header_value)$/
const SECRET_SETTING = /(?:TOKEN|PASSWORD|SECRET|SECRET_KEY)$/

export interface SecretWatch {
  /** The log for the program. It writes to `other` as well. */
  readonly log: Log
  readonly noteSecret: (text: string) => void
  readonly noteSettings: (environment: NodeJS.ProcessEnv) => void
  readonly noteRequest: (request: TestRequest) => void
  readonly noteAnswer: (answer: Pick<TestAnswer, 'headers' | 'text'>) => void
  /** Throws an assertion with every line of the log that holds a secret. */
  readonly assertClean: () => void
  /**
   * Prints the same, and fails the process at its end. It does not throw: a hook that throws keeps
   * the later hooks of its file from running, and the servers that they close would hold the
   * process.
   */
  readonly failProcess: () => void
  /** Like `assertClean`, for the output of a program in a process of its own. */
  readonly assertHoldsNone: (text: string) => void
}

const MESSAGE = 'the log holds secrets'

export function watchSecrets(other: Log | null = null): SecretWatch {
  const secrets = new Set<string>([CANARY])
  const bad: string[] = []
  let lines: string[] = []
  const noteSecret = (text: string): void => {
    if (text.length >= SECRET_LENGTH_MIN) secrets.add(text)
  }
  const search = (): void => {
    for (const line of lines) {
      if (holdsSecret(line, secrets)) bad.push(line)
    }
    lines = []
  }
  const write = (line: string): void => {
    lines.push(line)
    if (lines.length === LINES_MAX) search()
  }
  const assertClean = (): void => {
    search()
    assert.deepEqual(bad, [], `${MESSAGE}:\n${bad.join('')}`)
  }
  const own = createLog({ level: 'debug', isForPeople: false, destination: { write } })
  return {
    log: other === null ? own : joinLogs(own, other),
    noteSecret,
    noteSettings(environment) {
      for (const [name, value] of Object.entries(environment)) {
        if (value !== undefined && SECRET_SETTING.test(name)) noteSecret(value)
        // The password of a URL, such as that of the database.
        noteSecret(/:\/\/[^/\s:@]*:([^/\s@]+)@/.exec(value ?? '')?.[1] ?? '')
      }
    },
    noteRequest({ token, json, headers = {} }) {
      if (token !== undefined) noteSecret(token)
      noteHeaders(headers, noteSecret)
      noteMembers(json, noteSecret)
    },
    noteAnswer({ headers, text }) {
      noteHeaders(headers, noteSecret)
      if (String(headers['content-type']).startsWith('application/json')) {
        noteMembers(readJson(text), noteSecret)
      }
    },
    assertClean,
    failProcess() {
      try {
        assertClean()
      } catch (error) {
        process.stderr.write(`${String(error)}\n`)
        process.once('exit', () => {
          process.exitCode = 1
        })
      }
    },
    assertHoldsNone(text) {
      const found = text.split('\n').filter((line) => holdsSecret(line, secrets))
      assert.deepEqual(found, [], `${MESSAGE}:\n${found.join('\n')}`)
    },
  }
}

/** One of the secrets, or something that looks like one of ours. */
function holdsSecret(text: string, secrets: Iterable<string>): boolean {
  if (looksLikeSecret(text)) return true
  for (const secret of secrets) {
    if (text.includes(secret)) return true
  }
  return false
}

function noteHeaders(headers: object, note: (text: string) => void): void {
  for (const [name, value] of Object.entries(headers)) {
    if (!SECRET_HEADERS.includes(name.toLowerCase())) continue
    // `Bearer x`, `a=x; b=y` and `a=x; Path=/`: what stands alone, or behind the `=`.
    for (const part of [value]
      .flat()
      .join(';')
      .split(/[\s;,]+/)) {
      note(part.slice(part.indexOf('=') + 1))
    }
  }
}

function noteMembers(value: unknown, note: (text: string) => void): void {
  if (typeof value !== 'object' || value === null) return
  for (const [name, member] of Object.entries(value)) {
    if (SECRET_MEMBER.test(name)) for (const one of [member].flat()) noteText(one, note)
    noteMembers(member, note)
  }
}

function noteText(value: unknown, note: (text: string) => void): void {
  if (typeof value !== 'string') return
  // Of a link only the part behind its `#` is secret.
  note(/^https?:/.test(value) ? (value.split('#')[1] ?? '') : value)
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

function joinLogs(one: Log, other: Log): Log {
  return {
    debug: (...entry) => [one, other].forEach((log) => log.debug(...entry)),
    info: (...entry) => [one, other].forEach((log) => log.info(...entry)),
    warn: (...entry) => [one, other].forEach((log) => log.warn(...entry)),
    error: (...entry) => [one, other].forEach((log) => log.error(...entry)),
    child: (fields) => joinLogs(one.child(fields), other.child(fields)),
  }
}
