// The tools that read cases and events.

import { Type } from 'typebox'
import { definePageTool, defineRecordTool, type McpTool } from './tool.ts'

export const CaseId = Type.String({ minLength: 1, maxLength: 256, description: 'Id of the case.' })

function text(description: string, maxLength = 256) {
  return Type.Optional(Type.String({ minLength: 1, maxLength, description }))
}

function time(description: string) {
  return text(`${description} RFC 3339, such as 2026-02-01T00:00:00Z.`, 64)
}

const Order = Type.Optional(Type.Enum(['asc', 'desc'], { description: 'desc when left out.' }))

const search = definePageTool(
  {
    name: 'search',
    title: 'Search customers, cases, reports and events',
    description:
      'Finds customers, cases, reports and events by an address, range, domain, URL, e-mail address, id, or words of comments and event details. Begin here when you do not know the id of a case.',
  },
  {
    q: Type.String({
      minLength: 1,
      maxLength: 500,
      description:
        'An address, range, domain, URL, e-mail address or id, also defanged; or words. Quotes make any text words.',
    }),
    kind: Type.Optional(
      Type.Enum(['customer', 'case', 'report', 'event'], {
        description: 'Only records of this kind.',
      }),
    ),
  },
  ({ casework, args, signal }, page) =>
    casework.get('/beta/casework/search', {
      params: { query: { ...dropPage(args), ...page } },
      signal,
    }),
)

const listCases = definePageTool(
  {
    name: 'list_cases',
    title: 'List cases',
    description:
      'Returns cases that fit all filters, newest first: state, severity, deadline, assignee, counts, types, tags, last event.',
  },
  {
    state: text('NEW, IN_PROGRESS, RESOLVED, CLOSED; several are separated by commas.'),
    customer_id: text('Only those of this customer.'),
    case_group: text('Only cases of this group.'),
    assignee_user_id: text('Only cases that this person works on.'),
    severity: Type.Optional(Type.Enum(['low', 'medium', 'high', 'critical'])),
    tag: text('Only cases with this tag.', 64),
    ip: text('Cases with an event of this address.'),
    range: text('Cases with an event of an address in this CIDR block.', 100),
    domain: text('Cases with an event of this domain.'),
    reporter: text('Cases with an event of this e-mail address.'),
    event_type: text('Cases with an event of this type.'),
    text: text('Cases whose comments or event details contain all of these words.', 500),
    created_after: time('Cases created at this time or later.'),
    created_before: time('Cases created before this time.'),
    deadline_before: time('Cases with a deadline before this time that is not met.'),
    sort: Type.Optional(
      Type.Enum(['created_at', 'first_event_date', 'last_event_date', 'due_at'], {
        description: 'created_at when left out.',
      }),
    ),
    order: Order,
  },
  ({ casework, args, signal }, page) => {
    const query = { ...dropPage(args), ...page, expand: 'summary' as const }
    return casework.get('/beta/casework/cases', { params: { query }, signal })
  },
)

const getCase = defineRecordTool(
  {
    name: 'get_case',
    title: 'Get a case',
    description:
      'Returns one case: state, owner, severity, deadlines, addresses, reporters, tags, what its playbook waits for, and how many cases its customer had lately.',
  },
  { case_id: CaseId },
  ({ casework, args, signal }) => {
    const params = { path: { caseId: args.case_id }, query: { expand: 'customer' as const } }
    return casework.get('/beta/casework/cases/{caseId}', { params, signal })
  },
)

const getCaseTimeline = definePageTool(
  {
    name: 'get_case_timeline',
    title: 'List the timeline of a case',
    description:
      'Returns what happened in a case, newest first: events, changes, comments, notices to the customer, mitigations, steps of playbooks, reports.',
  },
  {
    case_id: CaseId,
    kinds: text(
      'Only these, separated by commas: event, history, comment, notice, mitigation, visit, attempt, report.',
    ),
    order: Order,
  },
  ({ casework, args, signal }, page) => {
    const { case_id: caseId, ...query } = dropPage(args)
    const params = { path: { caseId }, query: { ...query, ...page } }
    return casework.get('/beta/casework/cases/{caseId}/timeline', { params, signal })
  },
)

const listCaseComments = definePageTool(
  {
    name: 'list_case_comments',
    title: 'List the comments on a case',
    description:
      'Returns the comments on a case, newest first, with those that came by mail from customers and reporters (party).',
  },
  { case_id: CaseId, order: Order },
  ({ casework, args, signal }, page) => {
    const { case_id: caseId, ...query } = dropPage(args)
    const params = { path: { caseId }, query: { ...query, ...page } }
    return casework.get('/beta/casework/cases/{caseId}/comments', { params, signal })
  },
)

const listCaseTriggers = defineRecordTool(
  {
    name: 'list_case_triggers',
    title: 'List what the playbooks of a case wait for',
    description:
      'Returns the nodes at which playbooks of a case wait for somebody, with the paths that can be taken from each.',
  },
  { case_id: CaseId },
  ({ casework, args, signal }) => {
    const params = { path: { caseId: args.case_id } }
    return casework.get('/beta/casework/cases/{caseId}/triggers', { params, signal })
  },
)

const listEvents = definePageTool(
  {
    name: 'list_events',
    title: 'List events',
    description:
      'Returns reported events that fit all filters, newest first, each with its case and customer.',
  },
  {
    case_id: text('Only those of this case.'),
    customer_id: text('Only those of this customer.'),
    event_type: text('A type of event; several are separated by commas.'),
    ip: text('Only those of this address.'),
    range: text('Only those of an address in this CIDR block.', 100),
    domain: text('Only those about this domain.'),
    sender_email: text('Only those of this reporter.', 254),
    report_id: text('Only those of this report.'),
    event_after: time('Events of this time or later.'),
    event_before: time('Events before this time.'),
    resolved: Type.Optional(Type.Boolean({ description: 'Only resolved ones, or only others.' })),
    unassigned: Type.Optional(Type.Boolean({ description: 'True: only those without an owner.' })),
    order: Order,
  },
  ({ casework, args, signal }, page) => {
    const query = { ...dropPage(args), ...page, expand: 'case' as const }
    return casework.get('/beta/casework/events', { params: { query }, signal })
  },
)

const getEvent = defineRecordTool(
  {
    name: 'get_event',
    title: 'Get an event',
    description:
      'Returns one event with all details that the report gives, how often it was seen, and the report that it was read out of.',
  },
  {
    event_id: Type.String({ minLength: 1, maxLength: 256, description: 'Id of the event.' }),
  },
  ({ casework, args, signal }) => {
    const query = { repeats: true, expand: 'report' as const }
    const params = { path: { eventId: args.event_id }, query }
    return casework.get('/beta/casework/events/{eventId}', { params, signal })
  },
)

const whoAmI = defineRecordTool(
  {
    name: 'who_am_i',
    title: 'Get the presented token',
    description: 'Returns the tenant and the scopes of the token that these tools work with.',
  },
  {},
  ({ casework, signal }) => casework.get('/beta/whoami', { signal }),
)

type PageArguments = 'limit' | 'cursor' | 'at' | 'offset'

/** The arguments without those of the page, which every list gets beside them. */
function dropPage<A extends object>(args: A): Omit<A, PageArguments> {
  const given: A & { readonly [name in PageArguments]?: unknown } = args
  const { limit: _, cursor: __, at: ___, offset: ____, ...rest } = given
  return rest
}

export const CASE_TOOLS: readonly McpTool[] = [
  search,
  listCases,
  getCase,
  getCaseTimeline,
  listCaseComments,
  listCaseTriggers,
  listEvents,
  getEvent,
  whoAmI,
]
