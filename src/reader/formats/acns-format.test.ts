import assert from 'node:assert/strict'
import { test } from 'node:test'
import { buildMailReport } from '../../../test/mail-report.ts'
import { ACNS_FORMAT } from './acns-format.ts'

function notice(id: string, ip: string): string {
  return `<Infringement>\n<Case><ID>${id}</ID></Case>\n<Source>\n<IP_Address>${ip}</IP_Address><Type>BitTorrent</Type></Source></Infringement>\n`
}

function readWithItems(count: number) {
  const content = `<Content>\n${'<Item><Title>x</Title></Item>\n'.repeat(count)}</Content>`
  const text = notice('a', '192.0.2.1').replace('</Infringement>', `${content}</Infringement>`)
  return ACNS_FORMAT.read(buildMailReport([{ text }]))
}

test('a finding tells the line in the whole text, also of the second notice', () => {
  const result = ACNS_FORMAT.read(
    buildMailReport([{ text: `Hello\n\n${notice('a', '192.0.2.1')}${notice('b', '192.0.2.2')}` }]),
  )
  assert.ok(result?.kind === 'report')
  assert.deepEqual(
    result.events.map(({ event, findings }) => [event.ip, findings[0]?.part, findings[0]?.line]),
    [
      ['192.0.2.1', 'text', 5],
      ['192.0.2.2', 'text', 9],
    ],
  )
})

test('a notice in a forwarded text is read below its marks of quotation', () => {
  const quoted = notice('a', '192.0.2.1').replaceAll(/^/gm, '> ')
  const result = ACNS_FORMAT.read(buildMailReport([{ text: `FYI\n${quoted}` }]))
  assert.ok(result?.kind === 'report')
  assert.equal(result.events[0]?.event.ip, '192.0.2.1')
})

test('a notice about an address that nobody can have is no report', () => {
  const result = ACNS_FORMAT.read(buildMailReport([{ text: notice('a', '10.0.0.1') }]))
  assert.ok(result?.kind === 'no_report')
  assert.equal(result.passedOver[0]?.value, '10.0.0.1')
})

test('a notice that takes back an earlier one accuses nobody, in both words for true', () => {
  for (const word of ['true', 'TRUE', '1']) {
    const text = notice('a', '192.0.2.1').replace(
      '<Source>',
      `<Type Retraction="${word}"/><Source>`,
    )
    const result = ACNS_FORMAT.read(buildMailReport([{ text }]))
    assert.ok(result?.kind === 'no_report', word)
    assert.match(result.reason, /takes back/)
  }
})

test('a complainant without a sound address leaves the reporter of the mail', () => {
  const complainant = '<Complainant><Email>mail: notices@rights</Email></Complainant>'
  const text = notice('a', '192.0.2.1').replace('<Source>', `${complainant}<Source>`)
  const result = ACNS_FORMAT.read(buildMailReport([{ text }]))
  assert.ok(result?.kind === 'report')
  assert.equal(result.reporter.contact, 'reporter@desk.example.org')
})

test('items of a notice beyond the hundredth are told, with their line', () => {
  const cut = readWithItems(103)
  assert.ok(cut?.kind === 'report')
  assert.deepEqual(
    cut.passedOver.map(({ field, line, reason }) => [field, line, reason]),
    [['', 105, 'Of the 103 items of the notice the first 100 were read.']],
  )
  const whole = readWithItems(100)
  assert.ok(whole?.kind === 'report')
  assert.deepEqual(whole.passedOver, [])
})

test('null for a mail that only names the tag', () => {
  assert.equal(
    ACNS_FORMAT.read(buildMailReport([{ text: 'Please use <Infringement > next time.' }])),
    null,
  )
})

test('unreadable when there are more notices than are read', () => {
  const result = ACNS_FORMAT.read(buildMailReport([{ text: '<Infringement>\n'.repeat(1_001) }]))
  assert.ok(result?.kind === 'unreadable')
  assert.match(result.reason, /1000/)
})
