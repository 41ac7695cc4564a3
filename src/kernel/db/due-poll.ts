// One statement, twice a second, asks for all loops of a process whether there is work for them. An
// idle process must not ask for each of them, since there may be a hundred such processes. A
// statement that is sent as often anyway carries the questions while they are answered quickly.

import { type RawBuilder, sql } from 'kysely'
import { every } from '../async/every.ts'
import type { Db } from './database.ts'
import { inInstance } from './instance-acts.ts'
import { outsideScopes } from './row-scope.ts'
import { asPoll } from './statement-limit.ts'

/** Work is found within this time, and the time of one small statement. */
const POLL_MS = 500
// Questions that took longer the last time are asked by themselves. A carrier has to be quick: a
// revocation is known within a second.
const CARRIED_MAX_MS = 200

/** An expression as in DueWatch. */
export type DueQuestion = RawBuilder<boolean>

export interface DueWatch {
  /**
   * Whether there may be work, over all tenants: an expression such as `exists (…)` that waits for
   * no lock. Without parameters, which would cost a message more (scoped-query.ts).
   */
  readonly isDue: DueQuestion
  /**
   * Called when it is due, and when the database could not be asked: what it does then fails as
   * well, and its own words for that reach the log. Not called again before it has ended.
   */
  readonly work: () => Promise<void>
  readonly onTrouble: (error: unknown) => void
  /** Called after each answer of the database. */
  readonly onAnswer?: () => void
}

/** What sends a statement in each turn, and can take the questions along. */
export interface DueCarrier<Answer> {
  /**
   * Sends the statement with these questions (`buildQuestions`), often none. When it fails with
   * questions, it is sent again without them: they may be the reason.
   */
  readonly ask: (questions: readonly DueQuestion[]) => Promise<CarrierAnswer<Answer>>
  /** Called with the answer. Nothing is asked again before it has ended. */
  readonly work: (answer: Answer) => Promise<void>
  readonly onTrouble: (error: unknown) => void
}

export interface CarrierAnswer<Answer> {
  readonly answer: Answer
  /** In the order of the questions. */
  readonly due: readonly boolean[]
}

interface Poll {
  readonly watches: Set<RunningWatch>
  carrier: RunningCarrier | null
  /** While the questions are under way. */
  asking: Promise<void> | null
  /** The last answer to the questions. */
  tookMs: number
  stop: () => Promise<void>
}

interface RunningWatch extends DueWatch {
  running: Promise<void> | null
}

interface RunningCarrier {
  /** Null while it is neither asking nor at work. */
  running: Promise<void> | null
  /** Resolves with the answers to the questions; its own work goes on behind that. */
  readonly ask: (questions: readonly DueQuestion[]) => Promise<readonly boolean[]>
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
    await stopUnused(db, poll)
    await own.running
  }
}

/**
 * Asks twice a second, and carries the questions of the watches of this pool. A pool has one
 * carrier at most. The returned function ends it and waits for its work.
 */
export function startDueCarrier<Answer>(db: Db, carrier: DueCarrier<Answer>): () => Promise<void> {
  const poll = polls.get(db) ?? startPoll(db)
  if (poll.carrier !== null) throw new Error('the poll of this pool has a carrier')
  const own: RunningCarrier = {
    running: null,
    ask(questions) {
      const asked = carrier.ask(questions)
      own.running = asked
        .catch(async (error: unknown) => {
          if (questions.length === 0) throw error
          return await carrier.ask([])
        })
        .then(({ answer }) => carrier.work(answer))
        .catch(carrier.onTrouble)
        .finally(() => {
          own.running = null
        })
      return asked.then(({ due }) => due)
    },
  }
  poll.carrier = own
  return async () => {
    poll.carrier = null
    await stopUnused(db, poll)
    await own.running
  }
}

/** For the `from` of a carrier: one row with the columns `due_0`, `due_1` and so on. */
export function buildQuestions(questions: readonly DueQuestion[]): RawBuilder<unknown> {
  const columns = questions.map((isDue, at) => sql`${isDue} as ${sql.ref(`due_${at}`)}`)
  return sql`select ${sql.join(columns)}`
}

export type QuestionRow = Readonly<Record<`due_${number}`, boolean>>

/** The answers of this row, in the order of the questions. */
export function readQuestions(
  questions: readonly DueQuestion[],
  row: QuestionRow | undefined,
): readonly boolean[] {
  return questions.map((_, at) => row?.[`due_${at}`] === true)
}

function startPoll(db: Db): Poll {
  const poll: Poll = {
    watches: new Set(),
    carrier: null,
    asking: null,
    tookMs: 0,
    stop: async () => undefined,
  }
  poll.stop = every(
    POLL_MS,
    async () => beginTurn(db, poll),
    () => undefined,
  )
  polls.set(db, poll)
  return poll
}

async function stopUnused(db: Db, poll: Poll): Promise<void> {
  if (poll.watches.size > 0 || poll.carrier !== null) return
  if (polls.get(db) === poll) polls.delete(db)
  await poll.stop()
  await poll.asking
}

/** Waits for no answer, so that a slow one delays nothing else. */
function beginTurn(db: Db, poll: Poll): void {
  const carrier = poll.carrier?.running === null ? poll.carrier : null
  const watches =
    poll.asking === null ? [...poll.watches].filter(({ running }) => running === null) : []
  const isCarried = carrier !== null && watches.length > 0 && poll.tookMs <= CARRIED_MAX_MS
  if (!isCarried) carrier?.ask([]).catch(() => undefined)
  if (watches.length === 0) return
  const questions = watches.map(({ isDue }) => isDue)
  poll.asking = askOnce(poll, watches, () =>
    isCarried ? carrier.ask(questions) : askAlone(db, questions),
  ).finally(() => {
    poll.asking = null
  })
}

/** Begins the work that is due, and all of it when that is not known. */
async function askOnce(
  poll: Poll,
  watches: readonly RunningWatch[],
  ask: () => Promise<readonly boolean[]>,
): Promise<void> {
  const startedMs = performance.now()
  const due = await ask().catch(() => null)
  poll.tookMs = due === null ? Number.POSITIVE_INFINITY : performance.now() - startedMs
  for (const [at, watch] of watches.entries()) {
    if (due !== null) watch.onAnswer?.()
    if ((due === null || due[at] === true) && poll.watches.has(watch)) begin(watch)
  }
}

function begin(watch: RunningWatch): void {
  watch.running = outsideScopes(watch.work)
    .catch(watch.onTrouble)
    .finally(() => {
      watch.running = null
    })
}

async function askAlone(db: Db, questions: readonly DueQuestion[]): Promise<readonly boolean[]> {
  const { rows } = await asPoll(() =>
    inInstance('find work', () => sql<QuestionRow>`${buildQuestions(questions)}`.execute(db)),
  )
  return readQuestions(questions, rows[0])
}
