import assert from 'node:assert/strict'
import { test } from 'node:test'
import { mailReport } from '../../../test/machine-mail.ts'
import { IODEF_FORMAT } from './iodef-report.ts'

function read(incident: string) {
  const text = `<?xml version="1.0"?>\n<IODEF-Document><Incident>${incident}</Incident></IODEF-Document>`
  return IODEF_FORMAT.read(mailReport([{ fileName: 'i.xml', mediaType: 'text/xml', text }]))
}

test('targets are nobody who is accused, and a document without sources is no report', () => {
  const system = '<System category="target"><Node><Address>192.0.2.1</Address></Node></System>'
  const result = read(`<EventData><Flow>${system}</Flow></EventData>`)
  assert.ok(result?.kind === 'no_report')
  assert.match(result.reason, /no source/)
})

test('the impact tells the kind before the description does', () => {
  const system = '<System category="source"><Node><Address>192.0.2.1</Address></Node></System>'
  const result =
    read(`<Description>phishing</Description><Assessment><Impact type="dos"/></Assessment>
<EventData><Flow>${system}</Flow></EventData>`)
  assert.ok(result?.kind === 'report')
  assert.equal(result.events[0]?.event.eventType, 'DDos')
  assert.equal(result.events[0]?.findings[0]?.line, 3 - 1)
})

test('null for other XML', () => {
  assert.equal(IODEF_FORMAT.read(mailReport([{ fileName: 'a.xml', text: '<note/>' }])), null)
})
