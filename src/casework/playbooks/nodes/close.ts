// Close: moves the case to CLOSED and ends the token.

import { Type } from 'typebox'
import { CloseReason } from '../../cases/case-detail-wire.ts'
import { act, defineNodeKind } from '../node-kind.ts'
import { moveByPlaybook, type PlaybookMove } from './move-cases.ts'

export const CLOSE = defineNodeKind({
  kind: 'close',
  title: 'Close',
  description: 'Closes the case without a resolution, and ends the run.',
  config: Type.Object(
    { close_reason: Type.Union(CloseReason.anyOf, { description: 'Why the case is closed.' }) },
    { additionalProperties: false },
  ),
  read: ({ close_reason: closeReason }): PlaybookMove => ({
    target: 'CLOSED',
    resolution: null,
    closeReason,
    mayReopen: false,
  }),
  paths: () => [],
  decide: act,
  apply: moveByPlaybook,
  example: { config: { close_reason: 'not_ours' } },
})
