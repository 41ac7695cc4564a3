import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { listBlamed, listReasons, readMadeUp } from '../../../../test/read-made-up.ts'
import type { ReportResult } from '../../reading.ts'

function read(body: string, subject = 'Phishing'): ReportResult {
  return readMadeUp(`Subject: ${subject}\n\n${body}`)
}

describe('links of which each was refused by a word beside it', () => {
  const refused =
    'We ask you to act on a phishing page. The evidence is at\nhttp://one.bad.example/a\n'

  it('are reported where they stand alone in their line, those of one list together', () => {
    const result = read(refused)
    assert.deepEqual(listBlamed(result), ['http://one.bad.example/a'])
    const reasons = listReasons(result, '/event_details/url').join(' ')
    assert.match(reasons, /every link was refused, and this one stands alone in its line/i)
  })

  it('are refused where another link is reported', () => {
    const blamed = listBlamed(read(`Phishing page: http://two.bad.example/b\n\n${refused}`))
    assert.deepEqual(blamed, ['http://two.bad.example/b'])
  })

  it('are refused under a title that says what they are', () => {
    const body = 'The host 192.0.2.5 sends phishing.\n\nEvidence\nhttp://shots.example/a\n'
    assert.deepEqual(listBlamed(read(body)), ['192.0.2.5'])
  })

  it('are refused within a sentence, where an address is reported', () => {
    const body =
      'The host 192.0.2.5 sends phishing. You find the evidence at http://shots.example/a today.'
    assert.deepEqual(listBlamed(read(body)), ['192.0.2.5'])
  })

  it('are not saved when they are of the reporter, or a public reference', () => {
    const body =
      'The host 192.0.2.5 sends phishing mail. Evidence:\nhttp://www.reporter.example/a\nhttps://www.virustotal.com/gui/a\n'
    assert.deepEqual(listBlamed(read(body)), ['192.0.2.5'])
    const alone =
      'We saw phishing in your network, please act on it.\n\nhttp://www.reporter.example/a\n'
    assert.deepEqual(listBlamed(read(alone)), ['unreadable'])
  })
})

describe('a site and its pages', () => {
  it('are one subject where the subject of the mail names the site alone', () => {
    const result = read('Phishing page: http://bad.example/in', 'Phishing at http://bad.example/')
    assert.deepEqual(listBlamed(result), ['http://bad.example/in'])
  })

  it('are one link with and without www, scheme, default port and fragment', () => {
    const body =
      'Phishing pages:\nhttp://bad.example/in\nhttps://www.bad.example/in/\nhttp://bad.example:80/in#top\n'
    assert.equal(listBlamed(read(body)).length, 1)
  })
})

describe('a bare host in a sentence', () => {
  it('is the site that a report of such abuse speaks of', () => {
    assert.deepEqual(listBlamed(read('Please look at bad.example, which is phishing our users.')), [
      'bad.example',
    ])
  })

  it('is an explanation where an attack by an address is reported', () => {
    const body = 'The host 192.0.2.5 attacks our SSH server, see blocklists.example about it.'
    assert.deepEqual(listBlamed(read(body, 'SSH attack')), ['192.0.2.5'])
  })
})
