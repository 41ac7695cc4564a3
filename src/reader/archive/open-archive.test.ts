import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import * as fc from 'fast-check'
import { writeZip } from '../../../test/fixtures/zip-writer.ts'
import { type Archive, openArchive } from './open-archive.ts'

function open(bytes: Uint8Array, fileName: string | null = null): Archive {
  const archive = openArchive(bytes, fileName)
  assert.ok(archive !== null)
  return archive
}

function texts(archive: Archive): readonly string[] {
  return archive.entries.map(({ name, bytes }) => `${name}: ${Buffer.from(bytes).toString()}`)
}

describe('what is honest is opened', () => {
  test('zip: deflated, stored and empty entries, in order, without folders', () => {
    const archive = open(
      writeZip([
        { path: 'folder/', content: '' },
        { path: 'folder/a.csv', content: 'ip\n192.0.2.1\n' },
        { path: 'b.txt', content: 'stored', isStored: true },
        { path: 'empty', content: '' },
      ]),
    )
    assert.deepEqual(texts(archive), ['a.csv: ip\n192.0.2.1\n', 'b.txt: stored', 'empty: '])
    assert.deepEqual(archive.problems, [])
    assert.equal(archive.entries[0]?.path, 'folder/a.csv')
  })

  test('zip behind a program that unpacks itself is none by its first bytes; text before the list is', () => {
    const zip = writeZip([{ path: 'a', content: 'x' }])
    assert.deepEqual(texts(open(Buffer.concat([zip.subarray(0, 4), zip]))), ['a: x'])
    assert.equal(openArchive(Buffer.from('MZ'), null), null)
  })

  test('only what is wanted is inflated', () => {
    const zip = writeZip([
      { path: 'a.csv', content: 'a' },
      { path: 'bomb.bin', content: Buffer.alloc(2 * 1024 * 1024) },
    ])
    const archive = openArchive(zip, null, undefined, (path) => path.endsWith('.csv'))
    assert.deepEqual(texts(archive ?? open(Buffer.alloc(0))), ['a.csv: a'])
  })

  test('gzip, named after its file', () => {
    assert.deepEqual(texts(open(gzipSync('x'), 'report.xml.gz')), ['report.xml: x'])
    assert.deepEqual(texts(open(gzipSync('x'))), ['content: x'])
    const two = Buffer.concat([gzipSync('x'), gzipSync('y')])
    assert.deepEqual(texts(open(two)), ['content: xy'])
  })

  test('names are labels: no folders, no control characters', () => {
    const archive = open(
      writeZip([
        { path: '../../etc/passwd', content: '1' },
        { path: 'C:\\windows\\a\u0000b\u001b.txt', content: '2' },
      ]),
    )
    assert.deepEqual(
      archive.entries.map(({ name }) => name),
      ['passwd', 'ab.txt'],
    )
  })
})

describe('bombs are refused with the limit they break', () => {
  const zeros = Buffer.alloc(2 * 1024 * 1024)
  const cases: readonly (readonly [string, () => Buffer, RegExp])[] = [
    ['ratio', () => writeZip([{ path: 'a', content: zeros }]), /100 times its size/],
    [
      'ratio, with a small size told',
      () => writeZip([{ path: 'a', content: zeros, told: { unpacked: 10 } }]),
      /100 times its size/,
    ],
    [
      'size told',
      () => writeZip([{ path: 'a', content: 'x', told: { unpacked: 60 * 1024 * 1024 } }]),
      /more than is read/,
    ],
    [
      'many entries that are too much together',
      () =>
        writeZip(
          Array.from({ length: 60 }, (_, index) => ({
            path: `${index}`,
            content: zeros.subarray(0, 1024 * 1024),
          })),
        ),
      /more than is read/,
    ],
    [
      'size of zip64',
      () =>
        writeZip([
          { path: 'a', content: 'x', told: { unpacked: 0xffff_ffff }, zip64: [2n ** 40n] },
        ]),
      /more than is read/,
    ],
    [
      'overlapping entries',
      () =>
        writeZip([
          { path: 'a', content: 'xyz' },
          { path: 'a', content: 'xyz', told: { offset: 0 } },
        ]),
      /overlap/,
    ],
    [
      '65,000 entries',
      () =>
        writeZip(
          Array.from({ length: 65_000 }, (_, index) => ({
            path: `${index}`,
            content: '',
            isStored: true,
          })),
        ),
      /more than 1000 entries/,
    ],
    ['gzip', () => gzipSync(zeros), /100 times its size/],
  ]
  for (const [name, make, reason] of cases) {
    test(name, () => {
      const archive = open(make())
      assert.match(archive.refusal ?? 'null', reason)
      assert.deepEqual(archive.entries, [])
    })
  }
})

describe('what cannot be read is told, the rest is read', () => {
  test('encrypted, unknown packing, wrong checksum', () => {
    const archive = open(
      writeZip([
        { path: 'secret.csv', content: 'x', isEncrypted: true },
        { path: 'wrong.csv', content: 'x', told: { checksum: 1 } },
        { path: 'good.csv', content: 'x' },
      ]),
    )
    assert.deepEqual(texts(archive), ['good.csv: x'])
    assert.match(archive.problems.join('\n'), /"secret.csv".*encrypted.*\n"wrong.csv".*damaged/)
    assert.equal(archive.refusal, null)
  })

  test('cut off, lists that lie about places, empty', () => {
    const zip = writeZip([{ path: 'a', content: 'hello' }])
    for (const bytes of [
      zip.subarray(0, zip.length - 5),
      zip.subarray(0, 20),
      writeZip([{ path: 'a', content: 'x' }], 5),
      writeZip([{ path: 'a', content: 'x', told: { offset: 4_000 } }]),
      writeZip([{ path: 'a', content: 'x', told: { packed: 4_000_000 } }]),
      writeZip([{ path: 'a', content: 'x', told: { unpacked: 0xffff_ffff } }]),
      writeZip([{ path: 'a', content: 'x', told: { offset: 0xffff_ffff }, zip64: [2n ** 63n] }]),
      gzipSync('hello').subarray(0, 12),
    ]) {
      const archive = open(bytes)
      assert.deepEqual(archive.entries, [])
      assert.match(archive.problems.join(), /damaged/)
    }
    assert.deepEqual(open(writeZip([])), { kind: 'zip', entries: [], refusal: null, problems: [] })
  })

  test('no damage makes it throw', () => {
    const zip = writeZip([
      { path: 'a.csv', content: 'a,b,c\n'.repeat(50) },
      { path: 'b', content: 'y', isStored: true },
    ])
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.nat(zip.length - 1), fc.nat(255)), { maxLength: 8 }),
        fc.nat(zip.length),
        (flips, length) => {
          const bytes = Buffer.from(zip)
          for (const [at, value] of flips) bytes[at] = value
          openArchive(bytes.subarray(0, length), null)
        },
      ),
      { numRuns: 500 },
    )
  })
})
