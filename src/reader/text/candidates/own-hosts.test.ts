import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { listBlamed, listReasons, readMadeUp } from '../../../../test/read-made-up.ts'
import type { ReportResult } from '../../reading.ts'
import { TenantNetworks } from '../../tenant-networks.ts'
import { isOfClient, isOwnName, type OwnHosts } from './own-hosts.ts'

function own(text: string, reporter: readonly string[] = []): OwnHosts {
  const none = new Set<string>()
  const networks = new TenantNetworks([])
  return { reporter: new Set(reporter), recipient: none, relays: none, networks, text }
}

describe('a host that is the name of the client', () => {
  const said: readonly (readonly [string, string])[] = [
    ['shoes.example', 'we write on behalf of shoes.'],
    ['www.shoes.example', 'we represent shoes, a maker of shoes'],
    ['shoes.example', 'our client is “shoes”'],
    ['fine-shoes.example', 'client: fine shoes'],
    ['shoes.example', 'im auftrag der shoes gmbh'],
  ]
  for (const [host, text] of said) {
    it(`${host}, where it says “${text}”`, () => assert.ok(isOfClient(host, own(text))))
  }

  const unsaid: readonly (readonly [string, string])[] = [
    ['shoes.example', 'they sell shoes of our client'],
    ['shoes-sale.example', 'we write on behalf of shoes.'],
    ['shoes.example', 'we write on behalf of shoesmakers'],
    ['shoes.example', 'we write on behalf of shoes.example'],
    ['shoes.example', 'we write on behalf of shoes@other.example'],
    ['abc.example', 'we write on behalf of abc'],
  ]
  for (const [host, text] of unsaid) {
    it(`not ${host}, where it says “${text}”`, () => assert.ok(!isOfClient(host, own(text))))
  }
})

describe('a label that is part of the name of the reporter', () => {
  const text = 'follow phishcatchers or report a phish'
  const label = (word: string) => ({
    label: 'reported' as const,
    word,
    at: text.lastIndexOf(word),
    end: text.lastIndexOf(word) + word.length,
  })

  it('is no label', () => {
    const at = text.indexOf('phishcatchers')
    assert.ok(isOwnName({ ...label('phish'), at }, text, own('', ['phishcatchers.example'])))
  })

  it('is one in another name, in a word of its own, and where the reporter is not known', () => {
    const at = text.indexOf('phishcatchers')
    assert.ok(!isOwnName({ ...label('phish'), at }, text, own('', ['phishers.example'])))
    assert.ok(!isOwnName(label('phish'), text, own('', ['phishcatchers.example'])))
    assert.ok(!isOwnName({ ...label('phish'), at }, text, own('')))
  })
})

function read(from: string, body: string): ReportResult {
  const subject = 'Trademark violation at http://www.fake.example'
  const text = `You are hosting a site at http://www.fake.example, that contains a trademark violation.\n\n${body}`
  return readMadeUp(`From: ${from}\nSubject: ${subject}\n\n${text}`)
}

describe('the sites of the reporter below a name', () => {
  const rows =
    'Twitter<http://www.social.example/team> | LinkedIn<http://www.work.example/company/team>'

  it('are not blamed for a word in the name of the reporter', () => {
    const result = read('Jo <jo@phishcatchers.example>', `PhishCatchers\n${rows}`)
    assert.deepEqual(listBlamed(result), ['http://www.fake.example'])
    const below = read(
      'Jo <jo@phishcatchers.example>',
      'PhishCatchers\nhttp://www.social.example/a',
    )
    assert.deepEqual(listBlamed(below), ['http://www.fake.example'])
  })

  it('are not blamed for a word in the name of a team, in a row of a footer', () => {
    const result = read('Jo <jo@law.example>', `Anti Phishing Desk\n${rows}`)
    assert.deepEqual(listBlamed(result), ['http://www.fake.example'])
    const reasons = listReasons(result, '/event_details/url')
    assert.ok(
      reasons.some((reason) => /in a footer/i.test(reason)),
      reasons.join(' '),
    )
  })

  it('are reported in such a row when a label with a colon announces it', () => {
    const result = read('Jo <jo@law.example>', `Phishing sites:\n${rows}`)
    assert.equal(listBlamed(result).length, 3)
  })
})
