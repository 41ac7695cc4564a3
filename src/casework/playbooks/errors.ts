// Operating errors of playbooks; docs/reference/errors.md lists them.

import { OperatingError } from '../../kernel/operating-error.ts'
import { type FieldProblem } from '../../values/field-problem.ts'

export function playbookNotFound(): OperatingError {
  return new OperatingError({
    code: 'CASEWORK_PLAYBOOK_NOT_FOUND',
    status: 404,
    publicMessage: 'There is no such playbook; GET /beta/casework/playbooks lists them.',
  })
}

export function playbookVersionNotFound(): OperatingError {
  return new OperatingError({
    code: 'CASEWORK_PLAYBOOK_VERSION_NOT_FOUND',
    status: 404,
    publicMessage: 'The playbook has no such version.',
  })
}

export function playbookTemplateNotFound(): OperatingError {
  return new OperatingError({
    code: 'CASEWORK_PLAYBOOK_TEMPLATE_NOT_FOUND',
    status: 404,
    publicMessage:
      'No playbook of this name ships with the program; GET /beta/casework/playbook-templates lists them.',
  })
}

export function calendarNotFound(): OperatingError {
  return new OperatingError({
    code: 'CASEWORK_CALENDAR_NOT_FOUND',
    status: 404,
    publicMessage: 'There is no such calendar; GET /beta/casework/calendars lists them.',
  })
}

export function calendarNotValid(problems: readonly FieldProblem[]): OperatingError {
  return new OperatingError({
    code: 'CASEWORK_CALENDAR_NOT_VALID',
    status: 400,
    publicMessage: 'The calendar cannot be used; nothing was stored.',
    fields: problems,
  })
}

export function tooManyCalendars(max: number): OperatingError {
  return new OperatingError({
    code: 'CASEWORK_TOO_MANY_CALENDARS',
    status: 409,
    publicMessage: `There are ${max} calendars already, which is the limit; delete one that nothing uses.`,
  })
}

export function calendarInUse(playbook: string): OperatingError {
  return new OperatingError({
    code: 'CASEWORK_CALENDAR_IN_USE',
    status: 409,
    publicMessage: `The playbook ${playbook} counts by this calendar; retire it first, and let its runs end.`,
  })
}

export function runNotFound(): OperatingError {
  return new OperatingError({
    code: 'CASEWORK_RUN_NOT_FOUND',
    status: 404,
    publicMessage: 'There is no such run; GET .../runs lists them.',
  })
}

const NOT_STARTED = {
  not_active: 'The playbook has no active version; activate one first.',
  runs_already: 'The playbook runs on this case already; GET .../runs lists its runs.',
} as const

export function runNotStarted(reason: keyof typeof NOT_STARTED): OperatingError {
  return new OperatingError({
    code: 'CASEWORK_RUN_NOT_STARTED',
    status: 409,
    publicMessage: NOT_STARTED[reason],
    headers: { 'casework-reason': reason },
  })
}

const NOT_CHANGED = {
  has_ended: 'The run has ended.',
  has_failed: 'The run has failed; resume or cancel it.',
  was_cancelled: 'The run was cancelled.',
  runs_already: 'The playbook runs on this case again; cancel that run first.',
  under_way: 'A token of the run is about to move; try again.',
  node_not_mapped: 'A token is at a node that the version does not have; name its new node.',
  node_not_compatible: 'A token is at a node that has another kind in the version.',
  version_not_active: 'The version is neither active nor draining.',
  parent_went_on: 'The run that had started this one was told of its failure and has gone on.',
} as const

export function runNotChanged(reason: keyof typeof NOT_CHANGED): OperatingError {
  return new OperatingError({
    code: 'CASEWORK_RUN_NOT_CHANGED',
    status: 409,
    publicMessage: NOT_CHANGED[reason],
    headers: { 'casework-reason': reason },
  })
}

export function playbookNotValid(problems: readonly FieldProblem[]): OperatingError {
  return new OperatingError({
    code: 'CASEWORK_PLAYBOOK_NOT_VALID',
    status: 400,
    publicMessage: 'The playbook is not valid; nothing was stored.',
    fields: problems,
  })
}

export function playbookNameTaken(): OperatingError {
  return new OperatingError({
    code: 'CASEWORK_PLAYBOOK_NAME_TAKEN',
    status: 409,
    publicMessage: 'A playbook of this name exists; add a version to it, or choose another name.',
  })
}

export function playbookIsStale(): OperatingError {
  return new OperatingError({
    code: 'CASEWORK_PLAYBOOK_IS_STALE',
    status: 412,
    publicMessage:
      'Somebody has added a version since the one of If-Match; read the playbook again, then add yours.',
  })
}

/** `use` ends the sentence. */
export function playbookInUse(use: string): OperatingError {
  return new OperatingError({
    code: 'CASEWORK_PLAYBOOK_IN_USE',
    status: 409,
    publicMessage: `The playbook cannot be deleted: ${use}. Retire it instead.`,
  })
}

export function playbookVersionInUse(): OperatingError {
  return new OperatingError({
    code: 'CASEWORK_PLAYBOOK_VERSION_IN_USE',
    status: 409,
    publicMessage: 'A version that was active once cannot be deleted: runs refer to it.',
  })
}

export function versionNotDraft(): OperatingError {
  return new OperatingError({
    code: 'CASEWORK_PLAYBOOK_VERSION_NOT_DRAFT',
    status: 409,
    publicMessage:
      'This version was active before and has been replaced; add its nodes as a new version and activate that.',
  })
}

export function simulationNotValid(problems: readonly FieldProblem[]): OperatingError {
  return new OperatingError({
    code: 'CASEWORK_SIMULATION_NOT_VALID',
    status: 400,
    publicMessage: 'The simulation cannot be made as it is asked for.',
    fields: problems,
  })
}

export function simulationRunning(): OperatingError {
  return new OperatingError({
    code: 'CASEWORK_SIMULATION_RUNNING',
    status: 409,
    publicMessage: 'Another simulation of the tenant is under way; try again in a moment.',
    headers: { 'retry-after': '5' },
  })
}

export function triggerNotKnown(field: 'node' | 'path'): OperatingError {
  return new OperatingError({
    code: 'CASEWORK_TRIGGER_NOT_KNOWN',
    status: 400,
    publicMessage: 'The playbook of this case has no such node, or the node no such path.',
    fields: [{ path: `/${field}`, reason: `names no ${field} of the playbook version` }],
  })
}

export type TriggerRefusal =
  | 'no_run'
  | 'not_waiting'
  | 'paused'
  | 'several_runs'
  | 'too_many_tokens'

const REFUSALS: Readonly<Record<TriggerRefusal, string>> = {
  no_run: 'No playbook is running on this case.',
  not_waiting:
    'The case does not wait at this node; GET .../triggers lists the nodes at which it waits.',
  paused: 'The run is paused; resume it first (POST /beta/casework/runs/{runId}/resume).',
  several_runs:
    'Several playbooks wait at a node of this name; send node as "<playbook id>/<node id>".',
  too_many_tokens: 'The run has made as many tokens as a run may; cancel it or let it end.',
}

/** `scope` is one of the role that the token lacks. */
export function decisionRoleMissing(role: string, scope: string): OperatingError {
  return new OperatingError({
    code: 'CASEWORK_DECISION_ROLE_MISSING',
    status: 403,
    publicMessage: `This node asks for the role ${role}; the token lacks the scope ${scope}.`,
    headers: {
      'casework-reason': `role ${role}`,
      'www-authenticate': `Bearer realm="casework", error="insufficient_scope", scope="${scope}"`,
    },
  })
}

export function decisionFormNotValid(problems: readonly FieldProblem[]): OperatingError {
  return new OperatingError({
    code: 'CASEWORK_DECISION_FORM_NOT_VALID',
    status: 400,
    publicMessage:
      'The form of this node is not filled in as it asks; GET .../triggers shows it, and POST .../decisions takes it.',
    fields: problems,
  })
}

/** The header gives the reason to callers that get no body. */
export function triggerNotExpected(reason: TriggerRefusal): OperatingError {
  return new OperatingError({
    code: 'CASEWORK_TRIGGER_NOT_EXPECTED',
    status: 409,
    publicMessage: REFUSALS[reason],
    headers: { 'casework-reason': reason },
  })
}
