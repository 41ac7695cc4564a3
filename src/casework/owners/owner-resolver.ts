// Asks tenants' resolvers whose something was, before the transaction that needs to know: what they
// answer is kept for all nodes (owner-answer-store.ts) and read from there inside the transaction
// (resolve-owners.ts). Whatever a resolver does, intake goes on.
//
// Of one tenant one question is on its way at a time on this node; those who come meanwhile share
// the next. After a failure nothing is asked for half a minute, so that a dead resolver costs
// intake one timeout in that time. A fault in single answers pauses those questions alone.

import { Counter, type Registry } from 'prom-client'
import { singleFlight } from '../../kernel/async/single-flight.ts'
import type { Clock } from '../../kernel/clock.ts'
import type { Db } from '../../kernel/db/database.ts'
import type { Log } from '../../kernel/log.ts'
import type { AllowList } from '../../kernel/outbound/allow-list.ts'
import type { Outbound } from '../../kernel/outbound/outbound.ts'
import type { TenantScope } from '../../vocabulary/caller.ts'
import { askResolver, QUESTIONS_MAX } from './ask-resolver.ts'
import { findAnswers, keepAnswers } from './owner-answer-store.ts'
import type { OwnerQuestion } from './owner-question.ts'
import {
  findOwnerResolver,
  noteResolverOutcome,
  type OwnerResolverRecord,
} from './owner-resolver-store.ts'
import { listOpenQuestions, type ResolvableEvent } from './resolve-owners.ts'

/**
 * Finds out what can be found out about the owners of these events. Never rejects, and takes a
 * bounded time.
 */
export type PrepareOwners = (
  scope: TenantScope,
  events: readonly ResolvableEvent[],
) => Promise<void>

export interface OwnerResolver {
  /** Null when the tenant has none. At most a second old. */
  readonly findSettings: (scope: TenantScope) => Promise<OwnerResolverRecord | null>
  readonly prepare: PrepareOwners
  /**
   * Somebody asks by hand: pauses of this node end, so that the next questions go out whatever
   * failed before.
   */
  readonly endPause: (scope: TenantScope) => void
  /** The settings of this tenant were changed on this node. */
  readonly forget: (scope: TenantScope) => void
}

export interface ResolverDeps {
  readonly db: Db
  readonly log: Log
  readonly clock: Clock
  readonly outbound: Outbound
  /** `config.outboundAllow`. */
  readonly allow: AllowList
  readonly metrics: Registry
}

const SETTINGS_AGE_MS = 1_000
const BREAK_MS = 30_000
// A new customer of the operator is seen after this at the latest.
const NOBODY_SECONDS_MAX = 300
// An answer may end within the day that was asked about, so what is left is asked once more; more
// than two owners a day are asked for later.
const ROUNDS_MAX = 2
// Settings and lines of tenants that are not in use are dropped at this number.
const TENANTS_MAX = 10_000
// Questions of one tenant that had a wrong answer a short while ago, 1 MB with usual names; beyond
// it the oldest are asked again sooner.
const PAUSED_MAX = 10_000

export function createOwnerResolver(deps: ResolverDeps): OwnerResolver {
  const lines = new Map<string, Line>()
  const metrics = createMetrics(deps.metrics)
  const findLine = (scope: TenantScope): Line => {
    const { tenantId } = scope
    const present = lines.get(tenantId)
    if (present !== undefined) return present
    if (lines.size >= TENANTS_MAX) lines.clear()
    const line = new Line(deps, { tenantId }, metrics)
    lines.set(tenantId, line)
    return line
  }
  return {
    findSettings: (scope) => findLine(scope).readSettings(),
    async prepare(scope, events) {
      if (events.length === 0) return
      try {
        await findLine(scope).prepare(events)
      } catch (error) {
        // The database, mostly: then intake tells it. What is not answered stays unassigned and is
        // asked about again.
        deps.log.warn('Owners could not be asked for', { error: String(error) })
      }
    },
    endPause: (scope) => findLine(scope).endPause(),
    forget: ({ tenantId }) => void lines.delete(tenantId),
  }
}

interface ResolverMetrics {
  readonly requests: Counter<'outcome'>
  readonly questions: Counter<'outcome'>
}

function createMetrics(registry: Registry): ResolverMetrics {
  return {
    requests: new Counter({
      name: 'casework_owner_resolver_requests_total',
      help: 'Requests to the resolvers of tenants, by outcome; "skipped" are those that were not made soon after a failure.',
      labelNames: ['outcome'],
      registers: [registry],
    }),
    questions: new Counter({
      name: 'casework_owner_resolver_questions_total',
      help: 'Questions to the resolvers of tenants: answered, unanswered (or against the rules), or left for later because there were too many at once.',
      labelNames: ['outcome'],
      registers: [registry],
    }),
  }
}

/** One tenant's resolver, as this node sees it. */
class Line {
  readonly #deps: ResolverDeps
  readonly #scope: TenantScope
  readonly #metrics: ResolverMetrics
  readonly #waiting = new Map<string, OwnerQuestion>()
  readonly #ask: () => Promise<void>
  /** Until when a question is left alone, by its key. */
  readonly #paused = new Map<string, number>()
  #settings: Promise<OwnerResolverRecord | null> | null = null
  #settingsReadAtMs = 0
  #brokenUntilMs = 0

  constructor(deps: ResolverDeps, scope: TenantScope, metrics: ResolverMetrics) {
    this.#deps = deps
    this.#scope = scope
    this.#metrics = metrics
    this.#ask = singleFlight(() => this.#askOnce())
  }

  readSettings(): Promise<OwnerResolverRecord | null> {
    const nowMs = performance.now()
    if (this.#settings !== null && nowMs - this.#settingsReadAtMs < SETTINGS_AGE_MS) {
      return this.#settings
    }
    this.#settingsReadAtMs = nowMs
    const reading = findOwnerResolver(this.#deps.db, this.#scope)
    this.#settings = reading
    reading.catch(() => {
      if (this.#settings === reading) this.#settings = null
    })
    return reading
  }

  async prepare(events: readonly ResolvableEvent[]): Promise<void> {
    if ((await this.readSettings()) === null) return
    const { db } = this.#deps
    let open = await listOpenQuestions(db, this.#scope, events)
    for (let round = 0; round < ROUNDS_MAX; round += 1) {
      // Each round asks what the one before left open.
      // oxlint-disable-next-line eslint/no-await-in-loop
      const known = await findAnswers(db, this.#scope, open, 0)
      open = open.filter((question, index) => known[index] === null && !this.#isPaused(question))
      if (open.length === 0) return
      if (this.#isBroken()) {
        this.#metrics.requests.inc({ outcome: 'skipped' })
        return
      }
      this.#queue(open)
      // oxlint-disable-next-line eslint/no-await-in-loop
      await this.#ask()
    }
  }

  endPause(): void {
    this.#brokenUntilMs = 0
    this.#paused.clear()
  }

  #isPaused(question: OwnerQuestion): boolean {
    return this.#deps.clock.nowMs() < (this.#paused.get(buildKey(question)) ?? 0)
  }

  #isBroken(): boolean {
    return this.#deps.clock.nowMs() < this.#brokenUntilMs
  }

  /**
   * One question for each target and day: the interval of the answer mostly holds for the others
   * too.
   */
  #queue(questions: readonly OwnerQuestion[]): void {
    let leftOut = 0
    for (const question of questions) {
      const key = buildKey(question)
      if (this.#waiting.has(key)) continue
      if (this.#waiting.size < QUESTIONS_MAX) this.#waiting.set(key, question)
      else leftOut += 1
    }
    if (leftOut > 0) this.#metrics.questions.inc({ outcome: 'left_for_later' }, leftOut)
  }

  async #askOnce(): Promise<void> {
    const waiting = [...this.#waiting.values()]
    this.#waiting.clear()
    const settings = await this.readSettings()
    // What the question before this one was about as well has its answer by now.
    const known = await findAnswers(this.#deps.db, this.#scope, waiting, 0)
    const questions = waiting.filter((_, index) => known[index] === null)
    if (settings === null || questions.length === 0) return
    // The question before this one has failed while we waited for it.
    if (this.#isBroken()) {
      this.#metrics.requests.inc({ outcome: 'skipped' })
      return
    }
    const reply = await askResolver(this.#deps, settings, questions)
    this.#metrics.requests.inc({ outcome: reply.kind })
    if (reply.kind === 'failed') {
      await this.#noteFailure(reply.sentence)
      return
    }
    const wrong = await keepAnswers(this.#deps.db, this.#scope, reply.answers, {
      generation: settings.generation,
      ownedSeconds: settings.cacheSeconds,
      nobodySeconds: Math.min(settings.cacheSeconds, NOBODY_SECONDS_MAX),
    })
    const unanswered = reply.unanswered + wrong.length
    const answered = questions.length - unanswered
    this.#metrics.questions.inc({ outcome: 'answered' }, answered)
    if (unanswered > 0) {
      this.#metrics.questions.inc({ outcome: 'unanswered' }, unanswered)
      await this.#pauseUnanswered(questions)
    }
    if (answered === 0) await this.#tellFailure('None of its answers keeps the rules.')
    else if (settings.failures > 0) await noteResolverOutcome(this.#deps.db, this.#scope, null)
  }

  /** It answers, but not these: they wait, and the others go on. */
  async #pauseUnanswered(questions: readonly OwnerQuestion[]): Promise<void> {
    const known = await findAnswers(this.#deps.db, this.#scope, questions, 0)
    const untilMs = this.#deps.clock.nowMs() + BREAK_MS
    for (const [index, question] of questions.entries()) {
      if (known[index] !== null) continue
      const key = buildKey(question)
      // Behind the others, so that the first is the oldest.
      this.#paused.delete(key)
      this.#paused.set(key, untilMs)
    }
    for (const key of this.#paused.keys()) {
      if (this.#paused.size <= PAUSED_MAX) break
      this.#paused.delete(key)
    }
  }

  async #noteFailure(sentence: string): Promise<void> {
    this.#brokenUntilMs = this.#deps.clock.nowMs() + BREAK_MS
    await this.#tellFailure(sentence)
  }

  async #tellFailure(sentence: string): Promise<void> {
    this.#deps.log.warn('The resolver of a tenant gave no answer', {
      tenant_id: this.#scope.tenantId,
      reason: sentence,
    })
    await noteResolverOutcome(this.#deps.db, this.#scope, sentence)
    // So that the failures which the next success takes back are known.
    this.#settings = null
  }
}

function buildKey({ at, target }: OwnerQuestion): string {
  return `${at.slice(0, 10)} ${target}`
}
