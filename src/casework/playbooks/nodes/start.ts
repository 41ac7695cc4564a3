// Start: where every run begins.

import { Type } from 'typebox'
import { defineNodeKind } from '../node-kind.ts'

export const START = defineNodeKind({
  kind: 'start',
  title: 'Start',
  description: 'The node at which every run begins. A playbook has exactly one.',
  config: Type.Object({}, { additionalProperties: false }),
  read: () => ({}),
  paths: () => ['next'],
  decide: () => ({ kind: 'leave', path: 'next' }),
  example: { config: {} },
})
