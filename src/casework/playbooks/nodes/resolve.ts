// Resolve: moves the case to RESOLVED and ends the token.

import type { PlaybookMove } from '../runs/move-cases.ts'
import type { StepEffect } from '../runs/run-step.ts'

export function describeResolve(effect: Extract<StepEffect, { kind: 'resolve' }>): PlaybookMove {
  return { target: 'RESOLVED', resolution: effect.resolution, closeReason: null, mayReopen: false }
}
