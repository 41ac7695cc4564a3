// Set State: moves the case by the same rules as a person's request. A move that the rules refuse
// stops the run. An ended case is opened again only where the graph says so; otherwise a playbook
// would undo a decision that a person made while it waited.

import type { PlaybookMove } from '../runs/move-cases.ts'
import type { StepEffect } from '../runs/run-step.ts'

export function describeSetState(effect: Extract<StepEffect, { kind: 'set_state' }>): PlaybookMove {
  const { state: target, resolution, closeReason, mayReopen } = effect
  return { target, resolution, closeReason, mayReopen }
}
