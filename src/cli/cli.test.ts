// Proves what holds for every command: its reader may go, and it then ends quietly.

import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, openSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { it, type TestContext } from 'node:test'
import { fileURLToPath } from 'node:url'
import type { Command } from 'commander'
import { findPackageRoot } from '../values/resources.ts'
import { buildProgram } from './cli.ts'
import { READ_OUTPUT } from './read-output.ts'

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

it('every command and every group of commands says what it is for', () => {
  const look = (command: Command, path: string): readonly string[] =>
    command.commands.flatMap((child) => {
      const name = `${path} ${child.name()}`
      return [...(child.description() === '' ? [name] : []), ...look(child, name)]
    })
  assert.deepEqual(
    look(
      buildProgram(() => undefined),
      'npx casework',
    ),
    [],
  )
})

// Acts whose answer is a person's or a program's, documents, and streams of lines.
const OTHER_OUTPUT = new Set(
  [
    'token create',
    'token rotate',
    'user setup-link',
    'user reset',
    'audit verify',
    'report correct',
    'report take-as-answer',
    'import',
    'playbook import',
    'playbook export',
    'erase',
    'privacy erase',
    'watch',
  ].map((name) => `npx casework ${name}`),
)

it('every command that reads has the same five forms', () => {
  const outputs = listLeaves(buildProgram(() => undefined)).flatMap(({ command, path }) => {
    const output = command.options.find(({ long }) => long === '--output')
    return output === undefined || OTHER_OUTPUT.has(path)
      ? []
      : [[path, output.description] as const]
  })
  assert.ok(outputs.length > 100)
  for (const [path, forms] of outputs) assert.equal(forms, READ_OUTPUT[1], path)
})

it('every command that asks before it acts has --yes, and shows its request with --dry-run', () => {
  // What is done on this machine, or counts beforehand with --preview or without --repair.
  const others = ['restore', 'secret rotate-key', 'demo remove', 'doctor', 'erase', 'privacy erase']
  const asking = listLeaves(buildProgram(() => undefined)).filter(({ command }) =>
    command.options.some(({ long }) => long === '--yes'),
  )
  assert.ok(asking.length > 20)
  for (const { command, path } of asking) {
    if (others.some((name) => path === `npx casework ${name}`)) continue
    if (path === 'npx casework report correct') continue
    assert.ok(
      command.options.some(({ long }) => long === '--dry-run'),
      path,
    )
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

/** The files that a command line loads, by V8's coverage. */
function listLoaded(t: Pick<TestContext, 'after'>, args: readonly string[]): readonly string[] {
  const folder = mkdtempSync(join(tmpdir(), 'loaded-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const env = { ...process.env, NODE_V8_COVERAGE: folder }
  assert.equal(spawnSync(process.execPath, [LAUNCHER, ...args], { env }).status, 0)
  return readdirSync(folder).flatMap((name) => {
    const { result }: { readonly result: readonly { readonly url: string }[] } = JSON.parse(
      readFileSync(join(folder, name), 'utf8'),
    )
    return result
      .filter(({ url }) => url.startsWith('file:'))
      .map(({ url }) => relative(findPackageRoot(), fileURLToPath(url)))
  })
}

it('--version loads no command', (t) => {
  assert.deepEqual(listLoaded(t, ['--version']).toSorted(), [
    'bin/casework.js',
    'bin/node-beside.js',
    'src/main.ts',
    'src/values/resources.ts',
  ])
})

function listNames(words: readonly string[]): readonly string[] {
  return buildProgram(() => undefined, words).commands.map((command) => command.name())
}

it('a command line makes the commands of its group only, a wrong one has all of them', () => {
  const all = listNames([])
  assert.deepEqual(new Set(listNames(['nope'])), new Set(all))
  assert.ok(listNames(['case', 'list']).includes('case'))
  assert.equal(listNames(['case', 'list']).includes('customer'), false)
  assert.equal(listNames(['lookup', '192.0.2.1']).includes('case'), false)
  assert.deepEqual(new Set(listNames(['help', 'case'])), new Set(all))
})
