// How many sign-ins there were, by the way and the outcome; never by person or address.

import { Counter, type Registry } from 'prom-client'
import { OperatingError } from '../../kernel/operating-error.ts'

type Way = 'password' | 'link' | 'provider' | 'second_factor' | 'passkey'

export interface SignInMetrics {
  /** Runs it and counts how it went. */
  readonly count: <Result>(way: Way, work: () => Promise<Result>) => Promise<Result>
}

export function createSignInMetrics(registry: Registry): SignInMetrics {
  const counter = new Counter({
    name: 'casework_sign_ins_total',
    help: 'Sign-ins of people, by way and outcome.',
    labelNames: ['way', 'outcome'],
    registers: [registry],
  })
  return {
    async count(way, work) {
      try {
        const result = await work()
        counter.inc({ way, outcome: 'proved' })
        return result
      } catch (error) {
        counter.inc({ way, outcome: readOutcome(error) })
        throw error
      }
    },
  }
}

function readOutcome(error: unknown): string {
  if (!(error instanceof OperatingError)) return 'failed'
  if (error.status === 429) return 'limited'
  return error.status < 500 ? 'refused' : 'failed'
}
