// POST /beta/casework/playbooks/{playbookId}/versions/{version}/activate: new cases start on this
// version from now on.

import { Type } from 'typebox'
import { requireCaller } from '../../access/admit-request.ts'
import type { AuditLog } from '../../access/audit/audit-log.ts'
import { type Db, inTransaction } from '../../kernel/db/database.ts'
import { defineRoute, type Route } from '../../kernel/http/route.ts'
import type { AllowList } from '../../kernel/outbound/allow-list.ts'
import type { FieldProblem } from '../../values/field-problem.ts'
import type { TenantScope } from '../../vocabulary/caller.ts'
import { setListener } from '../changes/outbox-store.ts'
import { findMissingCalendars } from './calendars/check-calendars.ts'
import { findUnknownAssignees } from './check-assignees.ts'
import { findCallTrouble, listPlaybookCalls } from './check-sub-playbooks.ts'
import {
  playbookNotFound,
  playbookNotValid,
  playbookVersionNotFound,
  versionNotDraft,
} from './errors.ts'
import { findTargetWarnings } from './find-target-warnings.ts'
import {
  activateVersion,
  findVersion,
  listensForChanges,
  lockPlaybook,
  lockPlaybooks,
} from './playbook-store.ts'
import { ActivatedVersion } from './playbook-wire.ts'
import { parsePlaybookId, parseVersionNumber } from './require-playbook.ts'

export interface ActivatePlaybookVersionDeps {
  readonly db: Db
  readonly audit: AuditLog
  readonly allow: AllowList
}

export function activatePlaybookVersionRoute(deps: ActivatePlaybookVersionDeps): Route {
  return defineRoute({
    method: 'POST',
    path: '/beta/casework/playbooks/{playbookId}/versions/{version}/activate',
    group: 'casework',
    access: { kind: 'scope', scope: 'playbooks:activate' },
    operationId: 'activatePlaybookVersion',
    summary: 'Activate a version',
    description:
      'New cases start on it. The former active version drains: its runs continue, and it becomes inactive when the last one has ended. Activating the active version changes nothing.',
    params: Type.Object({ playbookId: Type.String(), version: Type.String() }),
    responses: {
      200: { description: 'The version is active.', schema: ActivatedVersion },
      400: {
        description:
          'A node names a calendar, a playbook or an assignee that there is not, or a playbook that runs this one again.',
      },
      404: { description: 'There is no such playbook or version.' },
      409: { description: 'The version was active before and has been replaced.' },
    },
    async handle({ caller, params }) {
      const playbookId = parsePlaybookId(params.playbookId)
      const version = parseVersionNumber(params.version)
      const warnings = await activate(deps, requireCaller(caller), playbookId, version)
      const json = { id: playbookId, version, state: 'active' as const, warnings: [...warnings] }
      return { status: 200, json }
    },
  })
}

/** Makes a draft the active version, and gives its warnings. The active version stays as it is. */
async function activate(
  { db, audit, allow }: ActivatePlaybookVersionDeps,
  scope: TenantScope,
  playbookId: string,
  number: number,
): Promise<readonly FieldProblem[]> {
  return await inTransaction(db, async (tx) => {
    const draft = await findVersion(tx, scope, playbookId, number)
    // Two activations at once could close a ring of playbooks that neither sees.
    const hasCalls = draft !== null && listPlaybookCalls(draft.graph).length > 0
    if (hasCalls) await lockPlaybooks(tx, scope)
    const playbook = await lockPlaybook(tx, scope, playbookId)
    if (playbook === null) throw playbookNotFound()
    const version = await findVersion(tx, scope, playbookId, number)
    if (version === null) throw playbookVersionNotFound()
    const warnings = findTargetWarnings(version.graph.nodes, allow)
    if (version.state === 'active') return warnings
    if (version.state !== 'draft') throw versionNotDraft()
    const problems = [
      ...(await findMissingCalendars(tx, scope, version.graph)),
      ...(await findUnknownAssignees(tx, scope, version.graph)),
      ...(await findCallTrouble(tx, scope, playbook, version.graph)),
    ]
    if (problems.length > 0) throw playbookNotValid(problems)
    await activateVersion(tx, scope, playbook, number)
    // Never taken away here: another activation may be under way, and changes cost little.
    if (await listensForChanges(tx, scope)) {
      await setListener(tx, scope, 'playbooks', ['case', 'event'])
    }
    await audit.record(tx, 'playbook_version.activate', {
      tenantId: scope.tenantId,
      id: `${playbookId}/${number}`,
      before: { active_version: playbook.activeVersion },
      after: { active_version: number },
    })
    return warnings
  })
}
