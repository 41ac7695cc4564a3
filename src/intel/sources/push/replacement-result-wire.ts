// What the replacement of a whole list answers (PUT /beta/sources/{kind}/{name}/entries).

import { type Static, Type } from 'typebox'
import { PushResult } from './push-result-wire.ts'

export const ReplacementResult = Type.Object({
  accepted: PushResult.properties.accepted,
  removed: Type.Integer({ description: 'Entries the list had before and has no longer.' }),
  rejected: PushResult.properties.rejected,
})
export type ReplacementResult = Static<typeof ReplacementResult>
