import assert from 'node:assert/strict'
import { mkdtemp, readdir, readFile, rm, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { after, before, test } from 'node:test'
import { Worker } from 'node:worker_threads'
import { parseSubject } from '../../values/range.ts'
import { BinaryFileError } from './binary-file.ts'
import type { Snapshot } from './snapshot.ts'
import { SnapshotBuilder } from './snapshot-builder.ts'
import { readSnapshotFile, writeSnapshotFile } from './snapshot-file.ts'
import { SNAPSHOT_LAYOUT } from './snapshot-format.ts'

let folder = ''
before(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'snapshot-'))
})
after(() => rm(folder, { recursive: true }))

function smallSnapshot(): Snapshot {
  const builder = new SnapshotBuilder({ seed: 7 })
  for (const text of [
    '192.0.2.1',
    '192.0.2.0/24',
    '2001:db8::1',
    '2001:db8::/32',
    'host.example',
  ]) {
    const parsed = parseSubject(text)
    assert.equal(parsed.kind, 'subject')
    if (parsed.kind !== 'subject') continue
    builder.addListing(parsed.subject, {
      list: 'liste über alles',
      source: 'test',
      firstSeenSeconds: 1,
      lastSeenSeconds: 2,
      expiresSeconds: 0,
    })
  }
  return builder.build({ serial: 42, builtAtMs: 1_800_000_000_000, lookBackSeconds: 1000 })
}

async function reasonOf(file: string): Promise<string> {
  try {
    await readSnapshotFile(file)
  } catch (error) {
    assert.ok(error instanceof BinaryFileError)
    return error.reason
  }
  return 'none'
}

test('a snapshot comes back from its file byte for byte, and no other file is left', async () => {
  const own = await mkdtemp(path.join(folder, 'own-'))
  const file = path.join(own, 'intel.snapshot')
  const written = smallSnapshot()
  writeSnapshotFile(written, file)
  writeSnapshotFile(written, file)
  const read = await readSnapshotFile(file)
  assert.equal(read.serial, 42)
  assert.deepEqual(read.meta, written.meta)
  assert.equal(read.meta.subjectCount, 5)
  assert.deepEqual(new Uint8Array(read.records), new Uint8Array(written.records))
  assert.equal(read.findIpv4(0xc0000201), written.findIpv4(0xc0000201))
  assert.deepEqual(await readdir(own), ['intel.snapshot'])
})

test('the same facts and seed give the same bytes', () => {
  assert.deepEqual(new Uint8Array(smallSnapshot().buffer), new Uint8Array(smallSnapshot().buffer))
})

test('a missing, empty, foreign, shortened or lengthened file is refused with its reason', async () => {
  const file = path.join(folder, 'bad.snapshot')
  assert.equal(await reasonOf(file), 'missing')
  await writeFile(file, '')
  assert.equal(await reasonOf(file), 'foreign')
  await writeFile(file, 'x'.repeat(4096))
  assert.equal(await reasonOf(file), 'foreign')
  writeSnapshotFile(smallSnapshot(), file)
  const whole = await readFile(file)
  await truncate(file, whole.length - 4)
  assert.equal(await reasonOf(file), 'torn')
  await writeFile(file, Buffer.concat([whole, Buffer.alloc(4)]))
  assert.equal(await reasonOf(file), 'torn')
  assert.equal(await reasonOf(folder), 'unreadable')
})

test('a changed byte is found wherever it is', async () => {
  const file = path.join(folder, 'changed.snapshot')
  writeSnapshotFile(smallSnapshot(), file)
  const whole = await readFile(file)
  for (let at = 0; at < whole.length; at += at < 160 ? 1 : 9973) {
    const changed = Buffer.from(whole)
    changed.writeUInt8((whole[at] ?? 0) ^ 0x10, at)
    await writeFile(file, changed)
    assert.notEqual(await reasonOf(file), 'none', `byte ${at}`)
  }
})

test('damage is found in each section, and a length of it that leads outside', async () => {
  const file = path.join(folder, 'section.snapshot')
  writeSnapshotFile(smallSnapshot(), file)
  const whole = await readFile(file)
  let seen = 0
  for (const [at, name] of SNAPSHOT_LAYOUT.sections.entries()) {
    const entry = 16 + at * 8
    const offset = whole.readUInt32LE(entry) * 4
    const length = whole.readUInt32LE(entry + 4) * 4
    for (const damaged of length === 0
      ? [entry]
      : [offset, offset + length - 1, entry, entry + 7]) {
      const changed = Buffer.from(whole)
      changed.writeUInt8((whole[damaged] ?? 0) ^ 0x01, damaged)
      await writeFile(file, changed)
      assert.equal(await reasonOf(file), 'corrupt', `${name}, byte ${damaged}`)
      seen += 1
    }
  }
  assert.ok(seen > 40)
})

test('a file of another version is refused as such', async () => {
  const file = path.join(folder, 'version.snapshot')
  writeSnapshotFile(smallSnapshot(), file)
  const bytes = await readFile(file)
  bytes.writeUInt32LE(99, 4)
  await writeFile(file, bytes)
  assert.equal(await reasonOf(file), 'other-version')
})

test('writing into a folder that does not exist fails and leaves nothing', () => {
  const file = path.join(folder, 'no', 'x.snapshot')
  assert.throws(() => writeSnapshotFile(smallSnapshot(), file), { code: 'ENOENT' })
})

test('another thread reads the same buffer', async () => {
  const snapshot = smallSnapshot()
  const code = `
    import { parentPort, workerData } from 'node:worker_threads'
    import { Snapshot } from ${JSON.stringify(new URL('./snapshot.ts', import.meta.url).href)}
    parentPort.postMessage(Snapshot.fromBuffer(workerData).findIpv4(0xc0000201))
  `
  const worker = new Worker(new URL(`data:text/javascript,${encodeURIComponent(code)}`), {
    workerData: snapshot.buffer,
  })
  const found = await new Promise((resolve, reject) => {
    worker.once('message', resolve)
    worker.once('error', reject)
  })
  await worker.terminate()
  assert.equal(found, snapshot.findIpv4(0xc0000201))
})
