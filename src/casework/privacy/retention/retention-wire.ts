// How long a tenant keeps what (docs/guides/retention-and-erasure.md).

import { Type } from 'typebox'
import { RetentionSettings } from '../../../access/tenant-wire.ts'

export const RetentionView = Type.Object({
  settings: RetentionSettings,
  due: Type.Object(
    {
      raw_reports: Type.Integer(),
      raw_bytes: Type.Integer({ description: 'Of these reports; equal bytes are kept once.' }),
      events: Type.Integer(),
      reports: Type.Integer(),
      audit: Type.Integer(),
      cases: Type.Integer({ description: 'Their events are counted with the events only by age.' }),
    },
    { description: 'What would be removed now; each counted up to counted_up_to.' },
  ),
  counted_up_to: Type.Integer(),
  held_cases: Type.Integer({
    description:
      'Cases that a legal hold keeps, with those they are merged with. None of it is due.',
  }),
})
