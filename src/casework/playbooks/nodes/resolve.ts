// Resolve: moves the case to RESOLVED and ends the token.

import { Type } from 'typebox'
import { DEFAULT_RESOLUTION } from '../../cases/case-state.ts'
import { act, defineNodeKind } from '../node-kind.ts'
import { moveByPlaybook, type PlaybookMove, ResolutionMember } from './move-cases.ts'

export const RESOLVE = defineNodeKind({
  kind: 'resolve',
  title: 'Resolve',
  description: 'Resolves the case and ends the run.',
  config: Type.Object({ resolution: ResolutionMember }, { additionalProperties: false }),
  read: ({ resolution = DEFAULT_RESOLUTION }): PlaybookMove => ({
    target: 'RESOLVED',
    resolution,
    closeReason: null,
    mayReopen: false,
  }),
  paths: () => [],
  decide: act,
  apply: moveByPlaybook,
  example: { config: { resolution: 'fixed' } },
})
