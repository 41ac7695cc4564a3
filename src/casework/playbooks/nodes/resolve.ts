// Resolve: the case ended well, and so does the token.

import type { StepEffect } from '../../model/run.ts'
import type { PlaybookMove } from '../move-cases.ts'

export function describeResolve(effect: Extract<StepEffect, { kind: 'resolve' }>): PlaybookMove {
  return { target: 'RESOLVED', resolution: effect.resolution, closeReason: null, mayReopen: false }
}
