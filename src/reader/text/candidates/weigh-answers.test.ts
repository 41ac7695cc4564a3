import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { listBlamed, listReasons, readMadeUp } from '../../../../test/read-made-up.ts'

function blamed(
  lines: readonly string[],
  subject = 'Attack',
  own: readonly string[] = [],
): readonly string[] {
  const text = `Subject: ${subject}\n\n${lines.join('\n')}`
  return listBlamed(readMadeUp(text, { ownNetworks: own }))
}

const ASKS = '10:00:01 IP 192.0.2.10.51000 > 198.51.100.5.22: Flags [S]'
const ANSWERS = '10:00:02 IP 198.51.100.5.22 > 192.0.2.10.51000: Flags [S.]'
const OPEN = ['192.0.2.10 -> 198.51.100.5', '198.51.100.5 -> 192.0.2.10']

describe('a log with the answers of whoever is attacked', () => {
  it('blames the one that asked for a service, whichever line is the first', () => {
    assert.deepEqual(blamed(['We see an attack:', ASKS, ANSWERS]), ['192.0.2.10'])
    assert.deepEqual(blamed(['We see an attack:', ANSWERS, ASKS]), ['192.0.2.10'])
  })

  it('blames the one that began where no port tells', () => {
    assert.deepEqual(blamed(['We see an attack:', ...OPEN]), ['192.0.2.10'])
    assert.deepEqual(blamed(['We see an attack:', ...OPEN.toReversed()]), ['198.51.100.5'])
  })

  it('blames the one that the text names, and not the one it calls a target', () => {
    const log = OPEN.toReversed()
    assert.deepEqual(blamed(log, 'Attack from 192.0.2.10'), ['192.0.2.10'])
    assert.deepEqual(blamed(['Our server 198.51.100.5 is attacked:', ...log]), ['192.0.2.10'])
    assert.deepEqual(blamed(['Attacks on 198.51.100.5:', '', ...log]), ['192.0.2.10'])
  })

  it('blames the one of the tenant', () => {
    const log = ['We see an attack:', ...OPEN.toReversed()]
    assert.deepEqual(blamed(log, 'Attack', ['192.0.2.0/24']), ['192.0.2.10'])
  })

  it('blames the one that talks with most', () => {
    const log = [
      'We see an attack:',
      ...OPEN.toReversed(),
      '198.51.100.6 -> 192.0.2.10',
      '192.0.2.10 -> 198.51.100.6',
    ]
    assert.deepEqual(blamed(log), ['192.0.2.10'])
  })

  it('blames all that attack one server, which the text calls a target', () => {
    const log = [
      'Our server 198.51.100.5 is attacked:',
      ...OPEN,
      '192.0.2.11 -> 198.51.100.5',
      '198.51.100.5 -> 192.0.2.11',
    ]
    assert.deepEqual(blamed(log).toSorted(), ['192.0.2.10', '192.0.2.11'])
  })

  it('says why', () => {
    const text = `Subject: Attack\n\nWe see an attack:\n${ASKS}\n${ANSWERS}`
    assert.match(listReasons(readMadeUp(text), '/ip').join(' '), /its arrows are answers/i)
  })
})
