import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { promisify } from 'node:util'
import { listen, runCasework } from '../../test/cli-kit.ts'
import { openTestApp, type TestApp } from '../../test/harness.ts'
import { holdClock, listingRow, sightingRow } from '../../test/intel-fixtures.ts'
import { findPackageRoot } from '../values/resources.ts'

describe('casework check', () => {
  let app: TestApp
  let url: string
  let folder: string
  before(async () => {
    app = await openTestApp({ clock: holdClock() })
    url = await listen(app)
    folder = await mkdtemp(join(tmpdir(), 'casework-check-'))
    const token = await app.createToken()
    await app.send('POST', '/beta/listings', { token, json: [listingRow('192.0.2.0/24')] })
    await app.send('POST', '/beta/sightings', { token, json: [sightingRow('192.0.2.1')] })
  })
  after(async () => {
    await app.close()
    await rm(folder, { recursive: true, force: true })
  })

  it('answers each line of standard input in its place, and 5 when one is no item', async (t) => {
    const input = '192.0.2.1\r\n\n no item\u001b[2J\nhost.test\n2001:db8::1'
    const { code, stdout, stderr } = await runCasework(t, ['check'], { url, input })
    assert.equal(stderr, '')
    assert.deepEqual(stdout.split('\n'), [
      `${'192.0.2.1'.padEnd(39)}  malicious   listed active bogon`,
      `${'no item\\x1b[2J'.padEnd(39)}  no address and no domain`,
      `${'host.test'.padEnd(39)}  unknown     bogon`,
      `${'2001:db8::1'.padEnd(39)}  unknown     bogon`,
      '',
    ])
    assert.equal(code, 5)
  })

  it('gives thousands of lines in their order, over many batches', async (t) => {
    const items = Array.from({ length: 5_500 }, (_, at) =>
      at % 1_000 === 999 ? `no item ${at}` : `10.1.${at >> 8}.${at & 255}`,
    )
    const file = join(folder, 'items.txt')
    await writeFile(file, `${items.join('\n')}\n`)
    const { code, stdout } = await runCasework(t, ['check', file, '-o', 'jsonl'], { url })
    const answers = stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line))
    assert.deepEqual(
      answers.map(({ item }) => item),
      items,
    )
    assert.equal(answers.filter(({ type }) => type === 'INVALID').length, 5)
    assert.equal(code, 5)
  })

  it('waits for a slow reader again and again without a warning', async (t) => {
    const input = Array.from({ length: 20_000 }, (_, at) => `10.3.${at >> 8}.${at & 255}\n`)
    const options = { url, input: input.join('') }
    const { code, stdout, stderr } = await runCasework(t, ['check', '-o', 'jsonl'], options)
    assert.deepEqual({ code, stderr }, { code: 0, stderr: '' })
    assert.equal(stdout.split('\n').length, 20_001)
  })

  it('gives one JSON array, also of nothing', async (t) => {
    const args = ['check', '-', '-o', 'json']
    const two = await runCasework(t, args, { url, input: '192.0.2.1\nexample.com\n' })
    assert.equal(two.code, 0)
    assert.deepEqual(
      JSON.parse(two.stdout).map(({ item }: { item: string }) => item),
      ['192.0.2.1', 'example.com'],
    )
    const none = await runCasework(t, args, { url, input: '\n' })
    assert.deepEqual([none.code, JSON.parse(none.stdout)], [0, []])
  })

  it('gives CSV with a header, fields quoted and control characters escaped', async (t) => {
    const input = '192.0.2.1\na "b", \u009bc\n'
    const { stdout } = await runCasework(t, ['check', '-o', 'csv'], { url, input })
    assert.equal(
      stdout,
      [
        'item,serviceMailBlocklist,type,bogon,intent,activity',
        '192.0.2.1,ACTIVE,IP,true,malicious,true',
        '"a ""b"", \\x9bc",,INVALID,,,',
        '',
      ].join('\r\n'),
    )
  })

  it('reads defanged and wrapped lines, and repeats them as they are', async (t) => {
    const lines = ['192.0.2[.]1', '"192.0.2.1"', 'hxxp://192.0.2[.]1:8080/x?y', 'x y']
    const args = ['check', '-', '-o', 'jsonl']
    const { code, stdout } = await runCasework(t, args, { url, input: `${lines.join('\n')}\n` })
    const answers = stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line))
    assert.deepEqual(
      answers.map(({ item, serviceMailBlocklist }) => [item, serviceMailBlocklist]),
      lines.map((line, at) => [line, at < 3 ? 'ACTIVE' : undefined]),
    )
    assert.equal(code, 5)
  })

  it('JSON holds no control character either', async (t) => {
    const input = 'a\u009bb\n'
    const { code, stdout } = await runCasework(t, ['check', '-o', 'jsonl'], { url, input })
    assert.equal(JSON.parse(stdout).item, 'a\u009bb')
    assert.ok(!stdout.includes('\u009b'))
    assert.equal(code, 1)
  })

  it('takes lines that are too long for an item without asking for them', async (t) => {
    const input = `${'x'.repeat(5_000)}\n192.0.2.1\n${'ä'.repeat(70_000)}\n`
    const { code, stdout } = await runCasework(t, ['check', '-o', 'jsonl'], { url, input })
    const types = stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line).type)
    assert.deepEqual(types, ['INVALID', 'IP', 'INVALID'])
    assert.equal(code, 5)
  })

  it('ends quietly when nobody reads on', async (t) => {
    const input = Array.from({ length: 20_000 }, (_, at) => `10.2.${at >> 8}.${at & 255}\n`).join(
      '',
    )
    const options = { url, input, readBytesMax: 100 }
    const { code, stderr } = await runCasework(t, ['check'], options)
    assert.deepEqual({ code, stderr }, { code: 0, stderr: '' })
  })

  it('reads what a shell gives as a file, such as <(…)', async (t) => {
    const launcher = join(findPackageRoot(), 'bin/casework.js')
    const line = '"$0" "$1" check -o csv <(echo 192.0.2.1)'
    const environment = { PATH: process.env['PATH'] ?? '', CASEWORK_URL: url }
    const { stdout } = await promisify(execFile)('bash', ['-c', line, process.execPath, launcher], {
      env: environment,
      signal: t.signal,
    })
    assert.match(stdout, /\r\n192\.0\.2\.1,ACTIVE,/)
  })

  it('4 for a file that is not there, 7 when nobody answers', async (t) => {
    const missing = await runCasework(t, ['check', join(folder, 'missing')], { url })
    assert.equal(missing.code, 4)
    const place = await runCasework(t, ['check', folder], { url })
    assert.deepEqual([place.code, /is a folder, not a file\.$/m.test(place.stderr)], [2, true])
    const silent = await runCasework(t, ['check'], {
      url: 'http://127.0.0.1:1',
      input: '192.0.2.1\n',
    })
    assert.equal(silent.code, 7)
    assert.equal(silent.stdout, '')
  })
})
