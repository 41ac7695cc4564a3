// Set State: moves the case by the same table as everyone else; a move that the table refuses stops
// the run. A case that has ended is opened again only where the graph says so: else a playbook
// would undo what a person decided while it waited.

import type { PlaybookMove } from '../move-cases.ts'
import type { StepEffect } from '../run-step.ts'

export function describeSetState(effect: Extract<StepEffect, { kind: 'set_state' }>): PlaybookMove {
  const { state: target, resolution, closeReason, mayReopen } = effect
  return { target, resolution, closeReason, mayReopen }
}
