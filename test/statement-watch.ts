// Reads every statement that a program under test sends, each text once, and fails the process for
// one that a database distributed by tenant cannot run (statement-rules.ts).

import { readRowScope } from '../src/kernel/db/row-scope.ts'
import { readStatementText } from '../src/kernel/db/statement-text.ts'
import { WatchedClient } from '../src/kernel/db/watched-client.ts'
import { findBrokenRule, isOfAllTenants, TEMPORARY_TABLE } from './statement-rules.ts'
import { STATEMENTS_OF_ALL_TENANTS } from './statements-of-all-tenants.ts'

// A frame of a stack in the program or a test, without the folder of the checkout. The files of
// PASSES_ON stand between a store and the driver: they send the statements of others.
const FRAME = /[/\\](?<file>(?:src|test|bench)[/\\][^:]+\.ts):(?<line>\d+)/
const PASSES_ON =
  /^src\/kernel\/(?:db\/(?!due-|migrate\.)|jobs\.ts)|^test\/(?:statement-watch|harness|playbook-fixtures|group)\.ts$/
const IS_TEST = /\.(?:test|peer|proof)\.ts$|^(?:test|bench)\//
const FRAMES_MAX = 60
// The texts of the largest group are some 5,000.
const TEXTS_MAX = 50_000

/** Files that the rules do not hold for, each with its reason. */
const EXEMPT: readonly (readonly [RegExp, string])[] = [
  [/^src\/kernel\/db\/migrate\.ts$/, 'migrations change the rows of all tenants'],
  [/^src\/app\/(?:backup|demo)\//, 'a backup, a restore and the demo write all rows of tables'],
]
/**
 * Files that make temporary tables of intel, which lies on the coordinator of a distributed
 * database. `npm run bench -- staging` measures what each gains over the plain statement.
 */
export const MAKES_TEMPORARY_TABLE: ReadonlyMap<string, string> = new Map([
  ['src/intel/sources/push/push-transaction.ts', 'the rows of a push are merged by sets'],
  ['src/intel/index/fact-stream.ts', 'each of five queries joins the changed subjects'],
])
// Accounts, tokens and addresses are in tables that each node of such a database has.
const IS_REFERENCE = /^src\/access\//
// pg-boss runs with its own profile for distributed databases (kernel/jobs.ts).
const IS_PG_BOSS = /\bpgboss\./

const seen = new Set<string>()
const broken: string[] = []

/** What is wrong with the statement of this sender; null for nothing. */
export function checkStatement(text: string, file: string): string | null {
  if (IS_PG_BOSS.test(text) || EXEMPT.some(([files]) => files.test(file))) return null
  const rule = findBrokenRule(text)
  if (rule === TEMPORARY_TABLE && MAKES_TEMPORARY_TABLE.has(file)) return null
  if (rule !== null) return `holds ${rule}`
  if (IS_REFERENCE.test(file) || !isOfAllTenants(text)) return null
  const lower = text.replaceAll(/\s+/g, ' ').toLowerCase()
  const isListed = STATEMENTS_OF_ALL_TENANTS.some(
    (one) => one.file === file && (one.holds === undefined || lower.includes(one.holds)),
  )
  if (isListed) return null
  return 'names no tenant, and its file is not in test/statements-of-all-tenants.ts'
}

/** Watches from this call to the end of the process. */
export function watchStatements(): void {
  // `this` is given by the call.
  // oxlint-disable-next-line typescript/unbound-method
  const { query } = WatchedClient.prototype
  WatchedClient.prototype.query = function watched(this: WatchedClient, ...args: unknown[]): never {
    note(readStatementText(args[0]))
    return Reflect.apply(query, this, args)
  }
  process.once('exit', () => {
    if (broken.length === 0) return
    process.stderr.write(`statements that break a rule:\n${broken.join('\n')}\n`)
    process.exitCode = 1
  })
}

function note(text: string): void {
  if (text === '' || seen.has(text) || seen.size === TEXTS_MAX) return
  seen.add(text)
  const sender = findSender()
  if (sender === null) return
  const trouble = checkStatement(text, sender.file)
  if (trouble === null) return
  broken.push(`${sender.file}:${sender.line} ${trouble}: ${text.replaceAll(/\s+/g, ' ')}`)
}

interface Sender {
  readonly file: string
  readonly line: string
}

/** The file that sends a statement; null for a test that asks the database itself. */
function findSender(): Sender | null {
  const { stackTraceLimit } = Error
  Error.stackTraceLimit = FRAMES_MAX
  const { stack = '' } = new Error('who sends it')
  Error.stackTraceLimit = stackTraceLimit
  const frames = stack.split('\n').flatMap((frame): Sender[] => {
    const { file, line } = FRAME.exec(frame.replaceAll('\\', '/'))?.groups ?? {}
    return file === undefined || line === undefined || PASSES_ON.test(file) ? [] : [{ file, line }]
  })
  const [first] = frames
  // The driver calls back without frames of its caller. A test asks in the scope of all tenants.
  if (first === undefined) return readRowScope() === '*' ? null : { file: 'unknown', line: '0' }
  return IS_TEST.test(first.file) ? null : first
}
