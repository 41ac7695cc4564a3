// Case groups: which events gather into which kind of case, and the playbook their new cases enter (design section 9 and 10).

import { Type } from 'typebox'
import { pageOf } from './page.ts'

export const CaseGroup = Type.Object({
  id: Type.String(),
  name: Type.String(),
  description: Type.String(),
  order: Type.Integer({ description: 'Groups are asked in ascending order; the first match.' }),
  enabled: Type.Boolean(),
  xarf_classes: Type.Optional(
    Type.Array(Type.String(), { description: 'What the group takes; absent: everything.' }),
  ),
  key_fields: Type.Array(Type.String(), { description: 'What tells its cases apart.' }),
  playbook_id: Type.Optional(Type.String()),
})
export const CaseGroupList = pageOf(CaseGroup)

export const CaseGroupPatch = Type.Object(
  {
    playbook_id: Type.Optional(
      Type.Union([Type.String({ minLength: 1 }), Type.Null()], {
        description: 'The playbook that new cases enter; null detaches.',
      }),
    ),
    enabled: Type.Optional(Type.Boolean()),
  },
  { additionalProperties: false, minProperties: 1 },
)
