import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { listen, runCasework, serveStub } from '../../test/cli-kit.ts'
import { openTestApp, type TestApp } from '../../test/harness.ts'
import { findPackageRoot } from '../values/resources.ts'

const EXAMPLES = join(findPackageRoot(), 'examples')

describe('casework import', () => {
  let app: TestApp
  let url: string
  let token: string
  let folder: string
  before(async () => {
    app = await openTestApp()
    url = await listen(app)
    token = await app.createToken()
    folder = await mkdtemp(join(tmpdir(), 'casework-import-'))
  })
  after(async () => {
    await app.close()
    await rm(folder, { recursive: true, force: true })
  })

  const lookup = async (item: string) =>
    (await app.send('GET', `/beta/query/${encodeURIComponent(item)}`)).json().result
  const explain = async (item: string) =>
    (await app.send('GET', `/beta/explain/${encodeURIComponent(item)}`)).json().result
  const isListed = async (item: string) => (await lookup(item)).serviceMailBlocklist === 'ACTIVE'
  const run = (t: { signal: AbortSignal }, args: readonly string[], input?: string) =>
    runCasework(t, ['import', ...args], { url, token, ...(input === undefined ? {} : { input }) })

  it('puts the entries of a plain list on a blocklist and tells the line it cannot read', async (t) => {
    const file = join(EXAMPLES, 'lists/blocklist.txt')
    const { code, stdout, stderr } = await run(t, ['plain', file, '--list', 'example'])
    assert.equal(stdout, '8 accepted, 1 refused\n')
    assert.equal(stderr, 'line 9: The line has more than one value.\n')
    assert.equal(code, 5)
    assert.ok(await isListed('203.0.113.12'))
    assert.ok(await isListed('www.spam.example.com'))
  })

  it('takes hosts files and lists of ranges under their names, or as tags', async (t) => {
    const hosts = await run(t, ['hosts', '-', '--list', 'hosts'], '0.0.0.0 ads.example.net\n')
    assert.deepEqual([hosts.code, hosts.stdout], [0, '1 accepted, 0 refused\n'])
    assert.ok(await isListed('ads.example.net'))
    const cidr = await run(t, ['cidr', '-', '--tag', 'anonymizer:vpn'], '10.9.0.0/16\n')
    assert.equal(cidr.code, 0)
    assert.deepEqual((await lookup('10.9.1.1')).tags, ['anonymizer:vpn'])
  })

  it('puts an rbldnsd zone on a blocklist with its texts, and leaves exclusions out with a note', async (t) => {
    const file = join(EXAMPLES, 'rbldnsd/ip4set')
    const { code, stdout, stderr } = await run(t, ['rbldnsd', file, '--list', 'zone'])
    assert.equal(code, 5)
    assert.equal(stdout, '5 accepted, 1 refused\n')
    assert.match(stderr, /^line 9: An exclusion is left out/)
    const [entry] = (await explain('198.51.100.130')).entries
    assert.equal(entry.subject, '198.51.100.128/25')
    assert.equal(entry.list, 'zone')
    assert.equal(entry.reason, 'Dynamic addresses')
    assert.ok(await isListed('198.51.100.140'))
  })

  it('puts exclusions of a zone on the allow-list when told to', async (t) => {
    const args = ['rbldnsd', join(EXAMPLES, 'rbldnsd/ip4set'), '--list', 'zone']
    const { code, stdout } = await run(t, [...args, '--exclusions', 'allow'])
    assert.deepEqual([code, stdout], [0, '6 accepted, 0 refused\n'])
    assert.ok(await isListed('198.51.100.130'))
    assert.ok(!(await isListed('198.51.100.140')))
  })

  it('reads a generic zone when its kind is said, and refuses a kind that there is not', async (t) => {
    const zone = '7.2.0.192 A 127.0.0.2\nbad.example A 127.0.0.2\n'
    const args = ['rbldnsd', '-', '--list', 'generic', '--dataset']
    const read = await run(t, [...args, 'generic'], zone)
    assert.deepEqual([read.code, read.stdout], [0, '2 accepted, 0 refused\n'])
    assert.ok(await isListed('192.0.2.7'))
    const refused = await run(t, [...args, 'acl'], zone)
    assert.equal(refused.code, 2)
    assert.match(refused.stderr, /--dataset takes one of ip4set/)
  })

  it('puts an allow-list over the blocklists', async (t) => {
    assert.equal((await run(t, ['allow', join(EXAMPLES, 'lists/allowlist.txt')])).code, 0)
    assert.ok(await isListed('198.51.100.70'))
    const list = '198.51.100.70 ; our own mail server\n'
    assert.equal((await run(t, ['allow', '-'], list)).code, 0)
    assert.ok(!(await isListed('198.51.100.70')))
    const found = await explain('198.51.100.70')
    assert.match(found.serviceMailBlocklist.because, /"allow" allows/)
  })

  it('keeps abuse contacts and tells a row that the server refuses with its line', async (t) => {
    const file = join(EXAMPLES, 'contacts/contacts.csv')
    const kept = await run(t, ['contacts', file])
    assert.deepEqual([kept.code, kept.stdout], [0, '3 accepted, 0 refused\n'])
    assert.equal((await lookup('192.0.2.80')).abuseContact.email, 'abuse@example.net')
    const { code, stderr } = await run(t, ['contacts', '-'], 'example.org,no address\n')
    assert.equal(code, 1)
    assert.match(stderr, /^line 1: email must be a plain address/)
  })

  it('imports own address ranges, and replaces them as a whole', async (t) => {
    const input = '198.51.100.0/24\n203.0.113.0/24\n'
    assert.equal((await run(t, ['network', '-'], input)).code, 0)
    const rest = '198.51.100.0/24\n'
    assert.equal((await run(t, ['network', '-', '--replace'], rest)).code, 0)
    const answer = await app.send('GET', '/beta/sources/network/own/entries', { token })
    assert.deepEqual(answer.json().result.entries, [{ item: '198.51.100.0/24' }])
  })

  it('takes a log of Cowrie', async (t) => {
    const target = join(folder, 'examples')
    assert.equal((await runCasework(t, ['examples', target], { url })).code, 0)
    const { code } = await run(t, ['cowrie', join(target, 'cowrie/cowrie.json')])
    assert.equal(code, 0)
    const { observedActivity } = await lookup('198.51.100.23')
    assert.ok(observedActivity.honeypotInteractions.observations.length > 0)
  })

  it('2 when it is not said what the list means, or for a format that there is not', async (t) => {
    const file = join(folder, 'list.txt')
    await writeFile(file, '192.0.2.1\n')
    const meaning = await run(t, ['plain', file])
    assert.deepEqual([meaning.code, meaning.stdout], [2, ''])
    assert.match(meaning.stderr, /--list <name> for a blocklist, or --tag <name>/)
    const format = await run(t, ['excel', file])
    assert.equal(format.code, 2)
    assert.match(
      format.stderr,
      /allow, network, contacts, cowrie, mail, customers, contracts, resources\./,
    )
    const place = await run(t, ['plain', folder, '--list', 'l'])
    assert.deepEqual([place.code, /is a folder, not a file\.$/m.test(place.stderr)], [2, true])
  })

  it('replaces a whole list in one change, and tells what went', async (t) => {
    const args = ['plain', '-', '--list', 'whole', '--replace']
    const first = await run(t, args, '10.8.0.1\n10.8.0.2\n10.8.0.3\n')
    assert.deepEqual([first.code, first.stdout], [0, '3 accepted, 0 refused, 0 removed\n'])
    const { serial } = await explain('10.8.0.1')
    const second = await run(t, args, 'not an item\n10.8.0.2\n10.8.0.3\n10.8.0.4\n')
    assert.deepEqual([second.code, second.stdout], [5, '3 accepted, 1 refused, 1 removed\n'])
    assert.match(second.stderr, /^line 1: /)
    assert.equal((await explain('10.8.0.1')).serial, serial + 1)
    assert.ok(!(await isListed('10.8.0.1')))
    assert.ok(await isListed('10.8.0.4'))
  })

  it('1 for a whole list that lost more than half, unless that is allowed', async (t) => {
    const args = ['plain', '-', '--list', 'whole', '--replace']
    const refused = await run(t, args, '10.8.0.2\n')
    assert.equal(refused.code, 1)
    assert.match(refused.stderr, /^casework: .*--allow-shrink/)
    assert.doesNotMatch(refused.stderr, /allowShrink/)
    assert.ok(await isListed('10.8.0.3'))
    const allowed = await run(t, [...args, '--allow-shrink'], '10.8.0.2\n')
    assert.deepEqual([allowed.code, allowed.stdout], [0, '1 accepted, 0 refused, 2 removed\n'])
    const sightings = await run(t, ['cowrie', '-', '--replace'])
    assert.equal(sightings.code, 2)
  })

  it('2 for a dry run of anything but mail, and nothing is stored', async (t) => {
    for (const args of [
      ['plain', '-', '--list', 'tried', '--dry-run'],
      ['customers', '-', '--dry-run'],
    ]) {
      const tried = await run(t, args, 'customer\n10.7.0.1\n')
      assert.deepEqual([tried.code, tried.stdout], [2, ''])
      assert.match(tried.stderr, /--dry-run is for mail/)
    }
    assert.ok(!(await isListed('10.7.0.1')))
  })

  it('3 for a refusal that comes while the next part is read', async (t) => {
    const { promise: whenRefused, resolve } = Promise.withResolvers<void>()
    const stub = await serveStub(t, (request, response) => {
      response.socket?.once('close', resolve)
      // Behind the whole part: a socket that is closed before it may cost the answer.
      request.resume().once('end', () => response.writeHead(401, { connection: 'close' }).end())
    })
    async function* list(): AsyncGenerator<string> {
      // A whole part, and a row of the next one.
      yield '10.7.0.2\n'.repeat(25_000)
      await whenRefused
      yield '10.7.0.3\n'
    }
    const args = ['import', 'plain', '-', '--list', 'l']
    const refused = await runCasework(t, args, { url: stub, token: 'x', input: list() })
    assert.equal(refused.code, 3, refused.stderr)
    assert.match(refused.stderr, /^casework: The server answered 401\.[^\n]*\n$/)
  })

  it('3 for a refusal before the end of the input, which is not waited for', {
    timeout: 300_000,
  }, async (t) => {
    const { promise: whenEnded, resolve: end } = Promise.withResolvers<void>()
    const stub = await serveStub(t, (request, response) => {
      request.resume()
      response.writeHead(401).end()
    })
    async function* list(): AsyncGenerator<string> {
      yield '10.7.0.4\n'.repeat(5_000)
      await whenEnded
    }
    const args = ['import', 'plain', '-', '--list', 'l', '--replace']
    const refused = await runCasework(t, args, { url: stub, token: 'x', input: list() })
    end()
    assert.equal(refused.code, 3, refused.stderr)
  })

  it('3 without a token, as JSON with its counts otherwise', async (t) => {
    const args = ['import', 'plain', '-', '--list', 'l']
    const refused = await runCasework(t, args, { url, input: '192.0.2.1\n' })
    assert.equal(refused.code, 3)
    const told = await run(t, ['plain', '-', '--list', 'l', '-o', 'json'], '192.0.2.1\n?\n')
    assert.deepEqual(JSON.parse(told.stdout), {
      accepted: 1,
      refused: 1,
      refusals: [{ line: 2, reason: 'This is no IP address, range or domain.' }],
    })
  })
})
