// POST /beta/casework/case-groups/test: the mute rule or case group that an event would meet, and
// why; nothing is stored.

import { requireCaller } from '../../access/admit-request.ts'
import type { Clock } from '../../kernel/clock.ts'
import { defineRoute, type Route } from '../../kernel/http/route.ts'
import { parseNewEvent } from '../../vocabulary/event.ts'
import { eventNotValid } from '../cases/errors.ts'
import type { OwnerResolver } from '../owners/prepare-owners.ts'
import { CaseGroupTest } from '../rules/case-group-wire.ts'
import type { ConditionWork } from '../rules/condition-work.ts'
import { checkNamedOwners } from './check-named-owners.ts'
import { NewEvent } from './event-wire.ts'
import { type ExplainChoiceDeps, explainChoice } from './explain-choice.ts'

export interface TestCaseGroupsDeps extends Omit<ExplainChoiceDeps, 'conditionWork'> {
  readonly clock: Clock
  /** Its own, so that a person who only reads cannot use up the work of ingest. */
  readonly dryRunWork: ConditionWork
  readonly owners: Pick<OwnerResolver, 'prepare'>
}

export function testCaseGroupsRoute(deps: TestCaseGroupsDeps): Route {
  const { db, briefItem, clock, owners, dryRunWork: conditionWork } = deps
  return defineRoute({
    method: 'POST',
    path: '/beta/casework/case-groups/test',
    group: 'casework',
    access: { kind: 'scope', scope: 'cases:read' },
    operationId: 'testCaseGroups',
    summary: 'Test the case groups and mute rules with an event',
    description:
      'No event is stored. The owner is what the resources of the tenant, and its resolver, say now.',
    body: NewEvent,
    checksOwnBody: true,
    responses: {
      200: { description: 'The answer of each rule, and the key.', schema: CaseGroupTest },
      400: { description: 'The event is not valid.' },
    },
    async handle({ caller, body }) {
      const { tenantId, contactEmail: senderEmail } = requireCaller(caller)
      const nowMs = clock.nowMs()
      conditionWork.requireRoom({ tenantId })
      await conditionWork.waitForRoom({ tenantId })
      const result = parseNewEvent(body, { senderEmail, tenantId, nowMs })
      if (result.kind === 'invalid') throw eventNotValid(result.problems)
      const { customerId, contractId } = result.event
      if (customerId !== null) {
        const owner = { customerId, contractId }
        const [problem] = await checkNamedOwners(db, { tenantId }, [owner])
        if (problem) throw eventNotValid([problem])
      }
      // As ingest does; an answer of the tenant's resolver is kept for the next question.
      await owners.prepare({ tenantId }, [result.event])
      const explain = { db, briefItem, conditionWork }
      const json = await explainChoice(explain, { tenantId }, result.event, new Date(nowMs))
      return { status: 200, json }
    },
  })
}
