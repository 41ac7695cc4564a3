// Proves that no page runs what somebody wrote: every writable text of the OpenAPI document is
// filled with texts that would run as HTML, and is found as text on a page. A new text that is not
// filled here fails the test.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import {
  assertNothingRan,
  EVIL_TEXTS,
  moveTo,
  until,
  withConsole,
} from '../../test/console/console-kit.ts'
import { listWritableTexts, NOT_FILLED, OPERATIONS } from '../../test/console/writable-texts.ts'
import { runDueSteps } from '../../test/playbook-fixtures.ts'

const kit = withConsole()
const TENANT = 'every-text'
const [EVIL] = EVIL_TEXTS

/** The texts that were written, by the place in the request that each was written at. */
const filled = new Map<string, string>()

/** What is kept for programs: no page shows it. */
const NOT_SHOWN = [
  'changeCase metadata.note',
  'confirmMitigation detail',
  'confirmMitigation reference',
  'createCustomer metadata.note',
  'pushEvents report_id',
  'putTrustedReporter note',
  'reassignEvent reason',
]

/** A new text that would run as HTML, known by its number. */
function evil(): string {
  return `${EVIL}(${numbers++})`
}
let numbers = 100

let tokens: Promise<string> | null = null

function readToken(): Promise<string> {
  tokens ??= kit.app.createToken({ tenantId: TENANT })
  return tokens
}

/** Sends what the operation takes, and notes each evil text of it. */
async function fill(
  operationId: string,
  params: Readonly<Record<string, string>>,
  json: unknown,
  // oxlint-disable-next-line typescript/no-explicit-any -- a test reads what came
): Promise<any> {
  const { path, method } =
    OPERATIONS.find(({ operation }) => operation.operationId === operationId) ??
    assert.fail(`there is no operation ${operationId}`)
  const url = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => params[name] ?? name)
  const token = await readToken()
  const answer = await kit.app.send(method.toUpperCase(), url, { token, json })
  assert.ok(answer.status < 300, `${operationId}: ${answer.text}`)
  noteFilled(json, `${operationId} `)
  return answer.json()
}

function noteFilled(value: unknown, at: string): void {
  if (typeof value === 'string' && value.includes(EVIL)) filled.set(at, value)
  if (Array.isArray(value)) for (const inner of value) noteFilled(inner, `${at}[]`)
  else if (typeof value === 'object' && value !== null) {
    const member = at.endsWith(' ') ? at : `${at}.`
    for (const [name, inner] of Object.entries(value)) noteFilled(inner, member + name)
  }
}

/** Fills all records; the pages with the texts that each must show. */
async function fillRecords(): Promise<Readonly<Record<string, readonly string[]>>> {
  const now = new Date().toISOString()
  // Of what is known of items all tenants share, so nobody else uses this range.
  const range = '2001:db8:e7::/48'
  const item = '2001:db8:e7::1'
  const source = { kind: 'mail-blocklist', name: TENANT }
  await fill(
    'putTag',
    { name: TENANT },
    {
      intent: 'suspicious',
      category: 'activity',
      description: evil(),
      references: [{ url: 'https://docs.example/', description: evil() }],
      timeline: [{ date: '2026-11-01', action: evil(), description: evil() }],
    },
  )
  await fill('putSource', source, {
    description: evil(),
    origin: evil(),
    licence: evil(),
    ttlSeconds: 86_400,
  })
  await fill('replaceEntries', source, [{ item, reason: evil() }])
  const times = { firstSeen: now, lastSeen: now }
  const list = { item, list: evil(), source: evil(), ...times }
  await fill('pushListings', {}, [{ ...list, status: 'active', reason: evil() }])
  await fill('pushAllowances', {}, [{ ...list, status: 'active', reason: evil() }])
  await fill('pushTaggings', {}, [{ item, tag: TENANT, source: evil(), ...times }])
  await fill('pushSightings', {}, [
    {
      item,
      kind: 'honeypot',
      service: 'ssh',
      type: 'login-attack',
      count: 1,
      source: evil(),
      ...times,
    },
  ])
  await fill('pushNetworks', {}, [{ item: range, source: evil() }])
  await fill('putContacts', {}, [{ range, email: 'abuse@every-text.example', source: evil() }])
  const customer = await fill(
    'createCustomer',
    {},
    {
      id: evil(),
      name: evil(),
      contacts: [{ email: 'abuse@every-text.example', purpose: evil() }],
      metadata: { note: evil() },
    },
  )
  const contract = await fill(
    'createContract',
    {},
    {
      id: evil(),
      name: evil(),
      customer_id: customer.id,
      valid_from: '2026-01-01',
    },
  )
  await fill(
    'createResource',
    {},
    {
      kind: 'account',
      value: evil(),
      customer_id: customer.id,
      contract_id: contract.id,
      valid_from: '2026-01-01',
    },
  )
  const playbook = await fill(
    'createPlaybook',
    {},
    {
      name: evil(),
      description: evil(),
      nodes: [
        { id: 'begin', kind: 'start', note: evil(), paths: { next: 'ask' } },
        {
          id: 'ask',
          kind: 'manual',
          note: evil(),
          config: {
            paths: ['go', 'stop'],
            question: evil(),
            titles: { go: evil(), stop: evil() },
            form: [
              { name: 'why', type: 'text', label: evil() },
              {
                name: 'how',
                type: 'choice',
                label: evil(),
                options: [{ value: 'a', label: evil() }],
              },
            ],
          },
          paths: { go: 'said', stop: 'end' },
        },
        { id: 'said', kind: 'comment', config: { text: evil() }, paths: { next: 'end' } },
        { id: 'end', kind: 'end' },
      ],
    },
  )
  const version = { playbookId: String(playbook.id), version: '1' }
  await fill('activatePlaybookVersion', version, undefined)
  const group = await fill(
    'createCaseGroup',
    {},
    {
      id: TENANT,
      name: evil(),
      description: evil(),
      order: 1,
      key_fields: ['ip'],
      condition: 'event.event_type == "Spam"',
      playbook_id: playbook.id,
    },
  )
  const mute = await fill(
    'createMuteRule',
    {},
    {
      key: { ip: '192.0.2.232' },
      reason: evil(),
      until: new Date(Date.now() + 86_400_000).toISOString(),
    },
  )
  const event = await fill(
    'pushEvents',
    {},
    {
      event_type: 'Spam',
      ip: item,
      event_date: now,
      sender_email: 'ann@reporter.example',
      customer_id: customer.id,
      report_id: evil(),
      event_details: { note: evil() },
    },
  )
  const at = { caseId: String(event.case_id) }
  await fill('addComment', at, { text: evil() })
  const { version: caseVersion } = await fill('getCase', at, undefined)
  await fill('changeCase', at, {
    version: caseVersion,
    severity: 'high',
    reason: evil(),
    metadata: { note: evil() },
  })
  await fill('placeHold', at, { reason: evil() })
  await fill('liftHold', at, { reason: evil() })
  await fill(
    'changeCases',
    {},
    {
      ids: [event.case_id],
      change: { severity: 'low', comment: evil() },
      reason: evil(),
    },
  )
  await runDueSteps(kit.app)
  const run = (await fill('listCaseRuns', at, undefined)).items[0]
  const atRun = { runId: String(run.run_id) }
  await fill('pauseRun', atRun, { reason: evil() })
  await fill('resumeRun', atRun, { reason: evil() })
  const other = await fill(
    'pushEvents',
    {},
    {
      event_type: 'PortScan',
      ip: item,
      event_date: now,
      sender_email: 'ann@reporter.example',
      customer_id: customer.id,
    },
  )
  await fill(
    'reassignEvent',
    { eventId: String(other.event_id) },
    {
      customer_id: customer.id,
      reason: evil(),
    },
  )
  await fill('mergeCases', at, { from: [other.case_id], reason: evil() })
  await fill('unmergeCases', at, { from: [other.case_id], reason: evil() })
  const mitigation = await fill('createMitigation', at, {
    kind: 'null_route',
    target_type: 'ip',
    target: item,
    adapter: 'manual',
    note: evil(),
  })
  const atMitigation = { mitigationId: String(mitigation.id) }
  await fill('executeMitigation', atMitigation, undefined)
  await fill('confirmMitigation', atMitigation, {
    result: 'done',
    detail: evil(),
    reference: evil(),
  })
  await fill('putSecret', { name: TENANT }, { value: `whsec_${btoa('x'.repeat(32))}` })
  await fill(
    'putMitigationAdapter',
    { name: TENANT },
    {
      secret: TENANT,
      url: 'https://blocks.example/x',
      kinds: ['null_route'],
      description: evil(),
    },
  )
  const notice = await fill('sendNotice', at, {
    template: 'answer',
    party: 'other',
    address: 'bob@elsewhere.example',
    text: evil(),
  })
  await fill(
    'putTemplate',
    { name: 'every-text', language: 'en' },
    {
      subject: evil(),
      body: evil(),
      purpose: 'notice',
    },
  )
  await fill('putSuppressedAddress', { address: 'gone@elsewhere.example' }, { note: evil() })
  await fill('putTrustedReporter', { reporter: 'reporter.example' }, { note: evil() })
  const webhook = await fill(
    'createWebhook',
    {},
    {
      url: 'https://hooks.example/x',
      types: ['case.opened'],
      customers: [customer.id],
      description: evil(),
    },
  )
  await fill('changeTenant', { tenantId: TENANT }, { name: evil() })
  await fill('createToken', {}, { name: evil(), scopes: ['cases:read'] })
  await fill('createRole', {}, { name: TENANT, description: evil(), scopes: ['cases:read'] })
  await fill('createServiceAccount', {}, { id: TENANT, name: evil() })
  await fill(
    'inviteUser',
    {},
    {
      email: 'eve@every-text.example',
      name: evil(),
      roles: ['viewer'],
    },
  )
  await fill('createUserGroup', {}, { name: evil() })
  const reportId = await fillReport()
  const playbookPath = `/playbooks/${playbook.id}`
  return {
    [`/tags/${TENANT}`]: [
      'putTag description',
      'putTag references[].description',
      'putTag timeline[].action',
      'putTag timeline[].description',
    ],
    [`/sources?open=mail-blocklist%2F${TENANT}`]: [
      'putSource description',
      'putSource origin',
      'putSource licence',
      'pushListings [].source',
      'pushAllowances [].source',
      'pushTaggings [].source',
      'pushSightings [].source',
      'pushNetworks [].source',
      'putContacts [].source',
    ],
    [`/sources/mail-blocklist/${TENANT}/edit`]: ['putSource description'],
    [`/sources/mail-blocklist/${TENANT}/entries`]: ['replaceEntries [].reason'],
    [`/lookup/${item}`]: [
      'pushListings [].list',
      'pushListings [].reason',
      'pushAllowances [].list',
      'pushAllowances [].reason',
    ],
    [`/events?open=${event.event_id}`]: ['pushEvents customer_id', 'pushEvents event_details.note'],
    '/cases': ['createCustomer name'],
    [`/cases/${event.case_id}`]: [
      'createPlaybook name',
      'createPlaybook nodes[].config.question',
      'createPlaybook nodes[].config.text',
      'addComment text',
      'changeCase reason',
      'placeHold reason',
      'liftHold reason',
      'changeCases change.comment',
      'changeCases reason',
      'pauseRun reason',
      'resumeRun reason',
      'mergeCases reason',
      'unmergeCases reason',
      'createMitigation note',
    ],
    '/customers': ['createCustomer name'],
    [`/customers/${encodeURIComponent(customer.id)}`]: [
      'createCustomer id',
      'createCustomer name',
      'createCustomer contacts[].purpose',
      'createContract id',
      'createContract name',
      'createResource value',
    ],
    [`/rules?open=${group.id}`]: ['createCaseGroup name', 'createCaseGroup description'],
    [`/rules?tab=mute&open=${mute.id}`]: ['createMuteRule reason'],
    '/playbooks': ['createPlaybook name'],
    [playbookPath]: ['createPlaybook name', 'createPlaybook description'],
    [`${playbookPath}/edit?node=ask`]: [
      'createPlaybook nodes[].note',
      'createPlaybook nodes[].config.titles.go',
      'createPlaybook nodes[].config.titles.stop',
      'createPlaybook nodes[].config.form[].label',
      'createPlaybook nodes[].config.form[].options[].label',
    ],
    [`${playbookPath}/edit?node=said`]: ['createPlaybook nodes[].config.text'],
    [`/reports/${reportId}`]: ['mail name', 'mail subject', 'mail said', 'correctReport reason'],
    [`/runs/${run.run_id}`]: ['createPlaybook name'],
    [`/notices?open=${notice.id}`]: ['sendNotice text'],
    '/notices?tab=suppressed': ['putSuppressedAddress note'],
    '/notices/templates/every-text/en': ['putTemplate subject', 'putTemplate body'],
    '/admin/people': ['inviteUser name'],
    '/admin/groups': ['createUserGroup name'],
    '/admin/roles': ['createRole description'],
    '/admin/tokens': ['createToken name'],
    '/admin/service-accounts': ['createServiceAccount name'],
    [`/admin/webhooks?open=${webhook.id}`]: ['createWebhook description'],
    [`/admin/mitigations?open=${TENANT}`]: ['putMitigationAdapter description'],
    '/admin/tenants': ['changeTenant name'],
  }
}

/** A mail with texts that would run as HTML in its head and its body; the id of its report. */
async function fillReport(): Promise<string> {
  const [name, subject, said] = [evil(), evil(), evil()]
  const body = [
    `From: "${name.replaceAll('"', String.raw`\"`)}" <olga@blimpworks.example>`,
    'To: abuse@provider.example',
    `Subject: ${subject}`,
    'Message-ID: <every-text@blimpworks.example>',
    'Content-Type: text/plain; charset=utf-8',
    '',
    'Hello,',
    '192.0.2.231 scanned our ports.',
    said,
  ].join('\r\n')
  const headers = { 'content-type': 'message/rfc822' }
  const token = await readToken()
  const answer = await kit.app.send('POST', '/beta/casework/reports', { token, body, headers })
  assert.equal(answer.status, 201, answer.text)
  noteFilled({ name, subject, said }, 'mail ')
  const { report_id: reportId } = answer.json()
  await fill(
    'correctReport',
    { reportId },
    {
      version: 1,
      reason: evil(),
      add: [
        {
          event_type: 'Spam',
          subject: { ip: '192.0.2.231' },
          sender_email: 'olga@blimpworks.example',
        },
      ],
    },
  )
  return reportId
}

/** All that a page says: its texts, what stands in its fields, and names for screen readers. */
const READ_TEXTS = `[
  document.title,
  document.body.textContent,
  ...Array.from(document.querySelectorAll('input, textarea'), (field) => field.value),
  ...['aria-label', 'title', 'placeholder'].flatMap((name) =>
    Array.from(document.querySelectorAll('[' + name + ']'), (one) => one.getAttribute(name))),
].join(' ')`

async function readPage(page: Page): Promise<string> {
  // A text in JSON has its quotes marked.
  return String(await page.evaluate(READ_TEXTS)).replaceAll('\\"', '"')
}

test('every text that somebody can write is shown as text, and none runs', async () => {
  await kit.app.createTenant(TENANT)
  const pages = await fillRecords()
  const { page } = await kit.signIn('instance-admin', '/account', TENANT)
  const shown = new Set<string>()
  for (const [path, places] of Object.entries(pages)) {
    await moveTo(page, path)
    await page.getByRole('heading', { level: 1 }).waitFor()
    for (const at of places) {
      const text = filled.get(at) ?? assert.fail(`nothing was filled at ${at}`)
      await until(`${path} shows ${at}`, async () => (await readPage(page)).includes(text))
      for (const [other, same] of filled) if (same === text) shown.add(other)
    }
    await assertNothingRan(page)
  }
  const unseen = [...filled.keys()].filter((at) => !shown.has(at))
  assert.deepEqual(unseen.toSorted(), NOT_SHOWN)
  assertNoneLeftOut()
})

/** Each writable text of the OpenAPI document was filled, or it is said why not. */
function assertNoneLeftOut(): void {
  const left = [...listWritableTexts(EVIL)].filter((at) => !filled.has(at))
  const unexplained = left.filter((at) => !NOT_FILLED.some(([texts]) => texts.test(at)))
  assert.deepEqual(unexplained, [], 'texts that are not filled')
  const idle = NOT_FILLED.filter(([texts]) => !left.some((at) => texts.test(at)))
  assert.deepEqual(idle, [], 'explained, yet there is no such text')
}
