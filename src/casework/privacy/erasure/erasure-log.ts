// The log of erasures: a file outside the database and its backups. After the restore of a backup
// it is the only record of later erasures. Each line is JSON with the replacement of an address,
// never the address.

import { createReadStream } from 'node:fs'
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Config } from '../../../kernel/config.ts'
import { ensureCursorKey } from '../../../kernel/db/cursor-key-store.ts'
import type { Db } from '../../../kernel/db/database.ts'
import { inInstance } from '../../../kernel/db/instance-acts.ts'
import { hasErrorCode } from '../../../kernel/system-error.ts'
import { erasureLogNotReadable, erasureLogNotWritable } from '../errors.ts'
import { nameErasureKey } from './erased-address.ts'
import { listFinished, type TenantErasure } from './erasure-store.ts'

export interface LoggedErasure {
  readonly tenantId: string
  readonly id: string
  readonly subjects: readonly string[]
  /** Identifies the instance whose key made the subjects. */
  readonly key: string
  readonly finishedAt: Date
}

export interface ErasureLog {
  /** Appends finished erasures that the file lacks. Throws CASEWORK_ERASURE_LOG_NOT_WRITABLE. */
  readonly write: () => Promise<void>
}

export function chooseErasureLog(config: Pick<Config, 'erasureLog' | 'dataDir'>): string {
  return config.erasureLog ?? join(config.dataDir, 'erasures.jsonl')
}

const FIRST_ID = '00000000-0000-0000-0000-000000000000'
const BATCH = 100
// `finished_at` is the start of the transaction that ended the erasure. So an erasure may become
// visible after another one with a later time; longer transactions than this do not occur.
const OVERLAP_MS = 3_600_000

export function createErasureLog(db: Db, file: string): ErasureLog {
  // Erasures in the file that the next query may find again, by id, with the time of their end.
  let known: Map<string, Date> | null = null
  let writing: Promise<void> = Promise.resolve()
  const write = async (): Promise<void> => {
    try {
      known ??= await onFile(file, () => readKnown(file))
      await appendFinished(db, file, known)
    } catch (error) {
      // Part of it may have been written: read the file again the next time.
      known = null
      throw error
    }
  }
  return {
    // Calls run one after the other.
    write: () => {
      writing = writing.catch(() => undefined).then(write)
      return writing
    },
  }
}

/** Turns every failure of the file into CASEWORK_ERASURE_LOG_NOT_WRITABLE. */
async function onFile<Result>(file: string, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    throw erasureLogNotWritable(file, error)
  }
}

async function readKnown(file: string): Promise<Map<string, Date>> {
  const known = new Map<string, Date>()
  for (const { id, finishedAt } of (await readErasureLog(file)) ?? []) known.set(id, finishedAt)
  return known
}

async function appendFinished(db: Db, file: string, known: Map<string, Date>): Promise<void> {
  let newest = 0
  for (const time of known.values()) newest = Math.max(newest, time.getTime())
  let since = { finishedAt: new Date(Math.max(0, newest - OVERLAP_MS)), id: FIRST_ID }
  for (const [id, time] of known) if (time < since.finishedAt) known.delete(id)
  // Ends: every page starts after the last erasure of the page before.
  for (;;) {
    // oxlint-disable-next-line eslint/no-await-in-loop
    const page = await inInstance('log erasures', () => listFinished(db, since, BATCH))
    const missing = page.filter(({ id }) => !known.has(id))
    // oxlint-disable-next-line eslint/no-await-in-loop
    const text = missing.length === 0 ? '' : await formatErasures(db, missing)
    // oxlint-disable-next-line eslint/no-await-in-loop
    if (text !== '') await onFile(file, () => append(file, text))
    for (const { id, finishedAt } of missing) known.set(id, finishedAt ?? new Date(0))
    const last = page.at(-1)
    if (last === undefined || last.finishedAt === null) return
    since = { finishedAt: last.finishedAt, id: last.id }
  }
}

async function formatErasures(db: Db, erasures: readonly TenantErasure[]): Promise<string> {
  const key = nameErasureKey(await ensureCursorKey(db))
  const lines = erasures.flatMap(({ tenantId: tenant, id, subjects, finishedAt }) =>
    subjects.map((subject) =>
      JSON.stringify({
        tenant,
        erasure: id,
        replaced_by: subject,
        finished_at: finishedAt?.toISOString(),
        key,
      }),
    ),
  )
  return lines.map((line) => `${line}\n`).join('')
}

/** The text is on the disk when the promise resolves. */
async function append(file: string, text: string): Promise<void> {
  const handle = await open(file, 'a+', 0o600)
  try {
    const { size } = await handle.stat()
    const last = Buffer.alloc(1)
    if (size > 0) await handle.read(last, 0, 1, size - 1)
    // Ends a line that a crash cut off; its erasure is in this text again.
    const isCut = size > 0 && last.toString() !== '\n'
    await handle.appendFile(isCut ? `\n${text}` : text)
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/**
 * The erasures of the file, each once; null when the file does not exist. Throws
 * CASEWORK_ERASURE_LOG_NOT_READABLE.
 */
export async function readErasureLog(file: string): Promise<readonly LoggedErasure[] | null> {
  const found = new Map<string, LoggedErasure & { readonly subjects: string[] }>()
  const lines = createInterface({ input: createReadStream(file), crlfDelay: Infinity })
  let number = 0
  try {
    for await (const line of lines) {
      number += 1
      if (line === '') continue
      const entry = parseLine(line)
      if (entry === null && isCutOff(line)) continue
      if (entry === null) {
        throw erasureLogNotReadable(file, `line ${number} is no entry of such a log`)
      }
      const before = found.get(entry.id)
      if (before === undefined) found.set(entry.id, { ...entry, subjects: [...entry.subjects] })
      else before.subjects.push(...entry.subjects)
    }
  } catch (error) {
    if (hasErrorCode(error, 'ENOENT')) return null
    if (error instanceof Error && 'syscall' in error) {
      throw erasureLogNotReadable(file, `the system says ${String(Reflect.get(error, 'code'))}`)
    }
    throw error
  }
  return [...found.values()]
}

const LINE_START = '{"tenant":'

/** Cut off by a crash. The erasure is in a later line if the database still had it. */
function isCutOff(line: string): boolean {
  const length = Math.min(line.length, LINE_START.length)
  return line.startsWith(LINE_START.slice(0, length)) && !line.endsWith('}')
}

function parseLine(line: string): LoggedErasure | null {
  let value: unknown
  try {
    value = JSON.parse(line)
  } catch {
    return null
  }
  if (typeof value !== 'object' || value === null) return null
  const members = new Map<string, unknown>(Object.entries(value))
  const [tenantId, id, subject, key, time] = [
    'tenant',
    'erasure',
    'replaced_by',
    'key',
    'finished_at',
  ].map((name) => members.get(name))
  const finishedAt = new Date(typeof time === 'string' ? time : Number.NaN)
  if (
    typeof tenantId !== 'string' ||
    typeof id !== 'string' ||
    typeof subject !== 'string' ||
    typeof key !== 'string' ||
    Number.isNaN(finishedAt.getTime())
  ) {
    return null
  }
  return { tenantId, id, subjects: [subject], key, finishedAt }
}
