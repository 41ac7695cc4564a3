import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { test } from 'node:test'

const CODE = `
  import { executionAsyncResource } from 'node:async_hooks'
  import { setTimeout as delay } from 'node:timers/promises'
  import { keepTickShape } from ${JSON.stringify(new URL('./keep-tick-shape.ts', import.meta.url).href)}
  const first = await keepTickShape()
  const again = await keepTickShape()
  for (let round = 0; round < 4; round += 1) {
    gc()
    await delay(1)
  }
  const later = await new Promise((resolve) => process.nextTick(() => resolve(executionAsyncResource())))
  console.log(first === again, first === later, %HaveSameMap(first, later))
`

test('one tick is kept, and later ones have its shape after collections', () => {
  const flags = ['--expose-gc', '--allow-natives-syntax', '--input-type=module']
  const told = execFileSync(process.execPath, [...flags, '-e', CODE], { encoding: 'utf8' })
  assert.equal(told, 'true false true\n')
})
