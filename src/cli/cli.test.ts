// Proves what holds for every command: its reader may go, and it then ends quietly.

import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { openSync } from 'node:fs'
import { join } from 'node:path'
import { it } from 'node:test'
import type { Command } from 'commander'
import { findPackageRoot } from '../values/resources.ts'
import { buildProgram } from './cli.ts'

const LAUNCHER = join(findPackageRoot(), 'bin/casework.js')

for (const command of ['config', '--help', 'config --no-such-flag']) {
  it(`ends quietly when nobody reads on: ${command}`, async (t) => {
    // The reader of the pipe ends before anything is written to it.
    const child = spawn(
      '/bin/sh',
      [
        '-c',
        `{ "$0" "$1" ${command} 2>&3; echo "code $?" >&3; } | true`,
        process.execPath,
        LAUNCHER,
      ],
      { signal: t.signal, stdio: ['ignore', openSync('/dev/null', 'w'), 'inherit', 'pipe'] },
    )
    let told = ''
    child.stdio[3]?.on('data', (part: Buffer) => {
      told += part.toString()
    })
    await new Promise((resolve) => child.once('close', resolve))
    assert.match(told, command.includes('no-such') ? /unknown option.*\ncode 2\n$/s : /^code 0\n$/)
  })
}

it('the help of every command has examples above its flags, which begin with that command', () => {
  const leaves = listLeaves(buildProgram(() => undefined))
  assert.ok(leaves.length > 20)
  for (const leaf of leaves) {
    let help = ''
    leaf.command.configureOutput({
      writeOut: (text) => {
        help += text
      },
    })
    leaf.command.outputHelp()
    const [, examples = ''] =
      help.split('\nExamples:\n')[1] === undefined
        ? []
        : ['', help.split('\nExamples:\n')[1]?.split('\n\n')[0]]
    assert.notEqual(examples, '', leaf.path)
    for (const line of examples.trimEnd().split('\n')) {
      assert.ok(line.startsWith(`  ${leaf.path}`), `${leaf.path}: ${line}`)
    }
  }
})

function listLeaves(
  command: Command,
  path = command.name(),
): readonly { readonly command: Command; readonly path: string }[] {
  if (command.commands.length === 0) return [{ command, path }]
  const visible = command.createHelp().visibleCommands(command)
  return visible
    .filter((child) => child.name() !== 'help')
    .flatMap((child) => listLeaves(child, `${path} ${child.name()}`))
}

it('a wrong command line is told in the same voice as any other failure', () => {
  const wrong = spawnSync(process.execPath, [LAUNCHER, 'lokup'], { encoding: 'utf8' })
  assert.equal(wrong.status, 2)
  assert.equal(wrong.stderr, "casework: unknown command 'lokup'\n(Did you mean lookup?)\n")
})
