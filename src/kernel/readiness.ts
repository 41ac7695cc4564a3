// The checks behind `/readyz`, `/readyz/write` and `casework doctor`: each part of the program adds
// its own.

/** One part of the program whose state these pages report. */
interface ReadinessCheck {
  readonly name: string
  /**
   * Must answer within a second.
   */
  readonly check: () => Promise<ReadinessFinding>
}

export interface ReadinessFinding {
  /**
   * `failed`: this node cannot answer look-ups, so `/readyz` is 503. `degraded` and `off` are
   * reported only.
   */
  readonly state: 'ok' | 'off' | 'degraded' | 'failed'
  /** This node can store nothing at the moment, so `/readyz/write` is 503. */
  readonly refusesWrites?: boolean
  /** One sentence for an operator; no secrets, no paths of other tenants' data. */
  readonly detail: string
}

export interface Readiness {
  readonly add: (check: ReadinessCheck) => void
  /** In the order in which they were added. */
  readonly list: () => readonly ReadinessCheck[]
}

export function createReadiness(): Readiness {
  const checks: ReadinessCheck[] = []
  return {
    add: (check) => {
      checks.push(check)
    },
    list: () => checks,
  }
}
