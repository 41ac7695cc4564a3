// Whether the questions of the last minutes were answered at all: a resolver that is there and
// fails every question looks healthy to a probe, and every look-up is partial.

import type { Clock } from '../../kernel/clock.ts'
import type { Answer, FailureReason } from '../dns/dns-answer.ts'

export interface AnswerRecord {
  readonly note: (answer: Answer<unknown>) => void
  /** What failed and for how long, when nothing was answered of late; null otherwise. */
  readonly trouble: () => Trouble | null
}

export interface Trouble {
  readonly questions: number
  readonly sinceMs: number
  /** Of the last question. */
  readonly reason: FailureReason
}

// The zones of a careless network fail for ever, and on a quiet node a few such questions come in a
// row: so many, over so long, do not.
const QUESTIONS_MIN = 5
const LAST_MIN_MS = 2 * 60_000
// What failed this long ago says nothing of now.
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
      if (questions < QUESTIONS_MIN || lastMs - sinceMs < LAST_MIN_MS || isOld) return null
      return { questions, sinceMs, reason }
    },
  }
}
