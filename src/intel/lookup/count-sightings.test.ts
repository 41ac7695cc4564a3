import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { withApp } from '../../../test/harness.ts'
import { holdClock, NOON_MS, sightingRow } from '../../../test/intel-fixtures.ts'
import { openPlanReader } from '../../../test/plan-kit.ts'
import { seenInRange } from './find-seen-subjects.ts'
import { countSightingDays } from './sighting-day-store.ts'

const DAY_MS = 86_400_000

function at(daysAgo: number): string {
  return new Date(NOON_MS - daysAgo * DAY_MS).toISOString()
}

interface Day {
  readonly date: string
  readonly count: number
}

function seen(days: readonly Day[]): readonly Day[] {
  return days.filter(({ count }) => count > 0)
}

describe('GET /beta/sightings', () => {
  let token: string
  const app = withApp({ clock: holdClock() }, async (opened) => {
    token = await opened.createToken()
  })
  const get = (query: Record<string, string>) =>
    app.send('GET', `/beta/sightings?${new URLSearchParams(query).toString()}`, { token })
  const ask = async (query: Record<string, string>) => {
    const answer = await get(query)
    assert.equal(answer.status, 200, answer.text)
    return answer.json().result
  }
  const push = async (rows: readonly object[]) => {
    const answer = await app.send('POST', '/beta/sightings', { token, json: rows })
    assert.deepEqual(answer.json().result, { accepted: rows.length, rejected: [] })
  }

  it('200 with a count for each day, an observation of several days spread evenly', async () => {
    await push([
      sightingRow('192.0.2.1', { firstSeen: at(2), lastSeen: at(0), count: 7 }),
      sightingRow('192.0.2.1', { firstSeen: at(0), count: 3, type: 'port-scan' }),
      sightingRow('192.0.2.1', { firstSeen: at(40), lastSeen: at(29), count: 12 }),
    ])
    const { item, by, total, complete, days, top } = await ask({ item: '192.0.2.1' })
    assert.deepEqual(
      { item, by, total, complete },
      {
        item: '192.0.2.1',
        by: 'type',
        total: 11,
        complete: true,
      },
    )
    assert.equal(days.length, 30)
    assert.deepEqual(seen(days), [
      { date: '2026-01-02', count: 1 },
      { date: '2026-01-29', count: 2 },
      { date: '2026-01-30', count: 2 },
      { date: '2026-01-31', count: 6 },
    ])
    assert.deepEqual(
      top.map(({ value, count, days: own }: { value: string; count: number; days: number[] }) => [
        value,
        count,
        own.length,
        own.slice(-3),
      ]),
      [
        ['login-attack', 8, 30, [2, 2, 3]],
        ['port-scan', 3, 30, [0, 0, 3]],
      ],
    )
  })

  it('divides by kind, service or source, and covers up to 366 days', async () => {
    await push([
      sightingRow('192.0.2.2', { lastSeen: at(365), count: 2, source: 'trap-2' }),
      sightingRow('192.0.2.2', { kind: 'spamtrap', service: undefined, source: 'trap-2' }),
    ])
    const valuesBy = async (by: string) => {
      const { top } = await ask({ item: '192.0.2.2', days: '366', by })
      return top.map((one: object) => ({ ...one, days: undefined }))
    }
    assert.deepEqual(await valuesBy('kind'), [
      { value: 'honeypot', count: 2, days: undefined },
      { value: 'spamtrap', count: 1, days: undefined },
    ])
    assert.deepEqual(await valuesBy('service'), [
      { value: 'ssh', count: 2, days: undefined },
      { count: 1, days: undefined },
    ])
    assert.deepEqual(await valuesBy('source'), [
      { value: 'trap-2', kind: 'honeypot', count: 2, days: undefined },
      { value: 'trap-2', kind: 'spamtrap', count: 1, days: undefined },
    ])
    assert.equal((await ask({ item: '192.0.2.2', days: '365' })).total, 1)
  })

  it('counts all addresses of a range, and a domain with its parents', async () => {
    await push([
      sightingRow('198.51.100.1'),
      sightingRow('198.51.100.200', { count: 4 }),
      sightingRow('198.51.101.1'),
      sightingRow('2001:db8:7::1'),
      sightingRow('bad.example.net', { kind: 'spamtrap' }),
      sightingRow('www.bad.example.net', { kind: 'spamtrap' }),
    ])
    const total = async (item: string) => (await ask({ item })).total
    assert.equal(await total('198.51.100.0/24'), 5)
    assert.equal(await total('198.51.0.0/16'), 6)
    assert.equal(await total('2001:db8:7::/48'), 1)
    assert.equal(await total('203.0.113.0/24'), 0)
    assert.equal(await total('www.bad.example.net'), 2)
    assert.equal(await total('bad.example.net'), 1)
    assert.equal(
      (await ask({ item: 'bad[.]example[.]net', refang: 'true' })).item,
      'bad.example.net',
    )
  })

  it('says when a range has more sighted addresses than are counted', async () => {
    const view = app.services.intel.index.view()
    const range = {
      kind: 'ipv4-range',
      text: '198.51.100.0/24',
      first: 0xc633_6400,
      prefixLength: 24,
    } as const
    const found = await seenInRange(view, range, { seconds: 0 }, 1)
    assert.equal(found.subjects.length, 1)
    assert.equal(found.isComplete, false)
    const later = { seconds: NOON_MS / 1_000 + 1 }
    assert.deepEqual(await seenInRange(view, range, later, 1), {
      subjects: [],
      isComplete: true,
    })
  })

  it('names the 20 largest values; the rest counts for the sums', async () => {
    const types = Array.from({ length: 22 }, (_, n) => `type-${n}`)
    await push(types.map((type, n) => sightingRow('192.0.2.3', { type, count: n + 1 })))
    const { total, top } = await ask({ item: '192.0.2.3' })
    assert.equal(total, 253)
    assert.deepEqual([top.length, top[0].value, top.at(-1).value], [20, 'type-21', 'type-2'])
  })

  it('reads the sightings of its subjects by their key', async () => {
    const plans = openPlanReader(app.connection)
    try {
      const period = { fromMs: NOON_MS, days: 30, by: 'type', valuesMax: 20 } as const
      await countSightingDays(plans.db, { subjects: ['192.0.2.1'], ...period })
      const [plan = ''] = await plans.readPlans()
      assert.match(plan, /sighting_pkey/)
    } finally {
      await plans.close()
    }
  })

  it('400 for no item or a wrong period, 401 and 403 without the scope', async () => {
    const wrong = [
      [{ item: 'nothing' }, /neither an IP address/],
      [{ item: '10.0.0.0/7' }, /too wide/],
      [{ item: '192.0.2.1/24' }, /192\.0\.2\.0\/24/],
      [{}, /item/],
      [{ item: '192.0.2.1', days: '367' }, /days/],
      [{ item: '192.0.2.1', days: '0' }, /days/],
      [{ item: '192.0.2.1', by: 'colour' }, /by/],
    ] as const
    for (const [query, says] of wrong) {
      const answer = await get(query)
      assert.equal(answer.status, 400, answer.text)
      assert.match(answer.text, says)
    }
    assert.equal((await app.send('GET', '/beta/sightings?item=192.0.2.1')).status, 401)
    const weak = await app.createToken({ scopes: ['intel:write'] })
    const refused = await app.send('GET', '/beta/sightings?item=192.0.2.1', { token: weak })
    assert.equal(refused.status, 403)
  })
})
