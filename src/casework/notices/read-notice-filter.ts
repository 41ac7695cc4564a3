// The filters of GET /beta/casework/notices.

import { type Static, Type } from 'typebox'
import { readCaseIdFilter, readTimeRange, requireValue } from '../../kernel/http/read-filters.ts'
import { parseRecordId } from '../../values/uuid.ts'
import { timeParameter } from '../../vocabulary/page-wire.ts'
import type { NoticeFilter } from './notice-store.ts'
import { NoticeStateMember, PartyMember } from './notice-wire.ts'
import { Purpose } from './template-wire.ts'

export const NoticeFilters = {
  state: Type.Optional(NoticeStateMember),
  reason: Type.Optional(Type.String({ minLength: 1, maxLength: 50 })),
  party: Type.Optional(PartyMember),
  purpose: Type.Optional(Purpose),
  case_id: Type.Optional(Type.String({ minLength: 1, maxLength: 100 })),
  customer_id: Type.Optional(Type.String({ minLength: 1, maxLength: 200 })),
  recipient: Type.Optional(
    Type.String({ minLength: 3, maxLength: 254, description: 'The address, in any case.' }),
  ),
  digest_id: Type.Optional(Type.String({ description: 'The notices that a digest took up.' })),
  created_after: timeParameter('Made at this time or later.'),
  created_before: timeParameter('Made before this time.'),
}
const FilterQuery = Type.Object(NoticeFilters)

export function readNoticeFilter(query: Static<typeof FilterQuery>): NoticeFilter {
  return {
    caseId: query.case_id === undefined ? null : readCaseIdFilter(query.case_id),
    state: query.state ?? null,
    reason: query.reason ?? null,
    party: query.party ?? null,
    purpose: query.purpose ?? null,
    customerId: query.customer_id ?? null,
    recipient: query.recipient ?? null,
    digestId: query.digest_id === undefined ? null : readDigestId(query.digest_id),
    createdAt: readTimeRange('created', query.created_after, query.created_before),
  }
}

function readDigestId(text: string): string {
  return requireValue('digest_id', parseRecordId(text), 'must be the id of a digest')
}
