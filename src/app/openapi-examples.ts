// Examples of the endpoints of the interface for the reference; a test holds them against the
// schemas. Names and addresses are those that RFC 2606, 5737 and 3849 set aside.

import type { Route } from '../kernel/http/route.ts'
import { readResource } from '../values/resources.ts'
import { ACCESS_EXAMPLES } from './openapi-examples-access.ts'
import { INTEL_EXAMPLES } from './openapi-examples-intel.ts'

export interface OperationExamples {
  readonly request?: unknown
  readonly responses?: Readonly<Record<number, unknown>>
}

// A documentation address is a bogon, and no AS announces it.
const LOOKUP = {
  item: '192.0.2.1',
  serviceMailBlocklist: 'ACTIVE',
  type: 'IP',
  bogon: true,
  tags: ['credentials:ssh-brute-force'],
  firstSeen: '2026-11-01T08:15:00.000Z',
  lastSeen: '2026-11-20T21:40:12.000Z',
  intent: 'malicious',
  reverseDns: { current: [{ entry: 'host.example.net' }] },
  abuseContact: {
    email: 'abuse@example.net',
    status: 'UNKNOWN',
    lastVerification: '2026-11-19T03:00:00.000Z',
  },
  observedActivity: {
    honeypotInteractions: {
      firstSeen: '2026-11-01T08:15:00.000Z',
      lastSeen: '2026-11-20T21:40:12.000Z',
      observations: [
        {
          firstSeen: '2026-11-01T08:15:00.000Z',
          lastSeen: '2026-11-20T21:40:12.000Z',
          service: 'ssh',
          type: 'login-attack',
        },
      ],
    },
  },
}

const CASE = {
  id: 'C-0192F2A0-7B3C-7D41-9C1E-5A6B7C8D9E0F',
  state: 'NEW',
  created_at: '2026-11-20T21:41:00.000Z',
  first_event_date: '2026-11-20T21:40:12.000Z',
  last_event_date: '2026-11-20T21:40:12.000Z',
  customer_id: '192.0.2.1',
  tenant_id: 'default',
}

const EVENT_SUMMARY = {
  event_date: '2026-11-20T21:40:12.000Z',
  event_id: '0192f2a0-7b3c-7d41-9c1e-5a6b7c8d9e0f',
  event_type: 'LoginAttack',
  sender_email: 'reporter@example.com',
  ip: '192.0.2.1',
}

const EVENT = {
  create_date: '2026-11-20T21:41:00.000Z',
  ...EVENT_SUMMARY,
  case_id: CASE.id,
  customer_id: '192.0.2.1',
  event_details: {},
  resolved: false,
  tags: [],
  tenant_id: 'default',
}

const PUSHED = { event_id: EVENT_SUMMARY.event_id, case_id: CASE.id }

const CASE_GROUP = {
  id: 'ssh-from-hosting',
  name: 'SSH attacks from our hosting',
  order: 1,
  condition: 'event.event_type == "LoginAttack" && event.ip.inCidr("198.51.100.0/24")',
  key_fields: ['customer_id', 'ip'],
  threshold: { events: 5, reporters: 2, window_seconds: 3_600 },
  max_gap_seconds: 1_209_600,
  relapse: 'reopen',
  relapse_window_seconds: 604_800,
  severity: 'high',
}

const EXAMPLES: Readonly<Record<string, OperationExamples>> = {
  ...ACCESS_EXAMPLES,
  ...INTEL_EXAMPLES,
  'GET /beta/casework/cases': { responses: { 200: { items: [CASE], next_cursor: '' } } },
  'GET /beta/casework/stream': {
    responses: {
      200: [
        'retry: 3000',
        'id: 41',
        'event: open',
        'data: {"serial":41}',
        '',
        'id: 42',
        'event: event',
        `data: {"kind":"event","what":"stored","id":"${EVENT_SUMMARY.event_id}","case_id":"${CASE.id}","at":"${CASE.created_at}"}`,
        '',
        'id: 43',
        'event: case',
        `data: {"kind":"case","what":"open","id":"${CASE.id}","case_id":"${CASE.id}","at":"${CASE.created_at}"}`,
        '',
        '',
      ].join('\n'),
    },
  },
  'POST /beta/casework/cases/{caseId}/trigger-playbook': {
    request: { node: 'customer-answer', path: 'confirmed' },
  },
  'GET /beta/ops/events/{eventId}': { responses: { 200: EVENT } },
  'GET /beta/casework/search': {
    responses: {
      200: {
        items: [
          {
            kind: 'case',
            id: CASE.id,
            title: 'LoginAttack from 192.0.2.1',
            matched: { field: 'ip', text: '192.0.2.1' },
            at: CASE.created_at,
          },
        ],
        next_cursor: '',
        read_as: { kind: 'address', text: '192.0.2.1' },
      },
    },
  },
  'POST /beta/casework/events': {
    request: {
      event_date: '2026-11-20T21:40:12Z',
      event_type: 'LoginAttack',
      ip: '192.0.2.1',
      sender_email: 'reporter@example.com',
      event_details: { port: 22 },
    },
    responses: {
      200: { items: [{ index: 0, outcome: 'created', ...PUSHED }] },
      201: { outcome: 'created', ...PUSHED },
    },
  },
  'POST /beta/casework/events/{eventId}/reassign': {
    responses: { 200: { outcome: 'reassigned', customer_id: 'k-1', ...PUSHED } },
  },
  'POST /beta/casework/cases/{caseId}/decisions': {
    responses: { 202: { run_id: EVENT.event_id, decided: true } },
  },
  'POST /beta/casework/cases/{caseId}/runs': { responses: { 201: { run_id: EVENT.event_id } } },
  'POST /beta/casework/templates/{name}/{language}/preview': {
    responses: { 200: { subject: 'Abuse from 192.0.2.1', text: 'Please look at your server.' } },
  },
  'POST /beta/casework/cases/{caseId}/notices': {
    responses: {
      200: {
        template: 'answer',
        language: 'en',
        party: 'customer',
        recipient: 'abuse@customer.example',
        subject: `[${CASE.id}] Your message about the case ${CASE.id}`,
        text: 'Please look at your server.',
        state: 'waiting',
        evidence: [{ file_name: `evidence-${EVENT.event_id}.txt`, text: 'Subject: Buy now' }],
      },
    },
  },
  'POST /beta/casework/reports/{reportId}/take-as-answer': {
    responses: {
      200: {
        report_id: EVENT.event_id,
        case_id: CASE.id,
        comment_id: EVENT.event_id,
        party: 'customer',
        repeated: false,
      },
    },
  },
  'GET /beta/casework/events': { responses: { 200: { items: [EVENT_SUMMARY], next_cursor: '' } } },
  'GET /beta/casework/events/{eventId}': { responses: { 200: EVENT } },
  'POST /beta/casework/case-groups': {
    request: CASE_GROUP,
    responses: { 201: { ...CASE_GROUP, enabled: true, late_event: 'attach', description: '' } },
  },
  'POST /beta/casework/case-groups/test': {
    request: {
      event_date: '2026-11-20T21:40:12Z',
      event_type: 'LoginAttack',
      ip: '198.51.100.7',
      event_details: { port: 22 },
    },
    responses: {
      200: {
        owner: { customer_id: '198.51.100.7' },
        mute_rules: [],
        case_groups: [
          { id: 'ssh-from-hosting', answer: 'match' },
          { id: 'default', answer: 'match' },
        ],
        outcome: 'group',
        case_group: 'ssh-from-hosting',
        key: [
          { field: 'customer_id', value: '198.51.100.7' },
          { field: 'ip', value: '198.51.100.7' },
        ],
      },
    },
  },
  'POST /beta/casework/erasures': {
    request: { address: 'ana@example.org', preview: true },
    responses: {
      200: {
        id: EVENT.event_id,
        state: 'done',
        preview: true,
        addresses: 1,
        replaced_by: 'erased-0f3a51c29d1be0c6a4d7e982@erased.invalid',
        changed: { abuse_case: 1, event: 3, report_raw: 2 },
        kept: {},
        held: {},
        requested_by: 'tok_0123456789abcdef',
        started_at: '2026-11-20T21:41:00.000Z',
        finished_at: '2026-11-20T21:41:02.000Z',
      },
    },
  },
  'POST /beta/admin/test-mails': {
    request: { to: 'ops@provider.example' },
    responses: {
      200: {
        ok: false,
        steps: [
          { step: 'dns', state: 'ok', detail: 'relay.provider.example is 192.0.2.25, port 587.' },
          { step: 'connect', state: 'ok', detail: 'The relay answers.' },
          { step: 'tls', state: 'ok', detail: 'TLS by STARTTLS. The certificate is valid.' },
          { step: 'login', state: 'ok', detail: 'The relay took the log-in of casework.' },
          { step: 'sender', state: 'ok', detail: 'The relay took the sender.' },
          {
            step: 'recipient',
            state: 'failed',
            detail: 'The relay answered: 550 5.1.1 no such user',
          },
          { step: 'content', state: 'off', detail: 'Not reached.' },
        ],
      },
    },
  },
  'POST /beta/casework/privacy-exports': {
    request: { address: 'ana@example.org', name: 'Ana Beispiel' },
    responses: {
      200: {
        items: [
          {
            table: 'case_comment',
            found_in: ['text'],
            record: {
              id: EVENT.event_id,
              case_id: 'C-01937B5E-6C1A-7F3B-9E51-2A7C1D0E4B11',
              text: 'Asked ana@example.org again.',
              author: 'Abuse desk',
              created_at: '2026-11-20T21:41:00.000Z',
            },
          },
        ],
        next_cursor: '',
      },
    },
  },
  'POST /beta/casework/cases/{caseId}/hold': {
    request: { reason: 'Request 12/34 of the public prosecutor.' },
  },
  'POST /beta/casework/cases/{caseId}/hold/lift': {
    request: { reason: 'Request 12/34 is answered.' },
  },
  'GET /beta/casework/retention': {
    responses: {
      200: {
        settings: { raw_report_days: 30, event_days: 365, case_days: 1_095, audit_days: 2_555 },
        due: { raw_reports: 12, raw_bytes: 240_118, events: 40, reports: 2, cases: 3, audit: 0 },
        counted_up_to: 100_000,
        held_cases: 0,
      },
    },
  },
  'PUT /beta/admin/tenants/{tenantId}/owner-resolver': {
    request: {
      url: 'https://customers.example.net/owners',
      header_name: 'authorization',
      header_value: 'Bearer made-up',
      timeout_ms: 2_000,
      cache_seconds: 3_600,
    },
    responses: {
      200: {
        url: 'https://customers.example.net/owners',
        header_name: 'authorization',
        has_header_value: true,
        timeout_ms: 2_000,
        cache_seconds: 3_600,
        updated_at: '2026-11-20T21:41:00.000Z',
        failures: 0,
      },
    },
  },
  'POST /beta/quick-check': {
    request: ['192.0.2.1', 'mail.example.org'],
    responses: {
      200: {
        status: 'success',
        statusCode: 200,
        result: [
          {
            item: '192.0.2.1',
            serviceMailBlocklist: 'ACTIVE',
            type: 'IP',
            bogon: true,
            intent: 'malicious',
            activity: true,
          },
          {
            item: 'mail.example.org',
            serviceMailBlocklist: 'INACTIVE',
            type: 'DOMAIN',
            bogon: false,
            intent: 'unknown',
            activity: false,
          },
        ],
      },
    },
  },
  'GET /beta/query/{item}': {
    responses: {
      200: { status: 'success', statusCode: 200, result: LOOKUP },
      503: { status: 'partial_success', statusCode: 503, result: LOOKUP, errors: {} },
    },
  },
  'GET /beta/tags/{name}': {
    responses: {
      200: {
        status: 'success',
        statusCode: 200,
        result: {
          name: 'credentials:ssh-brute-force',
          intent: 'malicious',
          category: 'activity',
          description: 'Tries passwords on SSH servers.',
          references: [{ url: 'https://example.org/ssh', description: 'What it looks like' }],
          timeline: [{ date: '2026-11-01', action: 'created', description: 'First version.' }],
        },
      },
    },
  },
  'GET /beta/tags': {
    responses: {
      200: {
        status: 'success',
        statusCode: 200,
        result: [
          {
            name: 'credentials:ssh-brute-force',
            intent: 'malicious',
            category: 'activity',
            description: 'Tries passwords on SSH servers.',
          },
        ],
      },
    },
  },
}

/** Those that are written here; undefined for most additions. */
export function findOwnExamples(method: string, path: string): OperationExamples | undefined {
  return EXAMPLES[`${method} ${path}`]
}

interface RecordedExamples {
  readonly request?: unknown
  readonly answers?: Readonly<Record<string, unknown>>
}

// scripts/record-examples.ts makes them of requests to the running service.
let recorded: Readonly<Record<string, RecordedExamples>> | null = null

/** The examples of a route: what is written here goes before what was recorded. */
export function findExamples(
  route: Pick<Route, 'method' | 'path' | 'operationId'>,
): OperationExamples {
  recorded ??= JSON.parse(readResource('operation-examples.json'))
  const own = findOwnExamples(route.method, route.path)
  const { request, answers } = recorded?.[route.operationId] ?? {}
  const shown = own?.request ?? request
  return {
    ...(shown === undefined ? {} : { request: shown }),
    responses: { ...answers, ...own?.responses },
  }
}
