import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { listBlamed, listReasons, readMadeUp } from '../../../../test/read-made-up.ts'
import type { ReportResult } from '../../reading.ts'
import { TenantNetworks } from '../../tenant-networks.ts'
import { readLines } from '../lines/text-lines.ts'
import { listOccurrences } from '../occurrences/occurrence.ts'
import { collectCandidates } from './candidate.ts'
import { classifyAddress } from './classify-address.ts'
import type { OwnHosts } from './own-hosts.ts'
import { weighSides } from './weigh-sides.ts'

function read(
  lines: readonly string[],
  subject: string,
  own: readonly string[] = [],
): ReportResult {
  const text = `Subject: ${subject}\n\n${lines.join('\n')}`
  return readMadeUp(text, { ownNetworks: own })
}

function assertBlamed(
  ips: readonly string[],
  lines: readonly string[],
  subject = 'Attack',
  own: readonly string[] = [],
): void {
  assert.deepEqual(listBlamed(read(lines, subject, own)), ips)
}

/** Rows of two addresses, the second of which varies. */
function makeRows(count: number, row: (at: number) => string): readonly string[] {
  return Array.from({ length: count }, (_, at) => row(at))
}

const PLAIN = ['We see this traffic:', ...makeRows(4, (at) => `192.0.2.1 198.51.100.${at + 1} tcp`)]

describe('rows of two addresses', () => {
  it('blame the one that stands in each, on either side', () => {
    assertBlamed(['192.0.2.1'], PLAIN)
    const right = makeRows(4, (at) => `198.51.100.${at + 1} 192.0.2.1 tcp`)
    assertBlamed(['192.0.2.1'], ['We see this traffic:', ...right])
  })

  it('blame the one of the tenant, even where it varies', () => {
    const own = ['198.51.100.0/24']
    assertBlamed(
      ['198.51.100.1', '198.51.100.2', '198.51.100.3', '198.51.100.4'],
      PLAIN,
      'Attack',
      own,
    )
    // Of both sides or of none they decide nothing.
    assertBlamed(['192.0.2.1'], PLAIN, 'Attack', [...own, '192.0.2.0/24'])
    assertBlamed(['192.0.2.1'], PLAIN, 'Attack', ['203.0.113.0/24'])
  })

  it('blame the one that the subject or a sentence names', () => {
    const two = makeRows(3, () => '198.51.100.7 192.0.2.9 udp')
    assertBlamed(['192.0.2.9'], ['Log:', ...two], 'Attack from 192.0.2.9')
    assertBlamed(['192.0.2.9'], ['Our server is 198.51.100.7.', '', 'Log:', ...two])
    assertBlamed(['198.51.100.7'], ['The attacker is 198.51.100.7.', '', 'Log:', ...two])
  })

  it('blame the one that asked for a service, by the ports', () => {
    assertBlamed(
      ['192.0.2.9'],
      ['Log:', '198.51.100.7 22 192.0.2.9 51234', '198.51.100.7 22 192.0.2.9 51235'],
    )
    assertBlamed(['192.0.2.9'], ['Log:', '198.51.100.7:3389 192.0.2.9:51234'])
    assertBlamed(['192.0.2.9'], ['Log:', '192.0.2.9 51234 198.51.100.7 22'])
  })

  it('do not go by the port of an amplifier, which answers', () => {
    assertBlamed(['192.0.2.9'], ['Log:', '192.0.2.9:123 198.51.100.7:51234'], 'DDoS by NTP')
  })

  it('keep what words of their own say of an address', () => {
    const said = ['Attacker: 192.0.2.9', 'Victim: 198.51.100.7', '', ...PLAIN.slice(1)]
    const blamed = listBlamed(read(said, 'Attack'))
    assert.ok(blamed.includes('192.0.2.9') && !blamed.includes('198.51.100.7'), blamed.join(' '))
    assert.ok(!blamed.some((ip) => ip.startsWith('198.51.100.')), blamed.join(' '))
  })

  it('blame the one that stands in each, where answers are listed as well', () => {
    const both = [
      '192.0.2.1 198.51.100.1 tcp',
      '192.0.2.1 198.51.100.2 tcp',
      '198.51.100.3 192.0.2.1 tcp',
    ]
    assertBlamed(['192.0.2.1'], ['Traffic:', ...both])
  })

  it('are no sentence that names two', () => {
    const said = 'The host 192.0.2.1 talked a long time to 198.51.100.1 and would not stop.'
    assert.ok(
      listReasons(read([said], 'Attack'), '/ip').every((each) => !each.includes('rows of two')),
    )
  })

  it('say why', () => {
    const reasons = listReasons(read(PLAIN, 'Attack'), '/ip').join(' ')
    assert.match(reasons, /it stands in each of 4 rows, and the address beside it varies/i)
    assert.match(reasons, /the other side of it/i)
  })
})

/** The role and the score of each address after weighing, in reading order. */
function weigh(
  lines: readonly string[],
  subject = 'Attack',
  networks: readonly string[] = [],
): readonly string[] {
  const occurrences = listOccurrences(
    readLines([
      { part: 'subject', kind: 'subject', lines: [subject] },
      { part: 'text', kind: 'body', lines },
    ]),
  )
  const own: OwnHosts = {
    reporter: new Set(),
    recipient: new Set(),
    relays: new Set(),
    networks: new TenantNetworks(networks),
    text: '',
  }
  const candidates = collectCandidates(
    occurrences.filter(({ kind }) => kind === 'ip'),
    ({ value }) => value,
    (each) => classifyAddress(each, own, false),
  )
  const weighed = weighSides(candidates, own.networks)
  return weighed.map(({ value, role, score }) => `${value} ${role} ${score}`)
}

describe('the sides of rows', () => {
  const row = ['Log:', '198.51.100.7 192.0.2.9 udp', '198.51.100.7 192.0.2.9 udp']

  it('are open where nothing tells them apart', () => {
    assert.deepEqual(weigh(row), ['198.51.100.7 unnamed 0', '192.0.2.9 unnamed 0'])
  })

  it('follow the one that is named, whatever side that is', () => {
    assert.deepEqual(weigh(row, 'Attack from 192.0.2.9').toSorted(), [
      '192.0.2.9 source 75',
      '198.51.100.7 target -60',
    ])
    assert.deepEqual(weigh(['Victim: 198.51.100.7', ...row]), [
      '198.51.100.7 target -60',
      '192.0.2.9 source 40',
    ])
    assert.deepEqual(weigh(['Attacker: 198.51.100.7', ...row]), [
      '198.51.100.7 source 50',
      '192.0.2.9 target -60',
    ])
    assert.deepEqual(weigh(['Victim: 192.0.2.9', ...row]), [
      '192.0.2.9 target -60',
      '198.51.100.7 source 40',
    ])
  })

  it('follow who asked for a service', () => {
    const asked = ['198.51.100.7 target -60', '192.0.2.9 source 40']
    assert.deepEqual(weigh(['Log:', '198.51.100.7:22 192.0.2.9:51234']), asked)
    const asks = ['198.51.100.7 source 40', '192.0.2.9 target -60']
    assert.deepEqual(weigh(['Log:', '198.51.100.7:51234 192.0.2.9:8080']), asks)
    const open = ['198.51.100.7 unnamed 0', '192.0.2.9 unnamed 0']
    assert.deepEqual(weigh(['Log:', '198.51.100.7:53 192.0.2.9:51234']), open)
    assert.deepEqual(weigh(['Log:', '198.51.100.7:22 192.0.2.9:23']), open)
  })

  it('are not swapped for a label of its own, and the heading of both counts for none', () => {
    const rows = ['203.0.113.1 198.51.100.1 x', '203.0.113.1 198.51.100.2 x']
    const [attacker, one] = weigh(['Attackers:', ...rows])
    assert.deepEqual([attacker, one], ['203.0.113.1 source 90', '198.51.100.1 target -60'])
    const named = weigh(['Attacker: 198.51.100.2', '', 'Log:', ...rows], 'Attack')
    assert.ok(named.includes('198.51.100.2 source 50'), named.join(', '))
  })

  it('keep a source, which another row has on its other side', () => {
    const rows = ['192.0.2.1 198.51.100.1 x', '192.0.2.1 198.51.100.2 x']
    const others = ['192.0.2.1 | 203.0.113.5 | yy', '198.51.100.9 | 192.0.2.1 | yy']
    assert.ok(weigh(['Log:', ...rows, ...others]).includes('192.0.2.1 source 40'))
  })
})

describe('one of several addresses that is of the tenant', () => {
  const lines = ['192.0.2.1 and 198.51.100.1 are part of the attack on our shop.']

  it('is preferred, wherever it stands', () => {
    assertBlamed(['198.51.100.1'], lines, 'Attack', ['198.51.100.0/24'])
    assertBlamed(['192.0.2.1'], lines, 'Attack', ['192.0.2.0/24'])
  })

  it('weighs more, and the others less', () => {
    const two = ['192.0.2.1 is part of the attack.', '', 'As is 198.51.100.1, by the way.']
    assert.deepEqual(weigh(two, 'Attack', ['198.51.100.0/24']), [
      '192.0.2.1 unnamed -40',
      '198.51.100.1 unnamed 25',
    ])
    const target = ['Our server 192.0.2.7 was attacked by 192.0.2.1 and by 198.51.100.1.']
    assert.ok(weigh(target, 'Attack', ['192.0.2.0/24']).includes('192.0.2.7 target -60'))
  })

  it('decides nothing where all are, or none', () => {
    const without = listBlamed(read(lines, 'Attack'))
    assertBlamed(without, lines, 'Attack', ['192.0.2.0/24', '198.51.100.0/24'])
    assertBlamed(without, lines, 'Attack', ['203.0.113.0/24'])
  })

  it('does not acquit one that is named as the source', () => {
    const named = ['The attacks come from 192.0.2.1. Your server 198.51.100.1 took part.']
    const blamed = listBlamed(read(named, 'Attack', ['198.51.100.0/24']))
    assert.ok(blamed.includes('192.0.2.1'), blamed.join(' '))
  })

  it('is not blamed when it is the target', () => {
    const attacked = ['The attacks come from 192.0.2.1. Our server 198.51.100.1 is the target.']
    assertBlamed(['192.0.2.1'], attacked, 'Attack', ['198.51.100.0/24'])
  })
})
