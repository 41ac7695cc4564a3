// Caches the answers to questions of one kind. Callers that ask the same question at the same time
// share one request.

import type { Counter } from 'prom-client'
import type { Clock } from '../../kernel/clock.ts'
import type { Answer } from '../dns/dns-answer.ts'
import { createTimedCache } from './timed-cache.ts'

export interface CachedQuestionOptions {
  readonly clock: Clock
  /** Number of cached answers, some 300 bytes each. */
  readonly entriesMax: number
  readonly foundTtlMs: number
  readonly absentTtlMs: number
  readonly failedTtlMs: number
  /** Counts every question that was sent, by outcome. */
  readonly counter: Counter<'enricher' | 'outcome'>
  readonly enricher: string
}

export interface CachedQuestion<Value> {
  readonly find: (key: string) => Answer<Value> | undefined
  /**
   * The cached answer, that of the same running question, or the answer of `work`. `work` must not
   * reject.
   */
  readonly ask: (key: string, work: () => Promise<Answer<Value>>) => Promise<Answer<Value>>
  readonly size: () => number
}

export function createCachedQuestion<Value>(options: CachedQuestionOptions): CachedQuestion<Value> {
  const cache = createTimedCache<Answer<Value>>(options.clock, options.entriesMax)
  const underWay = new Map<string, Promise<Answer<Value>>>()
  const ttlMs = {
    found: options.foundTtlMs,
    absent: options.absentTtlMs,
    failed: options.failedTtlMs,
  }
  const askAndKeep = async (
    key: string,
    work: () => Promise<Answer<Value>>,
  ): Promise<Answer<Value>> => {
    const answer = await work()
    cache.keep(key, answer, ttlMs[answer.kind])
    options.counter.inc({ enricher: options.enricher, outcome: nameOutcome(answer) })
    return answer
  }
  return {
    find: cache.find,
    async ask(key, work) {
      const kept = cache.find(key)
      if (kept !== undefined) return kept
      const present = underWay.get(key)
      if (present !== undefined) return await present
      const asking = askAndKeep(key, work).finally(() => underWay.delete(key))
      underWay.set(key, asking)
      return await asking
    },
    size: cache.size,
  }
}

function nameOutcome(answer: Answer<unknown>): string {
  return answer.kind === 'failed' ? answer.reason : answer.kind
}
