// What the clean-up of tests does with child processes.

import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { test } from 'node:test'
import { endProcess, hasEnded, whenOutput } from './child-process.ts'

const RUNS_ON = ['-e', 'setInterval(() => undefined, 1_000)']

test('a child that runs is ended by the signal', async () => {
  const child = spawn(process.execPath, RUNS_ON)
  await endProcess(child, 'SIGKILL')
  assert.equal(child.signalCode, 'SIGKILL')
})

test('a child that a signal has ended before is not waited for', async () => {
  const child = spawn(process.execPath, RUNS_ON)
  child.kill('SIGKILL')
  await once(child, 'exit')
  assert.ok(hasEnded(child))
  await endProcess(child)
})

test('a child that ends without output rejects the wait for output', async () => {
  const child = spawn(process.execPath, ['-e', 'process.exitCode = 3'])
  await assert.rejects(whenOutput(child), /ended with 3 before it printed anything/)
})

test('a child that prints resolves the wait for output', async () => {
  const child = spawn(process.execPath, [
    '-e',
    'console.log("ready"); setInterval(() => {}, 1_000)',
  ])
  await whenOutput(child)
  await endProcess(child)
})
