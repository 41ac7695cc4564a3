// Reads the filter of cases from its parameters, for lists, counts and bulk changes.

import type { Static } from 'typebox'
import {
  readDomainFilter,
  readEmailFilter,
  readEventTypeFilter,
  readIpFilter,
  readRangeFilter,
  readTextFilter,
  readTime,
  readTimeRange,
  requireValue,
} from '../../../kernel/http/read-filters.ts'
import type { Caller } from '../../../vocabulary/caller.ts'
import type { CaseState } from '../case-state.ts'
import { CASE_STATES, isCaseState } from '../case-state.ts'
import type { CaseContent } from './case-content-store.ts'
import type { CaseFilterBody } from './case-filter-wire.ts'
import type { CaseFilter } from './case-list-store.ts'

/**
 * Leaves out `tenant_id`: see `namesForeignTenant`. `caller` is who `me` is. Throws
 * `filterNotValid`.
 */
export function readCaseFilter(
  given: Static<typeof CaseFilterBody>,
  caller?: Pick<Caller, 'tokenId' | 'owner'>,
): CaseFilter {
  return {
    ...(given.state === undefined ? {} : { states: readStates(given.state) }),
    ...(given.customer_id === undefined ? {} : { customerId: given.customer_id }),
    ...(given.contract_id === undefined ? {} : { contractId: given.contract_id }),
    ...(given.case_group === undefined ? {} : { caseGroupId: given.case_group }),
    ...readAssignee(given.assignee_user_id, caller),
    ...(given.severity === undefined ? {} : { severity: given.severity }),
    ...(given.waiting_on === undefined ? {} : { waitingOn: given.waiting_on }),
    ...(given.tag === undefined ? {} : { tag: given.tag }),
    ...(given.deadline_before === undefined
      ? {}
      : { dueBefore: readTime('deadline_before', given.deadline_before) }),
    ...(given.deadline_after === undefined
      ? {}
      : { dueAfter: readTime('deadline_after', given.deadline_after) }),
    ...(given.due_within_hours === undefined ? {} : { dueWithinHours: given.due_within_hours }),
    ...(given.created_within_hours === undefined
      ? {}
      : { createdWithinHours: given.created_within_hours }),
    ...readContent(given),
    createdAt: readTimeRange('created', given.created_after, given.created_before),
  }
}

/** `me` is the person behind the request, else its token; `none` is no assignee. */
function readAssignee(
  id: string | undefined,
  caller: Pick<Caller, 'tokenId' | 'owner'> | undefined,
): Pick<CaseFilter, 'assigneeUserId' | 'workedBy' | 'isUnassigned'> {
  if (id === undefined) return {}
  if (id === 'none') return { isUnassigned: true }
  if (id !== 'me') return { assigneeUserId: id }
  return { workedBy: caller?.owner?.id ?? caller?.tokenId ?? '' }
}

function readContent(given: Static<typeof CaseFilterBody>): Pick<CaseFilter, 'content'> {
  const content: CaseContent = {
    ...(given.ip === undefined ? {} : { ip: readIpFilter(given.ip) }),
    ...(given.range === undefined ? {} : { range: readRangeFilter(given.range) }),
    ...(given.domain === undefined ? {} : { domain: readDomainFilter(given.domain) }),
    ...(given.reporter === undefined
      ? {}
      : { reporter: readEmailFilter('reporter', given.reporter) }),
    ...(given.event_type === undefined ? {} : { eventType: readEventTypeFilter(given.event_type) }),
    ...(given.text === undefined ? {} : { text: readTextFilter(given.text) }),
  }
  return Object.keys(content).length === 0 ? {} : { content }
}

/** A caller sees no cases of another tenant, as if it did not exist. */
export function namesForeignTenant(
  given: Static<typeof CaseFilterBody>,
  scope: { readonly tenantId: string },
): boolean {
  return given.tenant_id !== undefined && given.tenant_id !== scope.tenantId
}

/** The named states, each once, in the order of CASE_STATES. */
function readStates(text: string): readonly CaseState[] {
  const words = text.split(',')
  const reason = `must be one or more of ${CASE_STATES.join(', ')}, separated by commas`
  requireValue('state', words.every(isCaseState) ? words : null, reason)
  return CASE_STATES.filter((state) => words.includes(state))
}
