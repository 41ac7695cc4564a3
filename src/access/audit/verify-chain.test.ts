// The chain of the audit log, and what a verification finds in it.

import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { describe, test } from 'node:test'
import { fillChain, verify } from '../../../test/audit-kit.ts'
import { withApp } from '../../../test/harness.ts'
import { CHAIN_START, hashEntry } from './audit-entry.ts'
import { type Checkpoint, createAuditKeyText, openAuditKey, signCheckpoint } from './audit-key.ts'
import type { DetailedEntry } from './audit-store.ts'
import { type ChainReport, type ChainToVerify, verifyChain } from './verify-chain.ts'

const ENTRIES = 10_000
const ROUNDS = 8

const app = withApp({}, async (opened) => fillChain(opened, 'default', 1_020))

type Chain = Omit<ChainToVerify, 'entries' | 'checkpoints'> & {
  readonly entries: readonly DetailedEntry[]
  readonly checkpoints: readonly Checkpoint[]
}

const KEY = openAuditKey(createAuditKeyText())
const CHAIN: Chain = buildChain(ENTRIES)

/** As the audit log writes it; a test below reads one from the database. */
function buildChain(count: number): Chain {
  const entries: DetailedEntry[] = []
  const checkpoints: Checkpoint[] = []
  let head = { seq: 0, hash: CHAIN_START }
  while (head.seq < count) {
    const seq = head.seq + 1
    const detail = {
      salt: randomBytes(16),
      objectName: null,
      actorName: 'Desk',
      address: '192.0.2.7',
      before: { description: `Text ${seq}` },
      after: { description: `Text ${seq + 1}` },
      erasedAt: null,
    }
    const { salt, objectName, actorName, address, before, after } = detail
    const content = {
      chain: 'default',
      seq,
      at: new Date(1_780_000_000_000 + seq * 1_000),
      act: 'tag.set',
      objectId: `tag-${seq % 50}`,
      actor: { kind: 'token', id: 'tok_1' },
      requestId: `r-${seq}`,
      keyId: KEY.id,
      digests: {
        before: KEY.digest(salt, 'before', before),
        after: KEY.digest(salt, 'after', after),
        origin: KEY.digest(salt, 'origin', [objectName, actorName, address]),
      },
    }
    const hash = hashEntry(content, head.hash)
    head = { seq, hash }
    entries.push({ ...content, hash, detail })
    if (seq % 1_000 === 0) {
      checkpoints.push(signCheckpoint(KEY, { ...content, hash, kind: 'regular' }))
    }
  }
  const keys = [{ id: KEY.id, publicKey: KEY.publicKey, key: KEY, isOld: true }]
  const base = { chain: 'default', head, keptHead: null, trustedKeys: [], keys, from: null }
  return { ...base, entriesMax: Number.POSITIVE_INFINITY, entries, checkpoints }
}

/** Without what stands beside it, so that a round takes less time. */
const BARE: Chain = { ...CHAIN, entries: CHAIN.entries.map((one) => ({ ...one, detail: null })) }

async function* each<Item>(items: readonly Item[]): AsyncGenerator<Item> {
  yield* items
}

async function check(chain: Chain): Promise<ChainReport> {
  const { entries, checkpoints } = chain
  return await verifyChain({ ...chain, entries: each([entries]), checkpoints: each(checkpoints) })
}

// A small generator, so that a seed repeats its round.
function createRandom(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

type Mutate = (entries: DetailedEntry[], at: number, random: (below: number) => number) => void

const EDITS: readonly ((entry: DetailedEntry) => DetailedEntry)[] = [
  (entry) => ({ ...entry, at: new Date(entry.at.getTime() + 1) }),
  (entry) => ({ ...entry, act: 'tag.delete' }),
  (entry) => ({ ...entry, objectId: `${entry.objectId}x` }),
  (entry) => ({ ...entry, actor: { ...entry.actor, id: 'somebody' } }),
  (entry) => ({ ...entry, actor: { ...entry.actor, kind: 'program' } }),
  (entry) => ({ ...entry, requestId: 'x' }),
  (entry) => ({ ...entry, keyId: null }),
  (entry) => ({ ...entry, digests: { ...entry.digests, before: null } }),
  (entry) => ({ ...entry, digests: { ...entry.digests, after: entry.hash } }),
  (entry) => ({ ...entry, digests: { ...entry.digests, origin: entry.hash } }),
  (entry) => ({ ...entry, hash: entry.digests.origin ?? '' }),
]

const MUTATIONS: Readonly<Record<string, Mutate>> = {
  edit(entries, at, random) {
    const edit = EDITS[random(EDITS.length)]
    const entry = entries[at]
    if (edit !== undefined && entry !== undefined) entries[at] = edit(entry)
  },
  delete: (entries, at) => void entries.splice(at, 1),
  insert(entries, at, random) {
    const entry = entries[random(entries.length)]
    if (entry !== undefined) entries.splice(at, 0, { ...entry, seq: at + 1 })
  },
  swap(entries, at, random) {
    const other = (at + 1 + random(entries.length - 1)) % entries.length
    const [one, two] = [entries[at], entries[other]]
    if (one === undefined || two === undefined) return
    entries[at] = { ...two, seq: one.seq }
    entries[other] = { ...one, seq: two.seq }
  },
  truncate: (entries, at) => void entries.splice(at),
}

/** Gives the entries new numbers and right hashes, as one does who can write to the database. */
function forge(entries: readonly DetailedEntry[]): DetailedEntry[] {
  let previous = '0'.repeat(64)
  return entries.map((entry, index) => {
    const forged = { ...entry, seq: index + 1 }
    previous = hashEntry(forged, previous)
    return { ...forged, hash: previous }
  })
}

describe('a chain of 10,000 entries', () => {
  test('is clean as it was written, with a signed checkpoint each 1,000 entries', async () => {
    const report = await check(CHAIN)
    assert.deepEqual(report.faults, [])
    assert.deepEqual(
      [report.entries, report.signedSeq, report.firstSeq, report.values.intact],
      [ENTRIES, ENTRIES, 1, ENTRIES],
    )
  })

  test('shows every edit, delete, insert, swap and truncation of one entry', async () => {
    const chain = BARE
    const seed = Math.floor(Math.random() * 2 ** 31)
    const random = createRandom(seed)
    const missed: string[] = []
    for (let round = 0; round < ROUNDS; round += 1) {
      for (const [name, mutate] of Object.entries(MUTATIONS)) {
        const entries = [...chain.entries]
        const at = random(entries.length)
        mutate(entries, at, random)
        const { faultCount } = await check({ ...chain, entries })
        if (faultCount === 0) missed.push(`${name} at ${at}`)
      }
    }
    assert.deepEqual(missed, [], `seed ${seed}`)
  })

  test('shows them behind a checkpoint when all hashes and the head are made right again', async () => {
    const chain = BARE
    const seed = Math.floor(Math.random() * 2 ** 31)
    const random = createRandom(seed)
    const missed: string[] = []
    for (let round = 0; round < ROUNDS / 4; round += 1) {
      for (const [name, mutate] of Object.entries(MUTATIONS)) {
        const changed = [...chain.entries]
        // Before the last checkpoint but one: a chain that lost an entry needs no other.
        const at = random(changed.length - 1_000)
        mutate(changed, at, random)
        const entries = forge(changed)
        const last = entries.at(-1)
        // An edit of a hash alone is undone by making the hashes right: nothing was changed.
        if (last?.hash === chain.entries.at(-1)?.hash) continue
        const head = last === undefined ? null : { seq: last.seq, hash: last.hash }
        // Without the checkpoints that no longer fit, too.
        const kept = chain.checkpoints.filter(({ seq }) => seq <= at)
        for (const checkpoints of [chain.checkpoints, kept]) {
          const report = await check({ ...chain, entries, head, checkpoints })
          const isWithinLast = name === 'truncate' && checkpoints === kept
          if (report.faultCount === 0 && !isWithinLast) missed.push(`${name} at ${at}`)
        }
      }
    }
    assert.deepEqual(missed, [], `seed ${seed}`)
  })

  test('shows every change of a value, a name or an address beside it', async () => {
    const chain = { ...CHAIN, ...buildChain(20), keys: CHAIN.keys }
    const changes = [
      { after: { description: 'Another' } },
      { before: undefined },
      { after: undefined },
      { actorName: 'Another' },
      { actorName: null },
      { address: '192.0.2.1' },
      { objectName: 'x' },
      { salt: randomBytes(16) },
    ]
    for (const [index, change] of changes.entries()) {
      const entries = chain.entries.map((entry, at) =>
        at === index && entry.detail !== null
          ? { ...entry, detail: { ...entry.detail, ...change } }
          : entry,
      )
      const { faults } = await check({ ...chain, entries })
      assert.deepEqual(
        faults.map(({ kind, seq }) => [kind, seq]),
        [['value', index + 1]],
      )
    }
  })

  test('that lost its end with its checkpoints is found by a head that was kept elsewhere', async () => {
    const chain = BARE
    const entries = chain.entries.slice(0, 8_500)
    const last = entries.at(-1)
    assert.ok(last !== undefined)
    const head = { seq: last.seq, hash: last.hash }
    const checkpoints = chain.checkpoints.filter(({ seq }) => seq <= head.seq)
    const cut = { ...chain, entries, head, checkpoints }
    assert.equal((await check(cut)).faultCount, 0)
    assert.deepEqual((await check({ ...cut, keptHead: chain.head })).faults, [
      { kind: 'head', seq: ENTRIES, detail: 'the entry of the head that was kept is missing' },
    ])
    assert.equal((await check({ ...chain, keptHead: head })).faultCount, 0)
    const wrong = { ...head, hash: 'f'.repeat(64) }
    assert.equal((await check({ ...chain, keptHead: wrong })).faults[0]?.kind, 'head')
  })

  test('signed by another key is found, unless that key is trusted by name', async () => {
    const chain = BARE
    const other = openAuditKey(createAuditKeyText())
    const checkpoints = chain.checkpoints.map((one) => signCheckpoint(other, one))
    const unknown = await check({ ...chain, checkpoints })
    assert.equal(unknown.faults[0]?.kind, 'checkpoint')
    const { id, publicKey } = other
    const keys = [...chain.keys, { id, publicKey, key: null, isOld: true }]
    assert.equal((await check({ ...chain, keys, checkpoints })).faults[0]?.kind, 'key')
    const trusted = await check({ ...chain, keys, checkpoints, trustedKeys: [id] })
    assert.deepEqual(trusted.faults, [])
    const named = [{ id, publicKey: chain.keys[0]?.publicKey ?? publicKey, key: null, isOld: true }]
    assert.equal(
      (await check({ ...chain, keys: named, checkpoints })).faults[0]?.kind,
      'checkpoint',
    )
  })
})

describe('the database', () => {
  test('keeps a chain clean, with a signed checkpoint at its thousandth entry', async () => {
    const report = await verify(app, 'default')
    assert.deepEqual(report.faults, [])
    assert.deepEqual(
      [report.entries, report.signedSeq, report.values.intact],
      [1_020, 1_000, 1_020],
    )
  })

  test('refuses to change, delete or empty the chain, whoever asks', async () => {
    const { pool } = app.services.foundation.database
    for (const table of ['audit_entry', 'audit_checkpoint']) {
      for (const statement of [
        `update ${table} set seq = seq + 1 where seq = 5`,
        `delete from ${table} where seq = 1000`,
        `truncate ${table}`,
      ]) {
        await assert.rejects(pool.query(statement), /are never changed or deleted/, statement)
      }
    }
    await assert.rejects(pool.query(`select forget_audit('default', 5)`), /no checkpoint/)
    assert.equal((await verify(app, 'default')).faultCount, 0)
  })

  test('marks what is changed beside the chain, and finds a change that bears no mark', async () => {
    const { pool } = app.services.foundation.database
    const changeName = `update audit_detail set actor_name = 'x' where tenant_id = 'default' and seq = $1`
    await pool.query(changeName, [7])
    const marked = await verify(app, 'default')
    assert.deepEqual([marked.faultCount, marked.values.erased], [0, 1])
    await pool.query('alter table audit_detail disable trigger all')
    await pool.query(changeName, [8])
    await pool.query('alter table audit_detail enable trigger all')
    assert.deepEqual((await verify(app, 'default')).faults, [
      {
        kind: 'value',
        seq: 8,
        detail: 'a value, name or address is not the one that was written',
      },
    ])
  })
})
