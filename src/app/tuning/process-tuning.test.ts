import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { chooseProcessTuning, type ProcessStart } from './process-tuning.ts'

const START: ProcessStart = {
  args: ['serve'],
  environment: {},
  platform: 'linux',
  processors: 8,
}

function isTuned(start: Partial<ProcessStart>): boolean {
  return chooseProcessTuning({ ...START, ...start }) !== null
}

function hasHelperFlags(processors: number): boolean {
  const tuning = chooseProcessTuning({ ...START, processors })
  return tuning?.flags.includes('--no-concurrent-marking') === true
}

function writeFile(t: TestContext, text: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'casework-tuning-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  const file = join(folder, 'casework.toml')
  writeFileSync(file, text)
  return file
}

test('helpers of V8 are limited only where no processor is to spare', () => {
  assert.deepEqual([1, 2, 3, 8].map(hasHelperFlags), [true, true, false, false])
})

function chooseTunables(environment: Record<string, string>): string | undefined {
  return chooseProcessTuning({ ...START, environment })?.environment['GLIBC_TUNABLES']
}

test('large blocks get pages of 2 MB, beside what the operator set and unless that is about them', () => {
  const ours = 'glibc.malloc.hugetlb=1'
  assert.equal(chooseTunables({}), ours)
  assert.equal(chooseTunables({ GLIBC_TUNABLES: '' }), ours)
  assert.equal(
    chooseTunables({ GLIBC_TUNABLES: 'glibc.malloc.perturb=1' }),
    `glibc.malloc.perturb=1:${ours}`,
  )
  assert.equal(chooseTunables({ GLIBC_TUNABLES: 'glibc.malloc.hugetlb=0' }), undefined)
  assert.equal(chooseTunables({ CASEWORK_TUNING: 'off' }), undefined)
})

test('off as a flag, a variable or in the file passes no flag of V8 and no allocator setting', (t) => {
  const off = writeFile(t, 'port = 0\ntuning = "off"\n')
  const on = writeFile(t, '# tuning = "off"\ntuning = "on"\n')
  assert.ok(isTuned({}))
  assert.ok(!isTuned({ args: ['serve', '--tuning', 'off'] }))
  assert.ok(!isTuned({ args: ['serve', '--tuning=off'] }))
  assert.ok(!isTuned({ environment: { CASEWORK_TUNING: 'off' } }))
  assert.ok(!isTuned({ args: ['serve', '--config', off] }))
  assert.ok(!isTuned({ environment: { CASEWORK_CONFIG: off } }))
  assert.ok(isTuned({ args: ['serve', `--config=${on}`] }))
})

test('a flag wins over the environment, and the environment over the file', (t) => {
  const off = writeFile(t, "tuning = 'off'")
  const environment = { CASEWORK_TUNING: 'off' }
  assert.ok(isTuned({ args: ['serve', '--tuning=on'], environment }))
  assert.ok(isTuned({ environment: { CASEWORK_TUNING: 'on', CASEWORK_CONFIG: off } }))
  assert.ok(!isTuned({ environment: { CASEWORK_TUNING: '', CASEWORK_CONFIG: off } }))
})

test('the process stays where the operator set the allocator, under a channel, and off Linux', () => {
  assert.ok(!isTuned({ environment: { MALLOC_MMAP_THRESHOLD_: '65536' } }))
  assert.ok(!isTuned({ environment: { NODE_CHANNEL_FD: '3' } }))
  assert.ok(!isTuned({ platform: 'darwin' }))
})
