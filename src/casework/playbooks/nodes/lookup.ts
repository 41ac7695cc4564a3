// Lookup: asks our own intel about an item, and keeps the answer in the vars. It sends nothing.

import { Type } from 'typebox'
import { parseItem } from '../../../values/item.ts'
import { type ApplyDeps, act, type Due, defineNodeKind, type Outcome } from '../node-kind.ts'
import {
  type ConfigValue,
  createValueReader,
  readValue,
  refuseValue,
  valueOf,
} from './value-config.ts'

interface LookupConfig {
  readonly item: ConfigValue
}

export const LOOKUP = defineNodeKind({
  kind: 'lookup',
  title: 'Lookup',
  description:
    'Keeps what intel knows of an item in `vars.<id of the node>`: item, listed, intent, tags, activity. A text that is no item takes the path error.',
  config: Type.Object(
    {
      item: valueOf(Type.String({ minLength: 1, maxLength: 2_000 }), 'An address or a domain.'),
    },
    { additionalProperties: false },
  ),
  read({ item }, reading): LookupConfig | null {
    const value = readValue(item, 'item', reading)
    if (value === null) return null
    const isWrong = typeof item === 'string' && parseItem(item) === null
    return isWrong ? reading.refuse('item', 'is neither an address nor a domain') : { item: value }
  },
  paths: () => ['next', 'error'],
  needsFacts: true,
  decide: act,
  apply: async (_, deps, dues) => dues.map((due) => lookUp(deps, due)),
  example: { config: { item: { cel: 'event.ip' } } },
})

function lookUp({ briefItem }: ApplyDeps, { config, facts, nodeId }: Due<LookupConfig>): Outcome {
  try {
    const item = createValueReader(facts).readText(config.item)
    if (parseItem(item) === null) return { kind: 'refused', reason: 'not_an_item' }
    const { listed, intent, tags, activity } = briefItem(item)
    const found = { item, listed, intent, tags, activity }
    return { kind: 'done', output: found, vars: { [nodeId]: found } }
  } catch (error) {
    return refuseValue(error)
  }
}
