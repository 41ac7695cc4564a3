// End: ends the token, and leaves the case as it is.

import { Type } from 'typebox'
import { defineNodeKind } from '../node-kind.ts'

export const END = defineNodeKind({
  kind: 'end',
  title: 'End',
  description: 'Ends the run. The case stays as it is.',
  config: Type.Object({}, { additionalProperties: false }),
  read: () => ({}),
  paths: () => [],
  decide: () => ({ kind: 'end' }),
  example: { config: {} },
})
