// Operating errors of playbooks; docs/reference/errors.md lists them.

import { defineErrors, retryAfter } from '../../kernel/define-errors.ts'
import { type FieldProblem } from '../../values/field-problem.ts'

const NOT_STARTED = {
  not_active: 'The playbook has no active version; activate one first.',
  runs_already: 'The playbook runs on this case already; GET .../runs lists its runs.',
} as const

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
  calendar_gone:
    'A calendar that its playbook counts by was deleted; store one of the same name, and resume the run then.',
} as const

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

export const {
  playbookNotFound,
  playbookVersionNotFound,
  playbookTemplateNotFound,
  calendarNotFound,
  calendarNotValid,
  tooManyCalendars,
  calendarInUse,
  runNotFound,
  runNotStarted,
  runNotChanged,
  playbookNotValid,
  playbookNameTaken,
  playbookIsStale,
  playbookInUse,
  playbookVersionInUse,
  versionNotDraft,
  simulationNotValid,
  simulationRunning,
  triggerNotKnown,
  decisionRoleMissing,
  decisionFormNotValid,
  triggerNotExpected,
} = defineErrors({
  playbookNotFound: [
    404,
    'CASEWORK_PLAYBOOK_NOT_FOUND',
    'There is no such playbook; GET /beta/casework/playbooks lists them.',
  ],
  playbookVersionNotFound: [
    404,
    'CASEWORK_PLAYBOOK_VERSION_NOT_FOUND',
    'The playbook has no such version.',
  ],
  playbookTemplateNotFound: [
    404,
    'CASEWORK_PLAYBOOK_TEMPLATE_NOT_FOUND',
    'No playbook of this name ships with the program; GET /beta/casework/playbook-templates lists them.',
  ],
  calendarNotFound: [
    404,
    'CASEWORK_CALENDAR_NOT_FOUND',
    'There is no such calendar; GET /beta/casework/calendars lists them.',
  ],
  calendarNotValid: [
    400,
    'CASEWORK_CALENDAR_NOT_VALID',
    (problems: readonly FieldProblem[]) => ({
      text: 'The calendar cannot be used; nothing was stored.',
      fields: problems,
    }),
  ],
  tooManyCalendars: [
    409,
    'CASEWORK_TOO_MANY_CALENDARS',
    (max: number) =>
      `There are ${max} calendars already, which is the limit; delete one that nothing uses.`,
  ],
  calendarInUse: [
    409,
    'CASEWORK_CALENDAR_IN_USE',
    (playbook: string) =>
      `The playbook ${playbook} counts by this calendar; retire it first, and let its runs end.`,
  ],
  runNotFound: [404, 'CASEWORK_RUN_NOT_FOUND', 'There is no such run; GET .../runs lists them.'],
  runNotStarted: [
    409,
    'CASEWORK_RUN_NOT_STARTED',
    (reason: keyof typeof NOT_STARTED) => ({
      text: NOT_STARTED[reason],
      headers: { 'casework-reason': reason },
    }),
  ],
  runNotChanged: [
    409,
    'CASEWORK_RUN_NOT_CHANGED',
    (reason: keyof typeof NOT_CHANGED, calendar: string | null = null) => ({
      text: `${NOT_CHANGED[reason]}${calendar === null ? '' : ` Its name is ${calendar}.`}`,
      headers: { 'casework-reason': reason },
    }),
  ],
  playbookNotValid: [
    400,
    'CASEWORK_PLAYBOOK_NOT_VALID',
    (problems: readonly FieldProblem[]) => ({
      text: 'The playbook is not valid; nothing was stored.',
      fields: problems,
    }),
  ],
  playbookNameTaken: [
    409,
    'CASEWORK_PLAYBOOK_NAME_TAKEN',
    'A playbook of this name exists; add a version to it, or choose another name.',
  ],
  playbookIsStale: [
    412,
    'CASEWORK_PLAYBOOK_IS_STALE',
    'Somebody has added a version since the one of If-Match; read the playbook again, then add yours.',
  ],
  /** `use` ends the sentence. */
  playbookInUse: [
    409,
    'CASEWORK_PLAYBOOK_IN_USE',
    (use: string) => `The playbook cannot be deleted: ${use}. Retire it instead.`,
  ],
  playbookVersionInUse: [
    409,
    'CASEWORK_PLAYBOOK_VERSION_IN_USE',
    'A version that was active once cannot be deleted: runs refer to it.',
  ],
  versionNotDraft: [
    409,
    'CASEWORK_PLAYBOOK_VERSION_NOT_DRAFT',
    'This version was active before and has been replaced; add its nodes as a new version and activate that.',
  ],
  simulationNotValid: [
    400,
    'CASEWORK_SIMULATION_NOT_VALID',
    (problems: readonly FieldProblem[]) => ({
      text: 'The simulation cannot be made as it is asked for.',
      fields: problems,
    }),
  ],
  simulationRunning: [
    409,
    'CASEWORK_SIMULATION_RUNNING',
    'Another simulation of the tenant is under way; try again in a moment.',
    retryAfter(5),
  ],
  triggerNotKnown: [
    400,
    'CASEWORK_TRIGGER_NOT_KNOWN',
    (field: 'node' | 'path') => ({
      text: 'The playbook of this case has no such node, or the node no such path.',
      fields: [{ path: `/${field}`, reason: `names no ${field} of the playbook version` }],
    }),
  ],
  /** `scope` is one of the role that the token lacks. */
  decisionRoleMissing: [
    403,
    'CASEWORK_DECISION_ROLE_MISSING',
    (role: string, scope: string) => ({
      text: `This node asks for the role ${role}; the token lacks the scope ${scope}.`,
      headers: {
        'casework-reason': `role ${role}`,
        'www-authenticate': `Bearer realm="casework", error="insufficient_scope", scope="${scope}"`,
      },
    }),
  ],
  decisionFormNotValid: [
    400,
    'CASEWORK_DECISION_FORM_NOT_VALID',
    (problems: readonly FieldProblem[]) => ({
      text: 'The form of this node is not filled in as it asks; GET .../triggers shows it, and POST .../decisions takes it.',
      fields: problems,
    }),
  ],
  /** The header gives the reason to callers that get no body. */
  triggerNotExpected: [
    409,
    'CASEWORK_TRIGGER_NOT_EXPECTED',
    (reason: TriggerRefusal) => ({
      text: REFUSALS[reason],
      headers: { 'casework-reason': reason },
    }),
  ],
})
