// A request to every operation of the service, for the tests that go over all of them: refusals,
// odd values. test/tidy-proofs.test.ts fails for an operation without a sample.

import assert from 'node:assert/strict'
import type { Route } from '../src/kernel/http/route.ts'
import type { AnswerFields } from './answer-fields.ts'
import type { TestAnswer, TestApp } from './harness.ts'
import { createActivePlaybook, type GraphNode } from './playbook-fixtures.ts'

/**
 * Whose record the path names. `instance`: it is not of a tenant (an item, a tag, a source), or a
 * PUT creates it.
 */
type RecordKind =
  | 'case'
  | 'run'
  | 'event'
  | 'report'
  | 'group'
  | 'group rule'
  | 'mute rule'
  | 'customer'
  | 'contract'
  | 'resource'
  | 'playbook'
  | 'token'
  | 'user'
  | 'user identity'
  | 'user group'
  | 'tenant'
  | 'report address'
  | 'secret'
  | 'calendar'
  | 'webhook'
  | 'delivery'
  | 'view'
  | 'bulk change'
  | 'trusted reporter'
  | 'template'
  | 'notice'
  | 'mitigation'
  | 'adapter'
  | 'suppressed address'
  | 'role'
  | 'service account'
  | 'instance'

export interface OperationSample {
  /** The parts of the path, of a record that does not exist. */
  readonly params?: Readonly<Record<string, string>>
  readonly record?: RecordKind
  /** A body that the schema takes. */
  readonly json?: unknown
}

const UUID = '01890000-0000-7000-8000-000000000000'
const CASE = { params: { caseId: `C-${UUID}` }, record: 'case' } as const
const RUN = { params: { caseId: `C-${UUID}`, runId: UUID }, record: 'run' } as const
const RUN_ALONE = { params: { runId: UUID }, record: 'run' } as const
const EVENT = { params: { eventId: UUID }, record: 'event' } as const
const REPORT = { params: { reportId: UUID }, record: 'report' } as const
const GROUP = { params: { groupId: 'none' }, record: 'group' } as const
const MUTE_RULE = { params: { ruleId: UUID }, record: 'mute rule' } as const
const CUSTOMER = { params: { customerId: 'none' }, record: 'customer' } as const
const CONTRACT = { params: { contractId: 'none' }, record: 'contract' } as const
const RESOURCE = { params: { resourceId: UUID }, record: 'resource' } as const
const PLAYBOOK = { params: { playbookId: UUID }, record: 'playbook' } as const
const VERSION = { params: { playbookId: UUID, version: '1' }, record: 'playbook' } as const
const TENANT = { params: { tenantId: 'none' }, record: 'tenant' } as const
const USER_GROUP = { params: { userGroupId: 'grp_none' }, record: 'user group' } as const
const CREDENTIAL = { id: 'bm9uZQ', rawId: 'bm9uZQ', type: 'public-key' }
const ASSERTION = {
  ...CREDENTIAL,
  response: { clientDataJSON: 'e30', authenticatorData: 'e30', signature: 'e30' },
}
const USER = { params: { userId: 'usr_none' }, record: 'user' } as const
const PROVIDER = { params: { providerId: 'none' }, record: 'instance' } as const
const ITEM = { params: { item: '192.0.2.1' }, record: 'instance' } as const
const TAG = { params: { name: 'none' }, record: 'instance' } as const
const SOURCE = { params: { kind: 'honeypot', name: 'none' }, record: 'instance' } as const
const LIST = { params: { kind: 'mail-blocklist', name: 'none' }, record: 'instance' } as const
const REPORTER = { params: { reporter: 'none.example.com' } } as const
const RULE = { params: { name: 'none' }, record: 'instance' } as const
const WEBHOOK = { params: { webhookId: UUID }, record: 'webhook' } as const
const VIEW = { params: { viewId: UUID }, record: 'view' } as const
const VIEW_BODY = { name: 'x', list: 'cases', query: { state: 'NEW' } }
const DELIVERY = { params: { webhookId: UUID, deliveryId: UUID }, record: 'delivery' } as const
const WEBHOOK_BODY = { url: 'https://hooks.example/x', types: ['case.opened'] }
const TEMPLATE = { params: { name: 'none', language: 'en' }, record: 'template' } as const
const NOTICE = { params: { noticeId: UUID }, record: 'notice' } as const
const MITIGATION = { params: { mitigationId: UUID }, record: 'mitigation' } as const
const ROLE = { params: { role: 'none' }, record: 'role' } as const
const ACCOUNT = { params: { serviceAccountId: 'none' }, record: 'service account' } as const
const ADAPTER = { params: { name: 'none' }, record: 'adapter' } as const
const MITIGATION_BODY = {
  kind: 'null_route',
  target_type: 'ip',
  target: '192.0.2.1',
  adapter: 'manual',
}
const SUPPRESSED = { params: { address: 'none@none.example' } } as const
const ADDRESS = { address: 'abuse@none.example' } as const

const CALENDAR = {
  time_zone: 'Europe/Berlin',
  hours: { monday: [{ from: '09:00', to: '17:00' }] },
  holidays: ['2027-01-01'],
}

const GRAPH: readonly GraphNode[] = [
  { id: 'begin', kind: 'start', paths: { next: 'ask' } },
  { id: 'ask', kind: 'trigger', config: { paths: ['yes'] }, paths: { yes: 'end' } },
  { id: 'end', kind: 'end' },
]
// A mute rule lasts a year at most.
const SOON = new Date(Date.now() + 30 * 86_400_000).toISOString()
const TARGET = { event_date: '2026-04-01T00:00:00Z', event_type: 'PortScan', ip: '192.0.2.1' }
const ENTRY = { item: '192.0.2.1', list: 'desk', source: 'desk', reason: 'Sends spam.' }
const TIMES = { firstSeen: '2026-04-01T00:00:00Z', lastSeen: '2026-04-02T00:00:00Z' }
const RULE_BODY = {
  kind: 'honeypot',
  types: ['login-attack'],
  services: ['ssh'],
  countMin: 1,
  sourcesMin: 1,
  withinSeconds: 3_600,
  tags: ['credentials:ssh-brute-force'],
}
const OWNED = { valid_from: '2026-01-01', valid_until: '2027-01-01' }
const GROUP_BODY = {
  id: 'sample',
  name: 'Sample',
  order: 9,
  condition: 'event.event_type == "None"',
  key_fields: ['ip'],
  threshold: { events: 5, reporters: 2, window_seconds: 3_600 },
  max_gap_seconds: 3_600,
  severity: 'high',
}

/** By operation id. */
export const OPERATION_SAMPLES: Readonly<Record<string, OperationSample>> = {
  // The endpoints of the interface.
  listCases: {},
  triggerPlaybook: { ...CASE, json: { node: 'ask', path: 'yes' } },
  addDecision: { ...CASE, json: { node: 'ask', path: 'yes' } },
  getOpsEvent: EVENT,
  listEvents: {},
  getEvent: EVENT,
  quickCheck: { json: ['192.0.2.1', 'mail.example.org'] },
  lookupItem: ITEM,
  getTag: TAG,
  listTags: {},

  // Threat intelligence.
  explainItem: ITEM,
  countSightings: {},
  putTag: {
    ...TAG,
    json: {
      intent: 'malicious',
      category: 'activity',
      description: 'Seen.',
      references: [{ url: 'https://example.org/', description: 'An example.' }],
      timeline: [{ date: '2026-11-01', action: 'created', description: 'An example.' }],
    },
  },
  deleteTag: TAG,
  getRange: { params: { cidr: '192.0.2.0/24' }, record: 'instance' },
  getRangeBySegments: {
    params: { address: '192.0.2.0', prefixLength: '24' },
    record: 'instance',
  },
  getSnapshot: {},
  listTagged: TAG,
  listChanges: {},
  pushSightings: {
    json: [
      {
        item: '192.0.2.1',
        kind: 'honeypot',
        service: 'ssh',
        type: 'login-attack',
        ...TIMES,
        count: 1,
        source: 's',
      },
    ],
  },
  pushListings: { json: [{ ...ENTRY, ...TIMES, status: 'active' }] },
  pushAllowances: { json: [{ ...ENTRY, ...TIMES, status: 'active' }] },
  pushTaggings: { json: [{ item: '192.0.2.1', tag: 'none', source: 's', ...TIMES }] },
  replaceEntries: {
    ...LIST,
    json: [{ item: '192.0.2.1', list: 'desk', reason: 'As agreed with the customer.', ...TIMES }],
  },
  listEntries: LIST,
  deleteEntry: { params: { ...LIST.params, entry: '192.0.2.1' }, record: 'instance' },
  deleteEntryBySegments: {
    params: { ...LIST.params, address: '192.0.2.0', prefixLength: '24' },
    record: 'instance',
  },
  listSightingRules: {},
  getSightingRule: RULE,
  putSightingRule: { ...RULE, json: RULE_BODY },
  changeSightingRule: { ...RULE, json: RULE_BODY },
  deleteSightingRule: RULE,
  listSightingRuleHistory: RULE,
  listSources: {},
  getSource: LIST,
  getSourceHistory: LIST,
  putSource: {
    ...LIST,
    json: { description: 'An example.', origin: 'x', licence: 'x', ttlSeconds: 86_400 },
  },
  deleteSource: LIST,
  fetchSource: SOURCE,
  pushNetworks: { json: [{ item: '192.0.2.0/24', source: 's' }] },
  listKnownInNetworks: {},
  putContacts: { json: [{ range: '192.0.2.0/24', email: 'abuse@example.org', source: 's' }] },

  // Events and reports.
  pushEvents: {
    json: {
      ...TARGET,
      domain: 'example.org',
      sender_email: 'a@example.org',
      recipient_email: 'b@example.org',
      customer_id: 'none',
      contract_id: 'none',
      tenant_id: 'x',
      xarf_class: 'connection',
      event_subtypes: ['x'],
      tags: ['x'],
      report_id: 'x',
      event_details: { note: 'Known for years.' },
    },
  },
  pushReport: { json: { x: 1 } },
  listReports: {},
  getReport: REPORT,
  getRawReport: REPORT,
  getReportReading: REPORT,
  listReportEvents: REPORT,
  listCaseReports: CASE,
  replayReport: REPORT,
  correctReport: {
    ...REPORT,
    json: {
      version: 1,
      reason: 'As agreed with the customer.',
      add: [{ event_type: 'Spam', subject: { ip: '192.0.2.1' }, sender_email: 'a@example.org' }],
    },
  },
  takeReportAsAnswer: { ...REPORT, json: { party: 'customer', take_path: true } },
  getRegressionCase: REPORT,
  listTrustedReporters: {},
  putTrustedReporter: { ...REPORTER, record: 'instance', json: { note: 'Known for years.' } },
  deleteTrustedReporter: {
    params: { reporter: 'nobody.example.com' },
    record: 'trusted reporter',
  },
  replayEvents: { json: { event_ids: [UUID] } },
  reassignEvent: {
    ...EVENT,
    json: { customer_id: 'none', reason: 'As agreed with the customer.' },
  },

  // Cases.
  countCases: {},
  changeCases: {
    json: {
      ids: [`C-${UUID}`],
      change: { severity: 'high', add_tags: ['triage'] },
      reason: 'As agreed with the customer.',
    },
  },
  undoBulkChange: {
    params: { changeId: UUID },
    record: 'bulk change',
    json: { reason: 'As agreed with the customer.' },
  },
  getCase: CASE,
  getCaseIntel: CASE,
  changeCase: {
    ...CASE,
    json: {
      version: 1,
      severity: 'high',
      assignee_user_id: null,
      reason: 'As agreed with the customer.',
      metadata: { ticket: '4711' },
      waiting_on: 'agent',
      tags: ['x'],
      aware_at: '2026-04-01T00:00:00Z',
      deadline_at: '2026-04-02T00:00:00Z',
    },
  },
  mergeCases: {
    ...CASE,
    json: { from: [`C-${UUID.replace('0189', '0188')}`], reason: 'As agreed with the customer.' },
  },
  unmergeCases: {
    ...CASE,
    json: { from: [`C-${UUID.replace('0189', '0188')}`], reason: 'As agreed with the customer.' },
  },
  splitCase: { ...CASE, json: { event_ids: [UUID], reason: 'As agreed with the customer.' } },
  listComments: CASE,
  addComment: { ...CASE, json: { text: 'The customer will look at it today.' } },
  listCaseHistory: CASE,
  listTimeline: CASE,
  listViews: {},
  createView: { json: VIEW_BODY },
  getView: VIEW,
  changeView: { ...VIEW, json: { name: 'Example' } },
  deleteView: VIEW,
  searchRecords: {},
  getStats: {},
  openStream: {},
  placeHold: { ...CASE, json: { reason: 'As agreed with the customer.' } },
  liftHold: { ...CASE, json: { reason: 'As agreed with the customer.' } },
  listHolds: {},
  listCaseTriggers: CASE,
  listCaseRuns: CASE,
  createCaseRun: { ...CASE, json: { playbook_id: '01900000-0000-7000-8000-000000000001' } },
  getCaseRun: RUN,
  listRuns: {},
  getRun: RUN_ALONE,
  cancelRun: { ...RUN_ALONE, json: { reason: 'As agreed with the customer.' } },
  pauseRun: { ...RUN_ALONE, json: { reason: 'As agreed with the customer.' } },
  migrateRun: {
    ...RUN_ALONE,
    json: { version: 1, nodes: {}, preview: true, reason: 'As agreed with the customer.' },
  },
  migrateRuns: { ...VERSION, json: { version: 1, preview: true } },
  resumeRun: { ...RUN_ALONE, json: { reason: 'As agreed with the customer.', resend: true } },

  // Rules.
  tryRules: {
    json: { case_group: { condition: 'event.event_type == "PortScan"', key_fields: ['ip'] } },
  },
  testCaseGroups: { json: TARGET },
  listCaseGroups: {},
  createCaseGroup: { json: GROUP_BODY },
  getCaseGroup: GROUP,
  changeCaseGroup: { ...GROUP, json: { name: 'Example', severity: 'high', playbook_id: UUID } },
  listWebhooks: {},
  createWebhook: { json: WEBHOOK_BODY },
  getWebhook: WEBHOOK,
  changeWebhook: { ...WEBHOOK, json: { description: 'An example.' } },
  deleteWebhook: WEBHOOK,
  rotateWebhookSecret: WEBHOOK,
  testWebhook: WEBHOOK,
  listDeliveries: WEBHOOK,
  getDelivery: DELIVERY,
  replayDelivery: DELIVERY,
  replayDeadDeliveries: { ...WEBHOOK, json: { since: '2026-01-01T00:00:00Z' } },
  validatePlaybook: { json: { nodes: GRAPH } },
  listNodeKinds: {},
  renamePlaybook: { ...PLAYBOOK, json: { name: 'Example' } },
  retirePlaybook: PLAYBOOK,
  deletePlaybook: PLAYBOOK,
  listCalendars: {},
  getCalendar: { params: { name: 'none' }, record: 'calendar' },
  putCalendar: { params: { name: 'none' }, record: 'instance', json: CALENDAR },
  deleteCalendar: { params: { name: 'none' }, record: 'calendar' },
  listSecrets: {},
  listTemplates: {},
  getTemplate: TEMPLATE,
  putTemplate: {
    ...TEMPLATE,
    record: 'instance',
    json: { subject: 'Abuse from your address', body: 'Please look at it.', purpose: 'notice' },
  },
  deleteTemplate: TEMPLATE,
  previewTemplate: { ...TEMPLATE, json: { case_id: `C-${UUID}` } },
  sendNotice: {
    ...CASE,
    json: { template: 'answer', party: 'other', address: 'bob@none.example' },
  },
  listCaseNotices: CASE,
  listNotices: {},
  getNotice: NOTICE,
  resendNotice: NOTICE,
  cancelNotice: NOTICE,
  getNoticeLimits: {},
  putNoticeLimits: {
    json: { is_on: true, limits: {}, digest: { hour: 8, time_zone: 'UTC' } },
  },
  createMitigation: { ...CASE, json: MITIGATION_BODY },
  listCaseMitigations: CASE,
  listMitigations: {},
  getMitigation: MITIGATION,
  executeMitigation: MITIGATION,
  undoMitigation: MITIGATION,
  confirmMitigation: { ...MITIGATION, json: { result: 'done' } },
  listMitigationAdapters: {},
  getMitigationAdapter: ADAPTER,
  putMitigationAdapter: {
    ...ADAPTER,
    record: 'instance',
    json: { url: 'https://blocks.example/x', secret: 'none', kinds: ['null_route'] },
  },
  deleteMitigationAdapter: ADAPTER,
  listSuppressedAddresses: {},
  putSuppressedAddress: { ...SUPPRESSED, record: 'instance', json: {} },
  deleteSuppressedAddress: { ...SUPPRESSED, record: 'suppressed address' },
  putSecret: { params: { name: 'none' }, record: 'instance', json: { value: 'x' } },
  deleteSecret: { params: { name: 'none' }, record: 'secret' },
  deleteCaseGroup: GROUP,
  listCaseGroupHistory: { params: { ruleId: 'none' }, record: 'group rule' },
  listMuteRules: {},
  createMuteRule: {
    json: {
      key: { ip: '192.0.2.77', event_type: 'PortScan' },
      reason: 'As agreed with the customer.',
      until: SOON,
    },
  },
  getMuteRule: MUTE_RULE,
  endMuteRule: MUTE_RULE,
  listMuteRuleHistory: MUTE_RULE,

  // Owners.
  createCustomer: {
    json: {
      id: 'sample',
      name: 'Example',
      parent_customer_id: 'k-1',
      contacts: [{ email: 'a@example.org', language: 'en', purpose: 'abuse', state: 'active' }],
      metadata: { ticket: '4711' },
    },
  },
  listCustomers: {},
  importCustomers: { json: [{ id: 'sample-2', name: 'Example', metadata: {} }] },
  getCustomer: CUSTOMER,
  changeCustomer: {
    ...CUSTOMER,
    json: { version: 1, name: 'Example', parent_customer_id: 'none' },
  },
  deleteCustomer: CUSTOMER,
  getCustomerCounters: CUSTOMER,
  createContract: { json: { id: 'sample', customer_id: 'k-1', name: 'Example', ...OWNED } },
  listContracts: {},
  importContracts: { json: [{ id: 'sample-2', customer_id: 'k-1', name: 'Example', ...OWNED }] },
  getContract: CONTRACT,
  changeContract: { ...CONTRACT, json: { version: 1, name: 'Example', ...OWNED } },
  deleteContract: CONTRACT,
  createResource: {
    json: { kind: 'account', value: 'sample', customer_id: 'k-1', contract_id: 'v-1', ...OWNED },
  },
  listResources: {},
  importResources: {
    json: [{ kind: 'ip_range', value: '203.0.113.0/24', customer_id: 'k-1', ...OWNED }],
  },
  getResource: RESOURCE,
  changeResource: { ...RESOURCE, json: { version: 1, customer_id: 'k-1', contract_id: 'v-1' } },
  deleteResource: RESOURCE,
  getOwnerResolver: TENANT,
  putOwnerResolver: {
    ...TENANT,
    json: {
      url: 'https://customers.example.net/owners',
      header_name: 'authorization',
      header_value: 'x',
      timeout_ms: 2_000,
      cache_seconds: 3_600,
    },
  },
  deleteOwnerResolver: TENANT,

  // Privacy.
  getRetention: {},
  eraseAddress: { json: { repeats: UUID, preview: true } },
  listErasures: {},
  exportAddress: { json: { address: 'nobody@example.org', name: 'Nobody' } },

  // Playbooks.
  createPlaybook: { json: { name: 'Sample', nodes: GRAPH } },
  listPlaybooks: {},
  getPlaybook: PLAYBOOK,
  createPlaybookVersion: { ...PLAYBOOK, json: { nodes: GRAPH } },
  getPlaybookVersion: VERSION,
  activatePlaybookVersion: VERSION,
  exportPlaybook: VERSION,
  deletePlaybookVersion: VERSION,
  importPlaybook: { json: { name: 'Imported', description: 'An example.', nodes: GRAPH } },
  getPlaybookDocumentSchema: {},
  listPlaybookTemplates: {},
  getPlaybookTemplate: { params: { name: 'none' }, record: 'instance' },
  simulatePlaybook: { json: { nodes: GRAPH, last: 1 } },
  simulatePlaybookVersion: { ...VERSION, json: { last: 1 } },

  // Administration.
  getWhoami: {},
  listReportAddresses: {},
  putReportAddress: { params: ADDRESS, record: 'instance', json: { tenant_id: 'default' } },
  deleteReportAddress: { params: ADDRESS, record: 'report address' },
  sendTestMail: { json: { to: 'ops@provider.example' } },
  listTenants: {},
  createTenant: { json: { id: 'sample', name: 'Example' } },
  getTenant: TENANT,
  changeTenant: {
    ...TENANT,
    json: { name: 'Example', settings: { retention: { event_days: 9_000 } } },
  },
  listTokens: {},
  listAuditEntries: {},
  verifyAudit: { json: {} },
  createToken: {
    json: {
      name: 'Example',
      scopes: ['cases:read'],
      contact_email: 'a@example.org',
      expires_at: SOON,
    },
  },
  rotateToken: {
    params: { tokenId: 'tok_none' },
    record: 'token',
    json: { overlap_seconds: 3_600 },
  },
  revokeToken: { params: { tokenId: 'tok_none' }, record: 'token' },
  listRoles: {},
  createRole: {
    json: {
      name: 'night-shift',
      description: 'Looks after cases at night.',
      scopes: ['cases:read'],
    },
  },
  getRole: ROLE,
  changeRole: { ...ROLE, json: { description: 'Looks on.', scopes: ['cases:read'] } },
  deleteRole: ROLE,
  listServiceAccounts: {},
  createServiceAccount: { json: { id: 'mail-gateway', name: 'Mail gateway' } },
  getServiceAccount: ACCOUNT,
  changeServiceAccount: { ...ACCOUNT, json: { name: 'Mail gateway in Oslo' } },
  deleteServiceAccount: ACCOUNT,
  getSignInWays: {},
  useSecondFactor: { json: { code: '123456' } },
  beginSecondFactor: {},
  beginPasskeySignIn: {},
  signInByPasskey: { json: { credential: ASSERTION } },
  beginPasskey: {},
  addPasskey: {
    json: {
      name: 'laptop',
      credential: {
        ...CREDENTIAL,
        response: { clientDataJSON: 'e30', attestationObject: 'oA', transports: ['internal'] },
      },
    },
  },
  renamePasskey: { params: { passkeyId: 'pky_none' }, record: 'instance', json: { name: 'phone' } },
  removePasskey: { params: { passkeyId: 'pky_none' }, record: 'instance' },
  getFactors: {},
  proveSession: { json: { password: 'twelve or more' } },
  enrolTotp: {},
  confirmTotp: { json: { code: '123456' } },
  removeTotp: {},
  makeRecoveryCodes: {},
  getUserFactors: USER,
  removeUserFactors: USER,
  signIn: { json: { email: 'nobody@none.example', password: 'twelve or more' } },
  askForPassword: { json: { email: 'nobody@none.example' } },
  changePassword: { json: { new_password: 'twelve or more' } },
  checkLink: { json: { link: 'none' } },
  redeemLink: { json: { link: 'none', password: 'twelve or more' } },
  startDeviceLogin: { json: { client_name: 'casework at desk-7' } },
  getDeviceToken: { json: { device_code: 'none' } },
  checkDeviceLogin: { json: { user_code: 'WDJB-MJHT' } },
  decideDeviceLogin: { json: { user_code: 'WDJB-MJHT', approve: true } },
  startProviderSignIn: PROVIDER,
  acceptByProvider: { ...PROVIDER, json: { link: 'none' } },
  linkProvider: PROVIDER,
  finishProviderSignIn: PROVIDER,
  listIdentities: {},
  unlinkIdentity: { params: { identityId: 'idn_none' }, record: 'instance' },
  listUserIdentities: USER,
  unlinkUserIdentity: {
    params: { userId: 'usr_none', identityId: 'idn_none' },
    record: 'user identity',
  },
  revokeOwnToken: {},
  createSetupLink: {},
  getSession: {},
  changeSession: { json: { tenant_id: 'none' } },
  endSession: {},
  listSessions: {},
  revokeSession: { params: { sessionId: 'ses_none' }, record: 'instance' },
  listUsers: {},
  inviteUser: { json: { email: 'sample@none.example', name: 'Sample', roles: ['viewer'] } },
  getUser: USER,
  changeUser: { ...USER, json: { name: 'Sample' } },
  removeUser: USER,
  createUserLink: USER,
  listUserSessions: USER,
  endUserSessions: USER,
  listUserGroups: {},
  createUserGroup: { json: { name: 'Sample' } },
  getUserGroup: USER_GROUP,
  changeUserGroup: { ...USER_GROUP, json: { name: 'Sample two' } },
  deleteUserGroup: USER_GROUP,
  listAssignees: {},

  // The process.
  getLivez: {},
  getReadyz: {},
  getReadyzWrite: {},
  getMetrics: {},
  getOpenapi: {},
  getDocs: {},
  getDocsScript: {},
  getDocsStart: {},
}

/** Fails for an operation without a sample. */
export function findSample({ operationId }: Pick<Route, 'operationId'>): OperationSample {
  const sample = OPERATION_SAMPLES[operationId]
  assert.ok(sample !== undefined, `test/operation-samples.ts has no sample of ${operationId}`)
  return sample
}

/** The path of the operation with these parts. */
export function fillPath({ path }: Pick<Route, 'path'>, params: Params = {}): string {
  return path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? ''))
}

type Params = Readonly<Record<string, string>>

/** By kind of record: the parts of a path that name one. */
export type RecordParams = ReadonlyMap<RecordKind, Params>

type Entry = readonly [kind: RecordKind, params: Params]

interface Maker {
  readonly app: TestApp
  readonly tenantId: string
  readonly token: string
  /** Sends a request that must succeed. */
  readonly send: (method: string, path: string, json?: unknown) => Promise<TestAnswer>
  /** Posts below /beta/casework; the answer. */
  readonly post: (path: string, json: unknown) => Promise<AnswerFields>
}

/** One record of each kind in this tenant, made by its own requests. `token` has every scope. */
export async function createRecords(
  app: TestApp,
  tenantId: string,
  token: string,
): Promise<RecordParams> {
  const send: Maker['send'] = async (method, path, json) => {
    const answer = await app.send(method, path, { token, ...(json === undefined ? {} : { json }) })
    assert.ok(answer.status < 300, `${method} ${path}: ${answer.text}`)
    return answer
  }
  const post: Maker['post'] = async (path, json) =>
    (await send('POST', `/beta/casework${path}`, json)).json()
  const maker = { app, tenantId, token, send, post }
  const cases = await createCaseRecords(maker)
  const caseId = cases.get('case')?.['caseId'] ?? ''
  return new Map([
    ...cases,
    ...(await createRules(maker)),
    ...(await createOwners(maker)),
    ...(await createAccess(maker)),
    ...(await createMessages(maker, caseId)),
    ...(await createMitigations(maker, caseId)),
    ...(await createDesk(maker, caseId)),
    ['tenant', { tenantId }],
  ])
}

/** A case with an event and a run of a playbook, and a report. */
async function createCaseRecords({ app, token, send, post }: Maker): Promise<RecordParams> {
  const playbookId = await createActivePlaybook(app, token, GRAPH)
  await send('PATCH', '/beta/casework/case-groups/default', { playbook_id: playbookId })
  const { event_id: eventId, case_id: caseId } = await post('/events', TARGET)
  const { report_id: reportId } = await post('/reports', { x: 1 })
  const { items: runs } = (await send('GET', `/beta/casework/cases/${caseId}/runs`)).json()
  return new Map<RecordKind, Params>([
    ['playbook', { playbookId, version: '1' }],
    ['case', { caseId }],
    ['run', { caseId, runId: runs[0].run_id }],
    ['event', { eventId }],
    ['report', { reportId }],
  ])
}

async function createRules({ tenantId, send, post }: Maker): Promise<readonly Entry[]> {
  await post('/case-groups', { ...GROUP_BODY, id: 'own-group' })
  const muted = { key: { ip: '192.0.2.99' }, reason: 'x', until: SOON }
  const { id: ruleId } = await post('/mute-rules', muted)
  const reporter = `${tenantId}.example.com`
  await send('PUT', `/beta/casework/trusted-reporters/${reporter}`, { note: 'x' })
  await send('PUT', '/beta/casework/secrets/own', { value: 'x' })
  await send('PUT', '/beta/casework/calendars/own', CALENDAR)
  return [
    ['group', { groupId: 'own-group' }],
    ['group rule', { ruleId: 'own-group' }],
    ['mute rule', { ruleId }],
    ['trusted reporter', { reporter }],
    ['secret', { name: 'own' }],
    ['calendar', { name: 'own' }],
  ]
}

async function createOwners({ post }: Maker): Promise<readonly Entry[]> {
  await post('/customers', { id: 'k-1' })
  await post('/contracts', { id: 'v-1', customer_id: 'k-1' })
  const account = { kind: 'account', value: 'own', customer_id: 'k-1' }
  const { id: resourceId } = await post('/resources', account)
  return [
    ['customer', { customerId: 'k-1' }],
    ['contract', { contractId: 'v-1' }],
    ['resource', { resourceId }],
  ]
}

/** Tokens, roles, people and their groups. */
async function createAccess({ tenantId, send }: Maker): Promise<readonly Entry[]> {
  const token = { name: 'own', scopes: ['cases:read'], tenant_id: tenantId }
  const { id: tokenId } = (await send('POST', '/beta/admin/tokens', token)).json()
  const ofTenant = `tenant_id=${tenantId}`
  const role = { name: 'own-role', scopes: ['cases:read'] }
  await send('POST', `/beta/admin/roles?${ofTenant}`, role)
  const account = { id: 'own-account', name: 'x' }
  await send('POST', `/beta/admin/service-accounts?${ofTenant}`, account)
  const person = { email: `person@${tenantId}.example`, name: 'Own', roles: ['viewer'] }
  const invitation = { ...person, tenant_id: tenantId }
  const { id: userId } = (await send('POST', '/beta/admin/users', invitation)).json()
  const group = { name: 'Own desk', user_ids: [userId] }
  const { id: userGroupId } = (await send('POST', '/beta/admin/groups', group)).json()
  return [
    ['token', { tokenId }],
    ['role', { role: 'own-role' }],
    ['service account', { serviceAccountId: 'own-account' }],
    ['user', { userId }],
    ['user identity', { userId, identityId: 'idn_none' }],
    ['user group', { userGroupId }],
  ]
}

/** What comes in and goes out by mail and webhook. */
async function createMessages(
  { tenantId, send, post }: Maker,
  caseId: string,
): Promise<readonly Entry[]> {
  const address = `abuse@${tenantId}.example`
  await send('PUT', `/beta/admin/report-addresses/${address}`, { tenant_id: tenantId })
  const notice = { template: 'answer', party: 'other', address: `bob@${tenantId}.example` }
  const { id: noticeId } = await post(`/cases/${caseId}/notices`, notice)
  const suppressed = `carl@${tenantId}.example`
  await send('PUT', `/beta/casework/suppressed-addresses/${suppressed}`, {})
  const template = { subject: 'x', body: 'x', purpose: 'notice' }
  await send('PUT', '/beta/casework/templates/own/en', template)
  const { id: webhookId } = (await send('POST', '/beta/webhooks', WEBHOOK_BODY)).json()
  const tested = (await send('POST', `/beta/webhooks/${webhookId}/test`)).json()
  return [
    ['report address', { address }],
    ['notice', { noticeId }],
    ['suppressed address', { address: suppressed }],
    ['template', { name: 'own', language: 'en' }],
    ['webhook', { webhookId }],
    ['delivery', { webhookId, deliveryId: tested.delivery_id }],
  ]
}

async function createMitigations({ send, post }: Maker, caseId: string): Promise<readonly Entry[]> {
  const { id: mitigationId } = await post(`/cases/${caseId}/mitigations`, MITIGATION_BODY)
  const signing = { value: `whsec_${Buffer.alloc(32).toString('base64')}` }
  await send('PUT', '/beta/casework/secrets/signs', signing)
  const adapter = { url: 'https://blocks.example/x', secret: 'signs', kinds: ['null_route'] }
  await send('PUT', '/beta/casework/mitigation-adapters/own', adapter)
  return [
    ['mitigation', { mitigationId }],
    ['adapter', { name: 'own' }],
  ]
}

async function createDesk({ post }: Maker, caseId: string): Promise<readonly Entry[]> {
  const { id: viewId } = await post('/views', { ...VIEW_BODY, shared: true })
  const bulk = { ids: [caseId], change: { add_tags: ['swept'] } }
  const { change_id: changeId } = await post('/cases/bulk', bulk)
  return [
    ['view', { viewId }],
    ['bulk change', { changeId }],
  ]
}
