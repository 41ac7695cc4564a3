// The tools that change something. They exist only with --allow-writes, and act with the token of
// the caller: what its scopes do not allow, the service refuses.

import { Type } from 'typebox'
import { CaseId } from './case-tools.ts'
import { defineWritingTool, type McpTool } from './tool.ts'

const Version = Type.Integer({
  minimum: 0,
  description:
    'The version of the case that you decided on, as get_case and every change return it. Refused when the case has changed since.',
})
const Reason = Type.Optional(
  Type.String({ minLength: 1, maxLength: 2_000, description: 'Why; kept in the history.' }),
)
const NODE_MEMBERS = {
  case_id: CaseId,
  node: Type.String({
    minLength: 1,
    maxLength: 200,
    description: 'The node that waits, as list_case_triggers names it.',
  }),
  path: Type.String({
    minLength: 1,
    maxLength: 200,
    description: 'The path to take, as list_case_triggers names it.',
  }),
}
const Tag = Type.String({ minLength: 1, maxLength: 64, pattern: '^[^\\s,]+$' })

const commentOnCase = defineWritingTool(
  {
    name: 'comment_on_case',
    title: 'Comment on a case',
    description: 'Adds a comment to a case. A comment cannot be changed or removed later.',
  },
  'adds',
  {
    case_id: CaseId,
    text: Type.String({ minLength: 1, maxLength: 20_000, description: 'The comment.' }),
  },
  ({ casework, args, signal }) =>
    casework.post('/beta/casework/cases/{caseId}/comments', {
      params: { path: { caseId: args.case_id } },
      body: { text: args.text },
      signal,
    }),
)

const assignCase = defineWritingTool(
  {
    name: 'assign_case',
    title: 'Assign a case',
    description: 'Gives a case to a person, or takes it from the one who has it.',
  },
  'changes',
  {
    case_id: CaseId,
    assignee_user_id: Type.Union([Type.String({ minLength: 1, maxLength: 256 }), Type.Null()], {
      description: 'Who works on the case; null for nobody.',
    }),
    reason: Reason,
    version: Version,
  },
  ({ casework, args: { case_id: caseId, ...body }, signal }) =>
    casework.patch('/beta/casework/cases/{caseId}', { params: { path: { caseId } }, body, signal }),
)

const moveCase = defineWritingTool(
  {
    name: 'move_case',
    title: 'Move a case to another state',
    description:
      'Moves a case to another state. RESOLVED needs a resolution, CLOSED a close_reason. Ending a case ends the runs of its playbooks.',
  },
  'acts',
  {
    case_id: CaseId,
    state: Type.Enum(['NEW', 'IN_PROGRESS', 'RESOLVED', 'CLOSED'], {
      description: 'The new state.',
    }),
    resolution: Type.Optional(
      Type.Enum(['handled', 'fixed', 'mitigated', 'suspended', 'notified', 'quiet'], {
        description: 'How it ended, with RESOLVED.',
      }),
    ),
    close_reason: Type.Optional(
      Type.Enum(
        [
          'not_ours',
          'insufficient_evidence',
          'false_positive',
          'duplicate',
          'ignored_by_policy',
          'no_customer',
          'expired',
        ],
        { description: 'Why it ends without a result, with CLOSED.' },
      ),
    ),
    reason: Reason,
    version: Version,
  },
  ({ casework, args: { case_id: caseId, ...body }, signal }) =>
    casework.patch('/beta/casework/cases/{caseId}', { params: { path: { caseId } }, body, signal }),
)

const changeCase = defineWritingTool(
  {
    name: 'change_case',
    title: 'Change severity, tags or whose turn it is',
    description: 'Changes the severity of a case, its tags, or whose turn it is.',
  },
  'changes',
  {
    case_id: CaseId,
    severity: Type.Optional(
      Type.Union([Type.Enum(['low', 'medium', 'high', 'critical']), Type.Null()], {
        description: 'How bad it is; null for not said.',
      }),
    ),
    waiting_on: Type.Optional(
      Type.Enum(['none', 'agent', 'customer', 'reporter', 'third_party', 'timer'], {
        description: 'Whose turn it is.',
      }),
    ),
    add_tags: Type.Optional(Type.Array(Tag, { maxItems: 50, description: 'Tags to add.' })),
    remove_tags: Type.Optional(Type.Array(Tag, { maxItems: 50, description: 'Tags to remove.' })),
    reason: Reason,
    version: Version,
  },
  ({ casework, args: { case_id: caseId, ...body }, signal }) =>
    casework.patch('/beta/casework/cases/{caseId}', { params: { path: { caseId } }, body, signal }),
)

const triggerPlaybook = defineWritingTool(
  {
    name: 'trigger_playbook',
    title: 'Take a path of a playbook',
    description:
      'Lets a playbook that waits at a trigger node of a case go on by one of its paths. The steps after it may mail the customer, call other systems or suspend a service, and cannot be taken back here. Read list_case_triggers first.',
  },
  'acts',
  NODE_MEMBERS,
  async ({ casework, args: { case_id: caseId, ...body }, signal }) => {
    const given = { params: { path: { caseId } }, body, signal }
    await casework.post('/beta/casework/cases/{caseId}/trigger-playbook', given)
    return { accepted: true }
  },
)

const decideAtNode = defineWritingTool(
  {
    name: 'decide_at_node',
    title: 'Decide at a waiting node',
    description:
      'Answers the question of a manual node at which a playbook of a case waits, with its form where it has one. The steps after it may mail the customer, call other systems or suspend a service. Read list_case_triggers first.',
  },
  'acts',
  {
    ...NODE_MEMBERS,
    form: Type.Optional(
      Type.Record(Type.String(), Type.Unknown(), {
        description: 'By the names of the fields that list_case_triggers shows.',
      }),
    ),
  },
  ({ casework, args: { case_id: caseId, ...body }, signal }) =>
    casework.post('/beta/casework/cases/{caseId}/decisions', {
      params: { path: { caseId } },
      body,
      signal,
    }),
)

export const WRITING_TOOLS: readonly McpTool[] = [
  commentOnCase,
  assignCase,
  moveCase,
  changeCase,
  triggerPlaybook,
  decideAtNode,
]
