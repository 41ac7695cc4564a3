import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import {
  DETAILS_LIMITS,
  findReportedUrl,
  ID_LENGTH_MAX,
  type NewEvent,
  parseNewEvent,
  SUBTYPES_MAX,
  TAG_LENGTH_MAX,
  TAGS_MAX,
} from './event.ts'

const NOW = '2026-06-01T00:00:00.000Z'
const DEFAULTS = { senderEmail: null, tenantId: 'default', nowMs: Date.parse(NOW) }

const MINIMAL = {
  event_date: '2026-01-31T09:15:00Z',
  event_type: 'LoginAttack',
  sender_email: 'reports@example.org',
}

function eventOf(members: object, defaults = DEFAULTS): NewEvent {
  const result = parseNewEvent({ ...MINIMAL, ...members }, defaults)
  assert.deepEqual(result.kind === 'invalid' ? result.problems : [], [])
  assert.ok(result.kind === 'valid')
  return result.event
}

function pathsOf(input: unknown, defaults = DEFAULTS): string[] {
  const result = parseNewEvent(input, defaults)
  return result.kind === 'valid' ? [] : result.problems.map((problem) => problem.path)
}

function wrongPathsOf(members: object): string[] {
  return pathsOf({ ...MINIMAL, ...members })
}

function url(text: unknown): object {
  return { event_details: { url: text } }
}

function many(count: number): string[] {
  return Array.from({ length: count }, (_, at) => `w${at}`)
}

test('a full record is taken in canonical form', () => {
  const event = eventOf({
    event_date: '2026-01-31T10:15:00.5+01:00',
    event_subtypes: ['ssh', 'ssh', 'brute-force'],
    xarf_class: 'connection',
    recipient_email: 'abuse@example.com',
    ip: '2001:DB8:0::1',
    domain: 'Login.EXAMPLE.com.',
    tags: ['night', 'shift', 'night'],
    event_details: { port: 22, url: 'https://a.example/x' },
    customer_id: 'C 1',
    contract_id: 'K-1',
    tenant_id: 'default',
    report_id: 'r-1',
  })
  assert.deepEqual(event, {
    eventDate: '2026-01-31T09:15:00.500Z',
    eventType: 'LoginAttack',
    eventSubtypes: ['ssh', 'brute-force'],
    xarfClass: 'connection',
    senderEmail: 'reports@example.org',
    recipientEmail: 'abuse@example.com',
    ip: '2001:db8::1',
    domain: 'login.example.com',
    tags: ['night', 'shift'],
    details: { port: 22, url: 'https://a.example/x' },
    customerId: 'C 1',
    contractId: 'K-1',
    reportId: 'r-1',
  })
  assert.equal(findReportedUrl(event), 'https://a.example/x')
})

test('a record of the three required members is taken, the category follows from the type', () => {
  assert.deepEqual(eventOf({}), {
    eventDate: '2026-01-31T09:15:00.000Z',
    eventType: 'LoginAttack',
    eventSubtypes: [],
    xarfClass: 'connection',
    senderEmail: 'reports@example.org',
    recipientEmail: null,
    ip: null,
    domain: null,
    tags: [],
    details: null,
    customerId: null,
    contractId: null,
    reportId: null,
  })
  assert.equal(eventOf({ event_type: 'Unknown' }).xarfClass, null)
  assert.equal(findReportedUrl(eventOf({})), null)
})

test('an IPv4-mapped address is the IPv4 address', () => {
  assert.equal(eventOf({ ip: '::ffff:192.0.2.7' }).ip, '192.0.2.7')
})

test('the host of the reported URL stands in for a missing domain or address', () => {
  assert.equal(eventOf(url('http://Shop.example:8080/x')).domain, 'shop.example')
  assert.equal(eventOf(url('http://[2001:db8::2]/')).ip, '2001:db8::2')
  assert.equal(eventOf({ ...url('http://192.0.2.1/'), ip: '192.0.2.9' }).ip, '192.0.2.9')
  assert.equal(eventOf({ ...url('http://a.example/'), domain: 'b.example' }).domain, 'b.example')
  for (const text of ['no url', 'magnet:?xt=urn:btih:00', 7, null, `http://${'a'.repeat(9000)}`]) {
    assert.deepEqual([eventOf(url(text)).ip, eventOf(url(text)).domain], [null, null])
  }
})

test('the address of the token stands in for a missing sender, unless it has none', () => {
  const { sender_email: _, ...record } = MINIMAL
  const result = parseNewEvent(record, { ...DEFAULTS, senderEmail: 'desk@example.net' })
  assert.equal(result.kind === 'valid' && result.event.senderEmail, 'desk@example.net')
  assert.deepEqual(pathsOf(record), ['/sender_email'])
})

test('what is no object is refused at the root', () => {
  for (const input of [null, [], 'x', 1, true, undefined]) assert.deepEqual(pathsOf(input), ['/'])
})

test('all missing required members are told at once', () => {
  assert.deepEqual(pathsOf({}), ['/event_date', '/event_type', '/sender_email'])
})

test('every member of the wrong type is told, null included', () => {
  const names = [
    'event_date',
    'event_type',
    'event_subtypes',
    'xarf_class',
    'sender_email',
    'recipient_email',
    'ip',
    'domain',
    'tags',
    'event_details',
    'customer_id',
    'contract_id',
    'tenant_id',
    'report_id',
  ]
  for (const value of [null, 1, true, ['x', 1], '\u0000', '\uD800']) {
    const wrong = Object.fromEntries(names.map((name) => [name, value]))
    const told = new Set(pathsOf(wrong).map((path) => `/${path.split('/')[1]}`))
    for (const name of names) assert.ok(told.has(`/${name}`), `${name} as ${JSON.stringify(value)}`)
  }
})

test('members that the service gives, and unknown ones, are refused by name', () => {
  assert.deepEqual(
    wrongPathsOf({ event_id: 'x', create_date: 'x', case_id: 'x', resolved: true, 'a/b': 1 }),
    ['/event_id', '/create_date', '/case_id', '/resolved', '/a~1b'],
  )
  assert.deepEqual(pathsOf({ ...MINIMAL, ...JSON.parse('{"x":1}') }), ['/x'])
  assert.deepEqual(pathsOf(JSON.parse(JSON.stringify(MINIMAL).replace('{', '{"__proto__":1,'))), [
    '/__proto__',
  ])
})

test('another tenant is refused', () => {
  assert.deepEqual(wrongPathsOf({ tenant_id: 'other' }), ['/tenant_id'])
})

test('a contract needs its customer', () => {
  assert.deepEqual(wrongPathsOf({ contract_id: 'K-1' }), ['/contract_id'])
})

test('a domain is no address and an address is no domain', () => {
  assert.deepEqual(wrongPathsOf({ ip: 'example.com', domain: '192.0.2.1' }), ['/ip', '/domain'])
  for (const ip of ['192.0.2.256', '010.0.0.1', '192.0.2', '192.0.2.0/24', '::g', '[::1]', '']) {
    assert.deepEqual(wrongPathsOf({ ip }), ['/ip'], ip)
  }
  for (const domain of [
    '',
    'a..example',
    'a b.example',
    'http://a.example',
    `${'a'.repeat(64)}.example`,
  ]) {
    assert.deepEqual(wrongPathsOf({ domain }), ['/domain'], domain)
  }
})

test('words outside the vocabulary are refused', () => {
  assert.deepEqual(wrongPathsOf({ event_type: 'login_attack' }), ['/event_type'])
  assert.deepEqual(wrongPathsOf({ event_type: 'constructor' }), ['/event_type'])
  assert.deepEqual(wrongPathsOf({ xarf_class: 'Connection' }), ['/xarf_class'])
  assert.deepEqual(wrongPathsOf({ event_subtypes: ['ok', 'Not A Slug'] }), ['/event_subtypes/1'])
})

test('each limit holds: the largest is taken, one more is refused', () => {
  for (const [taken, refused, path] of [
    [{ tags: many(TAGS_MAX) }, { tags: many(TAGS_MAX + 1) }, '/tags'],
    [{ tags: ['x'.repeat(TAG_LENGTH_MAX)] }, { tags: ['x'.repeat(TAG_LENGTH_MAX + 1)] }, '/tags/0'],
    [
      { event_subtypes: many(SUBTYPES_MAX) },
      { event_subtypes: many(SUBTYPES_MAX + 1) },
      '/event_subtypes',
    ],
    [
      { customer_id: 'x'.repeat(ID_LENGTH_MAX) },
      { customer_id: 'x'.repeat(ID_LENGTH_MAX + 1) },
      '/customer_id',
    ],
    [{ report_id: 'x' }, { report_id: '' }, '/report_id'],
    [
      { event_details: { a: 'x'.repeat(DETAILS_LIMITS.textLengthMax) } },
      { event_details: { a: 'x'.repeat(DETAILS_LIMITS.textLengthMax + 1) } },
      '/event_details/a',
    ],
  ] as const) {
    assert.deepEqual(wrongPathsOf(taken), [])
    assert.deepEqual(wrongPathsOf(refused), [path])
  }
})

test('text that cannot be stored is refused with its place in the details', () => {
  assert.deepEqual(wrongPathsOf({ event_details: { a: [{ b: 'x\u0000' }], c: '\uDFFF' } }), [
    '/event_details/a/0/b',
    '/event_details/c',
  ])
})

test('no JSON value makes the parser throw, and every refusal has a reason', () => {
  const names = ['event_date', 'event_type', 'ip', 'domain', 'tags', 'event_details', 'other']
  const record = fc.dictionary(fc.constantFrom(...names), fc.jsonValue({ noUnicodeString: false }))
  fc.assert(
    fc.property(fc.oneof(fc.jsonValue(), record), (input) => {
      const result = parseNewEvent(input, DEFAULTS)
      if (result.kind === 'invalid') {
        assert.ok(result.problems.length > 0)
        for (const { path, reason } of result.problems) assert.ok(path.startsWith('/') && reason)
      }
    }),
  )
})

function dateReasonOf(date: unknown): string | undefined {
  const result = parseNewEvent({ ...MINIMAL, event_date: date }, DEFAULTS)
  return result.kind === 'valid' ? undefined : result.problems[0]?.reason
}

test('a time more than a day ahead, before 1970 or in a leap second is refused in words of its own', () => {
  assert.equal(dateReasonOf('2026-06-02T00:00:00Z'), undefined)
  assert.match(dateReasonOf('2026-06-02T00:00:00.001Z') ?? '', /more than a day in the future/)
  assert.match(dateReasonOf('9998-01-01T00:00:00Z') ?? '', /more than a day in the future/)
  for (const early of [
    '1969-12-31T23:59:59Z',
    '0099-01-01T00:00:00Z',
    '1970-01-01T00:00:00+01:00',
  ]) {
    assert.match(dateReasonOf(early) ?? '', /years 1970 to 9999/, early)
  }
  assert.match(dateReasonOf('2016-12-31T23:59:60Z') ?? '', /leap second/)
  for (const wrong of ['soon', 1, null, '2026-02-30T00:00:00Z', '2026-01-01T00:00:61Z']) {
    assert.match(dateReasonOf(wrong) ?? '', /ISO 8601/, String(wrong))
  }
})
