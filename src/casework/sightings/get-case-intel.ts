// GET /beta/casework/cases/{caseId}/intel: what intel knows of the items of a case, from memory.

import { Type } from 'typebox'
import { requireCaller } from '../../access/admit-request.ts'
import { isBogon } from '../../intel/facts/bogon.ts'
import type { IntelIndex } from '../../intel/index/intel-index.ts'
import type { BriefItem } from '../../intel/lookup/item-brief.ts'
import type { Db } from '../../kernel/db/database.ts'
import { defineRoute, type Route } from '../../kernel/http/route.ts'
import { parseItem } from '../../values/item.ts'
import { requireCase } from '../cases/case-store.ts'
import { CaseIntel, presentCaseItem } from './case-intel-wire.ts'
import { listCaseItems } from './case-item-store.ts'

const ITEMS_MAX = 100

export interface GetCaseIntelDeps {
  readonly db: Db
  readonly index: Pick<IntelIndex, 'state'>
  readonly briefItem: BriefItem
}

export function getCaseIntelRoute({ db, index, briefItem }: GetCaseIntelDeps): Route {
  return defineRoute({
    method: 'GET',
    path: '/beta/casework/cases/{caseId}/intel',
    group: 'casework',
    access: { kind: 'scope', scope: 'cases:read' },
    operationId: 'getCaseIntel',
    summary: 'Get intel about a case',
    description:
      'Addresses and hosts of its events, as a look-up answers them, without enrichment.',
    params: Type.Object({ caseId: Type.String() }),
    responses: {
      200: { description: 'The items.', schema: CaseIntel },
      404: { description: 'There is no such case.' },
    },
    async handle({ caller, params }) {
      const scope = requireCaller(caller)
      const { id } = await requireCase(db, scope, params.caseId)
      const known = await listCaseItems(db, scope, id, ITEMS_MAX)
      const { serial } = index.state()
      const items = known.items.flatMap(({ item: text, eventCount }) => {
        const item = parseItem(text)
        if (item === null) return []
        const isDomain = item.kind === 'domain'
        const brief = briefItem(item.text)
        return presentCaseItem({
          item: item.text,
          isDomain,
          isBogon: isBogon(item),
          eventCount,
          brief,
        })
      })
      return { status: 200, json: { items, item_count: known.itemCount, serial } }
    },
  })
}
