// Records whether the questions of the last minutes were answered. A resolver that fails every real
// question may still answer the probe, and then every look-up is partial.

import type { Clock } from '../../kernel/clock.ts'
import type { Answer, FailureReason } from '../dns/dns-answer.ts'

export interface AnswerRecord {
  readonly note: (answer: Answer<unknown>) => void
  /** What failed, and since when, when no question was answered lately; null otherwise. */
  readonly trouble: () => Trouble | null
}

export interface Trouble {
  readonly questions: number
  readonly sinceMs: number
  /** Why the last question failed. */
  readonly reason: FailureReason
}

// Some badly run zones always fail, and on a quiet node a few such questions may come in a row. So
// many failures over so long a time do not come from such zones.
const QUESTIONS_MIN = 5
const SPAN_MIN_MS = 2 * 60_000
// An older failure says nothing about the present.
const FORGOTTEN_AFTER_MS = 10 * 60_000

export function createAnswerRecord(clock: Clock): AnswerRecord {
  let questions = 0
  let sinceMs = 0
  let lastMs = 0
  let reason: FailureReason = 'timeout'
  return {
    note(answer) {
      const nowMs = clock.nowMs()
      if (answer.kind !== 'failed' || nowMs - lastMs > FORGOTTEN_AFTER_MS) questions = 0
      if (answer.kind !== 'failed') return
      if (questions === 0) sinceMs = nowMs
      questions += 1
      lastMs = nowMs
      reason = answer.reason
    },
    trouble() {
      const isOld = clock.nowMs() - lastMs > FORGOTTEN_AFTER_MS
      if (questions < QUESTIONS_MIN || lastMs - sinceMs < SPAN_MIN_MS || isOld) return null
      return { questions, sinceMs, reason }
    },
  }
}
