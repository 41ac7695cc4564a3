// The checks behind `/readyz` and `casework doctor`: each part of the program adds its own.

/** One part of the program whose state `/readyz` and `casework doctor` report. */
interface ReadinessCheck {
  readonly name: string
  /**
   * `failed` makes the node not ready (503); `degraded` and `off` are reported only. Must answer
   * within a second.
   */
  readonly check: () => Promise<ReadinessFinding>
}

export interface ReadinessFinding {
  readonly state: 'ok' | 'off' | 'degraded' | 'failed'
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
