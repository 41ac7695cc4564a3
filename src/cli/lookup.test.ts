import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { listen, runCasework } from '../../test/cli-kit.ts'
import { type DnsServer, openDnsServer } from '../../test/fixtures/dns-server.ts'
import { openTestApp, type TestApp } from '../../test/harness.ts'
import { holdClock, listingRow, NOON_MS, sightingRow } from '../../test/intel-fixtures.ts'

const NOON = new Date(NOON_MS).toISOString()

describe('casework lookup and explain', () => {
  let app: TestApp
  let url: string
  before(async () => {
    app = await openTestApp({ clock: holdClock() })
    url = await listen(app)
    const token = await app.createToken()
    const push = async (path: string, rows: readonly object[]) => {
      const answer = await app.send('POST', path, { token, json: rows })
      assert.equal(answer.json().result.accepted, rows.length)
    }
    await push('/beta/listings', [
      listingRow('192.0.2.0/24', { reason: 'Bulk mail', list: 'spam list' }),
    ])
    await push('/beta/sightings', [sightingRow('192.0.2.1')])
  })
  after(() => app.close())

  it('shows what is known in lines for people, without colours when it is no terminal', async (t) => {
    const { code, stdout, stderr } = await runCasework(t, ['lookup', '192.0.2.1'], { url })
    assert.equal(stderr, '')
    const lines = stdout.split('\n').filter((line) => !line.startsWith('  network'))
    assert.deepEqual(lines, [
      '192.0.2.1  IP  malicious',
      '  blocklist     listed',
      '  bogon         yes',
      '  tags          credentials:brute-force, credentials:ssh-brute-force',
      `  first seen    ${NOON}`,
      `  last seen     ${NOON}`,
      `  honeypot      ssh login-attack, last ${NOON}`,
      '',
    ])
    assert.equal(code, 0)
  })

  it('gives every item in its order as JSON, and 5 when one of them is none', async (t) => {
    const args = ['lookup', 'host.example', 'no item\u001b[2J', '2001:DB8::1', '-o', 'json']
    const { code, stdout } = await runCasework(t, args, { url })
    const [first, second, third] = JSON.parse(stdout)
    assert.equal(first.item, 'host.example')
    assert.equal(first.partial, false)
    assert.match(second.error, /neither an IP address nor a domain name/)
    assert.equal(third.item, '2001:DB8::1')
    assert.equal(code, 5)
  })

  it('tells an item that is none on standard error, without its control characters, and ends with 1', async (t) => {
    const { code, stdout, stderr } = await runCasework(t, ['lookup', 'no item\u001b[2J'], { url })
    assert.deepEqual({ code, stdout }, { code: 1, stdout: '' })
    assert.match(stderr, /^no item\\x1b\[2J: The item is neither an IP address/)
  })

  it('3 for a wrong token, 7 when nobody answers, 2 for an output that there is not', async (t) => {
    const token = 'cw_api_wrong'
    const refused = await runCasework(t, ['lookup', '192.0.2.1'], { url, token })
    assert.equal(refused.code, 3)
    assert.match(refused.stderr, /^casework: .*CASEWORK_TOKEN/)
    const silent = await runCasework(t, ['lookup', '192.0.2.1'], { url: 'http://127.0.0.1:1' })
    assert.equal(silent.code, 7)
    const unknown = await runCasework(t, ['lookup', '192.0.2.1', '-o', 'xml'], { url })
    assert.equal(unknown.code, 2)
  })

  it('explains entries, sources and rules in lines for people', async (t) => {
    const { code, stdout } = await runCasework(t, ['explain', '192.0.2.1'], { url })
    assert.equal(code, 0)
    assert.match(stdout, /^192\.0\.2\.1 {2}IP {2}serial \d+$/m)
    assert.match(
      stdout,
      /^ {2}intent {5}malicious: The tags "credentials:brute-force", "credentials:ssh-brute-force" are/m,
    )
    assert.match(
      stdout,
      /^ {2}listing spam list of range 192\.0\.2\.0\/24, by desk \(mail-blocklist\), 0 s ago, "Bulk mail"$/m,
    )
    assert.match(
      stdout,
      /^ {2}sighting ssh login-attack, by trap-1 \(honeypot\), 1 time, 0 s ago$/m,
    )
    assert.match(
      stdout,
      /^ {4}Rule "honeypot-login-attack-ssh": honeypot sightings of login-attack on ssh within 30 days/m,
    )
    assert.ok(!stdout.includes('\u001b'))
  })

  it('explains an IPv6 address with its roll-up, and any item as JSON', async (t) => {
    const shown = await runCasework(t, ['explain', '2001:db8::1'], { url })
    assert.match(shown.stdout, /^roll-up \(is information only; it takes 3 addresses\)$/m)
    const json = await runCasework(t, ['explain', '192.0.2.1', '-o', 'json'], { url })
    assert.equal(JSON.parse(json.stdout).entries[0].list, 'spam list')
    const none = await runCasework(t, ['explain', 'nothing'], { url })
    assert.equal(none.code, 2)
    assert.match(none.stderr, /^casework: The item is neither an IP address/)
  })
})

describe('casework lookup while an enricher is silent', () => {
  let dns: DnsServer
  let app: TestApp
  let url: string
  before(async () => {
    dns = await openDnsServer(() => ({ kind: 'silent' }))
    app = await openTestApp({
      environment: { CASEWORK_REVERSE_DNS: 'on', CASEWORK_DNS_SERVERS: dns.address },
    })
    url = await listen(app)
  })
  after(async () => {
    await app.close()
    await dns.close()
  })

  it('shows the rest, marked as partial, and ends with 5', async (t) => {
    const shown = await runCasework(t, ['lookup', '192.0.2.1'], { url })
    assert.equal(shown.code, 5)
    assert.match(shown.stdout, /^192\.0\.2\.1 {2}IP {2}unknown\n/)
    assert.match(shown.stdout, /^ {2}partial {7}not every enricher answered in time$/m)
    const json = await runCasework(t, ['lookup', '192.0.2.1', '-o', 'json'], { url })
    assert.equal(json.code, 5)
    assert.equal(JSON.parse(json.stdout)[0].partial, true)
  })
})
