import assert from 'node:assert/strict'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { listen, runCasework } from '../../test/cli-kit.ts'
import { openTestApp, type TestApp } from '../../test/harness.ts'
import { findPackageRoot } from '../values/resources.ts'

const EXAMPLES = join(findPackageRoot(), 'examples/customers')

describe('casework import of owners', () => {
  let app: TestApp
  let url: string
  let token: string
  before(async () => {
    app = await openTestApp()
    url = await listen(app)
    token = await app.createToken()
  })
  after(() => app.close())

  const run = (t: { signal: AbortSignal }, args: readonly string[], input?: string) =>
    runCasework(t, ['import', ...args], { url, token, ...(input === undefined ? {} : { input }) })
  const get = async (path: string) =>
    (await app.send('GET', `/beta/casework/${path}`, { token })).json()

  it('stores the customers, contracts and resources of the examples, and events find them', async (t) => {
    for (const [format, rows] of [
      ['customers', 4],
      ['contracts', 3],
      ['resources', 6],
    ] as const) {
      const { code, stdout, stderr } = await run(t, [format, join(EXAMPLES, `${format}.csv`)])
      assert.deepEqual([code, stdout, stderr], [0, `${rows} accepted, 0 refused\n`, ''])
    }
    const customer = await get('customers/K-1002')
    assert.equal(customer.name, 'Beispiel, Bauer & Co.')
    assert.deepEqual(customer.contacts, [
      { email: 'technik@example.net', language: 'de', purpose: 'technical', state: 'active' },
    ])
    assert.equal((await get('customers/K-1001')).parent_customer_id, 'R-1')
    const pushed = await app.send('POST', '/beta/casework/events', {
      token,
      json: { event_type: 'PortScan', event_date: '2026-04-01T00:00:00Z', ip: '192.0.2.70' },
    })
    const event = await get(`events/${pushed.json().event_id}`)
    assert.deepEqual([event.customer_id, event.contract_id], ['K-1002', 'V-2'])
  })

  it('changes nothing when it is repeated', async (t) => {
    const file = join(EXAMPLES, 'resources.csv')
    const { stdout } = await run(t, ['resources', file])
    assert.equal(stdout, '6 accepted, 0 refused\n')
    const { items } = await get('resources')
    assert.deepEqual(
      items.map((item: { version: number }) => item.version),
      [1, 1, 1, 1, 1, 1],
    )
  })

  it('tells refused rows by their lines, and ends with 5 when others were stored', async (t) => {
    const input =
      '\uFEFFcustomer;kind;value\r\nK-1001;ip_range;203.0.113.0/24\r\n\r\nnobody;account;a\r\n' +
      '"K-1001";account\r\nK-1001;domain;"no domain"\r\nK-1001;account;"open\r\n'
    const { code, stdout, stderr } = await run(t, ['resources', '-'], input)
    assert.equal(code, 5)
    assert.equal(stdout, '1 accepted, 4 refused\n')
    assert.deepEqual(stderr.trim().split('\n').toSorted(), [
      'line 4: column customer names no customer',
      'line 5: The line has 2 fields; the first line names 3.',
      'line 6: column value must be a domain name',
      'line 7: The line is no CSV.',
    ])
  })

  it('reads empty fields at both ends of a line with tabs', async (t) => {
    const input =
      'name\tcustomer\temail\tlanguage\n# A comment.\n\t \t\n\tT-1\t\t\nTabs\tT-2\tabuse@tabs.example\t\n'
    const { code, stdout, stderr } = await run(t, ['customers', '-'], input)
    assert.deepEqual([code, stdout, stderr], [0, '2 accepted, 0 refused\n', ''])
    const { contacts } = await get('customers/T-2')
    assert.equal(contacts[0].email, 'abuse@tabs.example')
  })

  it('names the columns of the file, whatever the members they become are called', async (t) => {
    const resources =
      'kind,value,customer,contract,valid_from,valid_until\n' +
      'server,a,K-1001,,,\nip_range,192.0.2.1/24,K-1001,,,\naccount,a,,,,\n' +
      'account,b,K-1001,V-9,,\naccount,c,K-1001,,2026-02-30,\naccount,d,K-1001,,2026-03-01,2026-02-01\n'
    const rows = (await run(t, ['resources', '-'], resources)).stderr.trim().split('\n')
    assert.deepEqual(rows, [
      'line 2: column kind must be one of ["ip_range","domain","account"]',
      'line 3: column value has bits set after the prefix; send 192.0.2.0/24 if the whole block is meant',
      'line 4: column customer is missing',
      'line 5: column contract names no contract of this customer',
      'line 6: column valid_from must be a date, or an ISO 8601 date-time with a zone',
      'line 7: column valid_until must be later than valid_from',
    ])
    const customers = `customer,name,parent,email,language\nC,,nobody,,\nD,,,at,en\nE,,,a@example.com,english\n,F,,,\nG,${'x'.repeat(201)},D,b,\n`
    const people = (await run(t, ['customers', '-'], customers)).stderr.trim().split('\n')
    assert.deepEqual(
      people.map((line) => line.split(' ').slice(0, 4).join(' ')),
      [
        'line 2: column parent',
        'line 3: column email',
        'line 4: column language',
        'line 5: column customer',
        'line 6: column name',
      ],
    )
    assert.match(people.at(-1) ?? '', /; column email /)
  })

  it('ends with 1 when every row was refused, with 2 for a head it does not know, with 3 without the scope', async (t) => {
    const refused = await run(t, ['contracts', '-'], 'contract,customer\nV,nobody\n')
    assert.deepEqual([refused.code, refused.stdout], [1, '0 accepted, 1 refused\n'])
    for (const head of ['contract,client\n', 'customer\nK\n', 'contract,customer,customer\n', '']) {
      const { code, stderr } = await run(t, ['contracts', '-'], head)
      assert.equal(code, 2, head)
      assert.match(stderr, head === '' ? /is empty/ : /must name the columns/)
    }
    const reader = await app.createToken({ scopes: ['customers:read'] })
    const forbidden = await runCasework(
      t,
      ['import', 'customers', join(EXAMPLES, 'customers.csv')],
      {
        url,
        token: reader,
      },
    )
    assert.equal(forbidden.code, 3)
  })

  it('takes more rows than one request', async (t) => {
    const rows = Array.from({ length: 12_000 }, (_, at) => `many-${at}`)
    const { code, stdout } = await run(t, ['customers', '-'], `customer\n${rows.join('\n')}\n`)
    assert.deepEqual([code, stdout], [0, '12000 accepted, 0 refused\n'])
  })
})
