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

test('null for other XML', () => {
  assert.equal(IODEF_FORMAT.read(buildMailReport([{ fileName: 'a.xml', text: '<note/>' }])), null)
})
