import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { listBlamed, listReasons, readMadeUp } from '../../../../test/read-made-up.ts'
import type { ReportResult } from '../../reading.ts'

function read(lines: readonly string[], subject = 'Abuse report'): ReportResult {
  return readMadeUp(`Subject: ${subject}\n\n${lines.join('\n')}`)
}

/** Sentences with two addresses each: no row of a table, so only the guard sees them. */
function tell(count: number, told: (at: number) => string): readonly string[] {
  return Array.from({ length: count }, (_, at) => told(at + 1))
}

const TOLD = (at: number): string => `seen 198.51.100.${at} together with 192.0.2.9 again`

describe('many addresses, and one other in the line of each', () => {
  it('are what that one attacked, from six on', () => {
    const result = read(['Dear desk,', '', ...tell(6, TOLD)])
    assert.deepEqual(listBlamed(result), ['192.0.2.9'])
    const reasons = listReasons(result, '/ip').join(' ')
    assert.match(reasons, /beside each of 6 addresses, which are its targets/i)
  })

  it('are blamed where five or fewer are', () => {
    assert.equal(listBlamed(read(['Dear desk,', '', ...tell(5, TOLD)])).length, 5)
  })

  it('are blamed where one line is without the other', () => {
    const lines = [...tell(6, TOLD), 'seen 198.51.100.7 together with 203.0.113.9 again']
    const blamed = listBlamed(read(['Dear desk,', '', ...lines]))
    assert.deepEqual([blamed.length, blamed.includes('192.0.2.9')], [7, false])
  })

  it('are blamed where two others stand in each line', () => {
    const lines = tell(6, (at) => `${TOLD(at)} and with 203.0.113.9 too`)
    assert.ok(!listBlamed(read(['Dear desk,', '', ...lines])).includes('192.0.2.9'))
  })

  it('are blamed where each is called a source there, or is said to come from it', () => {
    const called = tell(6, (at) => `attacker 198.51.100.${at} hit 192.0.2.9 again`)
    assert.equal(listBlamed(read(['Dear desk,', '', ...called])).length, 6)
    const from = tell(6, (at) => `connections from 198.51.100.${at} to 192.0.2.9 again`)
    assert.equal(listBlamed(read(['Dear desk,', '', ...from])).length, 6)
  })
})
