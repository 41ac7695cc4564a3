// Tag: adds tags to the case, and removes some.

import { Type } from 'typebox'
import { isStorableText } from '../../../values/json-value.ts'
import { CaseTags } from '../../cases/case-detail-wire.ts'
import { act, defineNodeKind } from '../node-kind.ts'
import { CHANGE_PATHS, changeByPlaybook, type PlaybookChange } from './change-cases.ts'

export const TAG = defineNodeKind({
  kind: 'tag',
  title: 'Tag',
  description: 'Adds tags to the case, and removes others. A case has at most 100.',
  config: Type.Object(
    { add: Type.Optional(CaseTags), remove: Type.Optional(CaseTags) },
    { additionalProperties: false },
  ),
  read({ add = [], remove = [] }, { refuse }): PlaybookChange | null {
    if (add.length + remove.length === 0) return refuse('add', 'is missing; give add or remove')
    const both = add.find((tag) => remove.includes(tag))
    if (both !== undefined) return refuse('remove', `has ${both}, which is to be added`)
    if (![...add, ...remove].every(isStorableText)) {
      return refuse('add', 'has U+0000 or a lone surrogate')
    }
    return { plan: () => ({ addTags: add, removeTags: remove }) }
  },
  paths: () => CHANGE_PATHS,
  decide: act,
  apply: changeByPlaybook,
  example: { config: { add: ['escalated'], remove: ['new-customer'] } },
})
