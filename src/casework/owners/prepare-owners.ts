// Asks tenants' resolvers for the owners of events, before the transaction that stores the events.
// Answers are stored for all nodes (owner-answer-store.ts) and read inside the transaction
// (resolve-owners.ts). A failing resolver never stops ingest.
//
// A node sends one request of a tenant at a time; questions that arrive meanwhile share the next
// request (single-flight). After a failure the node asks nothing for half a minute, so that a dead
// resolver costs ingest one timeout in that time. Wrong answers pause their own questions only.

import { Counter, type Registry } from 'prom-client'
import { singleFlight } from '../../kernel/async/single-flight.ts'
import type { Clock } from '../../kernel/clock.ts'
import type { Db } from '../../kernel/db/database.ts'
import type { Log } from '../../kernel/log.ts'
import type { AllowList } from '../../kernel/outbound/allow-list.ts'
import type { Outbound } from '../../kernel/outbound/outbound.ts'
import type { SecretCipher } from '../../kernel/secrets/secret-cipher.ts'
import type { TenantScope } from '../../vocabulary/caller.ts'
import { askResolver, QUESTIONS_MAX } from './ask-resolver.ts'
import { findAnswers, storeAnswers } from './owner-answer-store.ts'
import type { OwnerQuestion } from './owner-question.ts'
import {
  findOwnerResolver,
  noteResolverOutcome,
  type OwnerResolverRecord,
} from './owner-resolver-store.ts'
import { listOpenQuestions, type ResolvableEvent } from './resolve-owners.ts'

/**
 * Asks the resolver for the owners of these events, as far as needed. Never rejects, and takes a
 * limited time.
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
   * A person asked for a retry: ends the pauses of this node, so that the next questions are sent
   * at once.
   */
  readonly endPause: (scope: TenantScope) => void
  /** Call it when this node has changed the settings of the tenant. */
  readonly forget: (scope: TenantScope) => void
}

export interface ResolverDeps {
  readonly db: Db
  readonly log: Log
  readonly clock: Clock
  readonly outbound: Outbound
  readonly secrets: SecretCipher
  /** `config.outboundAllow`. */
  readonly allow: AllowList
  readonly metrics: Registry
}

const SETTINGS_AGE_MS = 1_000
const BREAK_MS = 30_000
// A new customer of the operator is found after this time at the latest.
const NOBODY_SECONDS_MAX = 300
// An answer may cover only a part of the day that was asked about, so a second round asks for the
// rest. More than two owners a day are asked for by later retries.
const ROUNDS_MAX = 2
// The state of all tenants is dropped when this number is reached, and built again on use.
const TENANTS_MAX = 10_000
// Paused questions of one tenant: 1 MB with usual names. Beyond it the oldest pauses end early.
const PAUSED_MAX = 10_000

export function createOwnerResolver(deps: ResolverDeps): OwnerResolver {
  const resolvers = new Map<string, TenantResolver>()
  const metrics = createMetrics(deps.metrics)
  const findResolver = (scope: TenantScope): TenantResolver => {
    const { tenantId } = scope
    const present = resolvers.get(tenantId)
    if (present !== undefined) return present
    if (resolvers.size >= TENANTS_MAX) resolvers.clear()
    const resolver = new TenantResolver(deps, { tenantId }, metrics)
    resolvers.set(tenantId, resolver)
    return resolver
  }
  return {
    findSettings: (scope) => findResolver(scope).readSettings(),
    async prepare(scope, events) {
      if (events.length === 0) return
      try {
        await findResolver(scope).prepare(events)
      } catch (error) {
        // Mostly an error of the database, which ingest then reports itself. Events without an
        // answer stay unassigned and are retried.
        deps.log.warn('The owners of events could not be looked up', { error: String(error) })
      }
    },
    endPause: (scope) => findResolver(scope).endPause(),
    forget: ({ tenantId }) => void resolvers.delete(tenantId),
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
      help: 'Requests to the resolvers of tenants, by outcome; "skipped" requests were not sent because of a recent failure.',
      labelNames: ['outcome'],
      registers: [registry],
    }),
    questions: new Counter({
      name: 'casework_owner_resolver_questions_total',
      help: 'Questions to the resolvers of tenants: answered, unanswered (or answered wrongly), or left for later because there were too many at once.',
      labelNames: ['outcome'],
      registers: [registry],
    }),
  }
}

/** The state of one tenant's resolver on this node. */
class TenantResolver {
  readonly #deps: ResolverDeps
  readonly #scope: TenantScope
  readonly #metrics: ResolverMetrics
  readonly #waiting = new Map<string, OwnerQuestion>()
  readonly #ask: () => Promise<void>
  /** The end of the pause of a question, by its key. */
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
    const reading = findOwnerResolver(this.#deps.db, this.#deps.secrets, this.#scope)
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
      // Each round asks the questions that the round before left open.
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

  /** One question for each target and day: its answer mostly covers the other times of the day. */
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
    // The request before this one may have answered some of the questions.
    const known = await findAnswers(this.#deps.db, this.#scope, waiting, 0)
    const questions = waiting.filter((_, index) => known[index] === null)
    if (settings === null || questions.length === 0) return
    // The request before this one may have failed.
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
    const wrong = await storeAnswers(this.#deps.db, this.#scope, reply.answers, {
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
    if (answered === 0) await this.#reportFailure('None of its answers keeps the rules.')
    else if (settings.failures > 0) await noteResolverOutcome(this.#deps.db, this.#scope, null)
  }

  /** The resolver answers, but not these questions: only they pause. */
  async #pauseUnanswered(questions: readonly OwnerQuestion[]): Promise<void> {
    const known = await findAnswers(this.#deps.db, this.#scope, questions, 0)
    const untilMs = this.#deps.clock.nowMs() + BREAK_MS
    for (const [index, question] of questions.entries()) {
      if (known[index] !== null) continue
      const key = buildKey(question)
      // Deleted first, so that the map stays in the order of time.
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
    await this.#reportFailure(sentence)
  }

  async #reportFailure(sentence: string): Promise<void> {
    this.#deps.log.warn('The resolver of a tenant gave no answer', {
      tenant_id: this.#scope.tenantId,
      reason: sentence,
    })
    await noteResolverOutcome(this.#deps.db, this.#scope, sentence)
    // The next answer resets the number of failures, so the settings must be read again.
    this.#settings = null
  }
}

function buildKey({ at, target }: OwnerQuestion): string {
  return `${at.slice(0, 10)} ${target}`
}
