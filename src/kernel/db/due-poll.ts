// One statement, twice a second, asks for all loops of a process whether there is work for them. An
// idle process must not ask for each of them, since there may be a hundred such processes.

import { type RawBuilder, sql } from 'kysely'
import { every } from '../async/every.ts'
import type { Db } from './database.ts'
import { inInstance } from './instance-acts.ts'
import { outsideScopes } from './row-scope.ts'
import { asPoll } from './statement-limit.ts'

/** Work is found within this time, and the time of one small statement. */
const POLL_MS = 500

export interface DueWatch {
  /**
   * Whether there may be work, over all tenants: an expression such as `exists (…)` that waits for
   * no lock. Without parameters, which would cost a message more (scoped-query.ts).
   */
  readonly isDue: RawBuilder<boolean>
  /**
   * Called when it is due, and when the database could not be asked: what it does then fails as
   * well, and its own words for that reach the log. Not called again before it has ended.
   */
  readonly work: () => Promise<void>
  readonly onTrouble: (error: unknown) => void
  /** Called after each answer of the database. */
  readonly onAnswer?: () => void
}

interface Poll {
  readonly watches: Set<RunningWatch>
  readonly stop: () => Promise<void>
}

interface RunningWatch extends DueWatch {
  running: Promise<void> | null
}

// The loops of a process that share a pool share the statement.
const polls = new WeakMap<Db, Poll>()

/** The returned function ends the watch and waits for its work. */
export function watchDue(db: Db, watch: DueWatch): () => Promise<void> {
  const own: RunningWatch = { ...watch, running: null }
  const poll = polls.get(db) ?? startPoll(db)
  poll.watches.add(own)
  return async () => {
    poll.watches.delete(own)
    if (poll.watches.size === 0 && polls.get(db) === poll) {
      polls.delete(db)
      await poll.stop()
    }
    await own.running
  }
}

function startPoll(db: Db): Poll {
  const watches = new Set<RunningWatch>()
  const poll = async (): Promise<void> => {
    const idle = [...watches].filter(({ running }) => running === null)
    if (idle.length === 0) return
    const due = await askAll(db, idle).catch(() => idle)
    for (const watch of due) {
      if (watches.has(watch)) begin(watch)
    }
  }
  const started = { watches, stop: every(POLL_MS, poll, () => undefined) }
  polls.set(db, started)
  return started
}

function begin(watch: RunningWatch): void {
  watch.running = outsideScopes(watch.work)
    .catch(watch.onTrouble)
    .finally(() => {
      watch.running = null
    })
}

async function askAll(db: Db, watches: readonly RunningWatch[]): Promise<readonly RunningWatch[]> {
  const columns = watches.map(({ isDue }, at) => sql`${isDue} as ${sql.ref(`due_${at}`)}`)
  const { rows } = await asPoll(() =>
    inInstance('find work', () =>
      sql<Readonly<Record<string, boolean>>>`select ${sql.join(columns)}`.execute(db),
    ),
  )
  for (const { onAnswer } of watches) onAnswer?.()
  return watches.filter((_, at) => rows[0]?.[`due_${at}`] === true)
}
