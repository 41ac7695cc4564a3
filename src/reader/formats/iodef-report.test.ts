import assert from 'node:assert/strict'
import { test } from 'node:test'
import { buildMailReport } from '../../../test/mail-report.ts'
import { IODEF_FORMAT } from './iodef-report.ts'

function read(incident: string) {
  const text = `<?xml version="1.0"?>\n<IODEF-Document><Incident>${incident}</Incident></IODEF-Document>`
  return IODEF_FORMAT.read(buildMailReport([{ fileName: 'i.xml', mediaType: 'text/xml', text }]))
}

test('targets are nobody who is accused, and a document without sources is no report', () => {
  const system = '<System category="target"><Node><Address>192.0.2.1</Address></Node></System>'
  const result = read(`<EventData><Flow>${system}</Flow></EventData>`)
  assert.ok(result?.kind === 'no_report')
  assert.match(result.reason, /no source/)
})

function systemOf(attributes: string, ip: string): string {
  return `<System ${attributes}><Node><Address>${ip}</Address></Node></System>`
}

test('a source that the incident calls spoofed is passed over, and told', () => {
  const decoy = systemOf('category="source" spoofed="yes"', '192.0.2.1')
  const source = systemOf('category="source" spoofed="no"', '192.0.2.2')
  const both = read(`<EventData><Flow>${decoy}${source}</Flow></EventData>`)
  assert.ok(both?.kind === 'report')
  assert.deepEqual(
    both.events.map(({ event }) => event.ip),
    ['192.0.2.2'],
  )
  assert.deepEqual(
    both.passedOver.map(({ field, value, line }) => [field, value, line]),
    [['/ip', '192.0.2.1', 2]],
  )
  const alone = read(`<EventData><Flow>${decoy}</Flow></EventData>`)
  assert.ok(alone?.kind === 'no_report')
  assert.match(alone.reason, /spoofed/)
})

test('a category of its own that names a victim or the reporter accuses nobody', () => {
  for (const category of ['victim', 'reporter']) {
    const system = systemOf(`category="ext-value" ext-category="${category}"`, '192.0.2.1')
    const result = read(`<EventData><Flow>${system}</Flow></EventData>`)
    assert.equal(result?.kind, 'no_report', category)
  }
})

test('a contact without a sound address leaves the reporter of the mail', () => {
  const contact = '<Contact role="creator"><Email>Desk at desk@sensors</Email></Contact>'
  const system = systemOf('category="source"', '192.0.2.1')
  const result = read(`${contact}<EventData><Flow>${system}</Flow></EventData>`)
  assert.ok(result?.kind === 'report')
  assert.equal(result.reporter.contact, 'reporter@desk.example.org')
})

test('the impact tells the kind before the description does', () => {
  const system = '<System category="source"><Node><Address>192.0.2.1</Address></Node></System>'
  const result =
    read(`<Description>phishing</Description><Assessment><Impact type="dos"/></Assessment>
<EventData><Flow>${system}</Flow></EventData>`)
  assert.ok(result?.kind === 'report')
  assert.equal(result.events[0]?.event.eventType, 'DDos')
  assert.equal(result.events[0]?.findings[0]?.line, 3)
})

test('a system without a category is a source where it is the only one that can be', () => {
  const target = systemOf('category="target"', '192.0.2.1')
  const [one, other] = [systemOf('', '192.0.2.2'), systemOf('', '192.0.2.3')]
  const source = systemOf('category="source"', '192.0.2.4')
  const listIps = (...systems: readonly string[]) => {
    const result = read(`<EventData><Flow>${systems.join('')}</Flow></EventData>`)
    return result?.kind === 'report' ? result.events.map(({ event }) => event.ip) : result
  }
  assert.deepEqual(listIps(one), ['192.0.2.2'])
  assert.deepEqual(listIps(target, one), ['192.0.2.2'])
  assert.deepEqual(listIps(one, source), ['192.0.2.4'])
  const untold = read(`<EventData><Flow>${one}${other}</Flow></EventData>`)
  assert.ok(untold?.kind === 'no_report')
  assert.match(untold.reason, /does not tell whether this system is a source/)
  assert.deepEqual(
    untold.passedOver.map(({ value, role }) => [value, role]),
    [
      ['192.0.2.2', null],
      ['192.0.2.3', null],
    ],
  )
})

test('words that every object of JavaScript knows are no kind and no protocol', () => {
  for (const word of ['constructor', '__proto__', 'toString']) {
    const system = `<System category="source"><Node><Address>192.0.2.1</Address></Node><Service ip-protocol="${word}"><Port>80</Port></Service></System>`
    const result = read(
      `<Description>phishing</Description><Assessment><Impact type="${word}"/></Assessment><EventData><Flow>${system}</Flow></EventData>`,
    )
    assert.ok(result?.kind === 'report')
    const [first] = result.events
    assert.equal(first?.event.eventType, 'Phishing')
    assert.equal(first?.event.details?.['protocol'], undefined)
  }
})

test('null for other XML', () => {
  assert.equal(IODEF_FORMAT.read(buildMailReport([{ fileName: 'a.xml', text: '<note/>' }])), null)
})
