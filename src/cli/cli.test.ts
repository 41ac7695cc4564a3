// Proves what holds for every command: its reader may go, and it then ends quietly.

import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { openSync } from 'node:fs'
import { join } from 'node:path'
import { it } from 'node:test'
import { findPackageRoot } from '../values/resources.ts'

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
