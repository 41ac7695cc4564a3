// Proves what the completion of a shell is told, by the shell itself where it is there.

import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { it } from 'node:test'
import { listen, runCasework, serveStub } from '../../test/cli-kit.ts'
import { openTestApp } from '../../test/harness.ts'
import { findPackageRoot } from '../values/resources.ts'
import { buildProgram } from './cli.ts'
import { COMMAND_GROUPS } from './command-groups.ts'
import {
  complete,
  findNamesAsked,
  findServerFlags,
  formatCandidates,
  writeCompletion,
} from './completion.ts'
import { writeManualPage } from './manual-page.ts'

const program = buildProgram(() => undefined)

const offer = (words: readonly string[]): readonly string[] =>
  complete(program, words).map(({ value }) => value)

it('offers commands, flags and the values of a flag', () => {
  assert.ok(offer(['ca']).includes('case'))
  assert.deepEqual(offer(['case', 'as']), ['assign', 'assignees'])
  assert.ok(offer(['case', 'list', '--sta']).includes('--state'))
  assert.deepEqual(offer(['case', 'list', '--order', '']), ['asc', 'desc'])
  assert.deepEqual(offer(['case', 'list', '-o', 'js']), ['json', 'jsonl'])
  assert.deepEqual(offer(['case', 'list', '--tag', '']), [])
  assert.deepEqual(offer(['nothing-such', 'x']), [])
})

it('leaves a place for a file to the shell, and offers flags where no argument is left', () => {
  assert.deepEqual(offer(['check', '']), [])
  assert.ok(offer(['check', '-']).includes('--output'))
  assert.ok(offer(['check', 'items.txt', '']).includes('--output'))
  assert.ok(offer(['case', 'list', '']).includes('--state'))
  assert.deepEqual(offer(['completion', '']), ['bash', 'zsh', 'fish'])
})

it('knows where a case, a tag or a profile is named', () => {
  for (const [words, names] of [
    [['case', 'show', ''], 'case'],
    [['case', 'assign', 'C-1', 'C-'], 'case'],
    [['case', 'show', 'C-1', ''], null],
    [['case', 'show', '--'], null],
    [['event', 'list', '--case-id', ''], 'case'],
    [['tag', 'show', 'cred'], 'tag'],
    [['whoami', '--profile', ''], 'profile'],
    [['profile', 'use', ''], 'profile'],
    [['case', 'list', ''], null],
    [['secret', 'set', ''], null],
  ] as const) {
    assert.equal(findNamesAsked(program, words), names, words.join(' '))
  }
  const given = ['case', 'show', '--profile', 'work', '--data-dir', 'd', '--token-file', '-', '']
  assert.deepEqual(findServerFlags(given), { profile: 'work', dataDir: 'd' })
})

it('says what a candidate is behind a tab, in few words', () => {
  const long = { value: '--x', about: 'y'.repeat(100) }
  assert.equal(formatCandidates([long], true), `--x\t${'y'.repeat(59)}…\n`)
  assert.equal(formatCandidates([long], false), '--x\n')
})

it('names the open cases and the tags of the server, and nothing when it is gone', async (t) => {
  const app = await openTestApp()
  t.after(() => app.close())
  const url = await listen(app)
  const token = await app.createToken()
  const json = {
    event_date: '2026-11-20T10:00:00Z',
    event_type: 'Spam',
    ip: '198.51.100.7',
    customer_id: 'K-7',
    sender_email: 'ann@reporter.example',
  }
  const pushed = await app.send('POST', '/beta/casework/events', { token, json })
  const id: string = pushed.json().case_id
  const ask = async (server: string, ...words: string[]): Promise<string> =>
    (await runCasework(t, ['complete', '--described', '--', ...words], { url: server, token }))
      .stdout
  assert.equal(await ask(url, 'case', 'show', 'C-'), `${id}\tNEW, K-7, Spam\n`)
  assert.equal(await ask(url, 'case', 'show', 'X'), '')
  assert.match(await ask(url, 'tag', 'show', 'credentials:ssh'), /^credentials:ssh-brute-force\t/)
  assert.equal(await ask('http://127.0.0.1:1', 'case', 'show', ''), '')
})

it('ends soon at a server that takes the connection and says nothing', {
  timeout: 300_000,
}, async (t) => {
  const url = await serveStub(t, () => undefined)
  const args = ['complete', '--', 'tag', 'show', '']
  const { code, stdout } = await runCasework(t, args, { url, token: 'x' })
  assert.deepEqual([code, stdout], [0, ''])
})

it('offers no name that a shell would run or take apart', async (t) => {
  const names = ['scan:port', '$(id)', '`id`', 'a;b', 'a b', "a'b", '~', '*', 'a\u0007']
  const url = await serveStub(t, (_, response) => {
    const result = names.map((name) => ({ name, description: '' }))
    response.end(JSON.stringify({ status: 'success', statusCode: 200, result }))
  })
  const args = ['complete', '--', 'tag', 'show', '']
  assert.equal((await runCasework(t, args, { url, token: 'x' })).stdout, 'scan:port\n')
})

it('works in bash, and in a word with a colon, which bash takes apart', (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'completion-'))
  t.after(() => rmSync(folder, { recursive: true }))
  symlinkSync(join(findPackageRoot(), 'bin/casework.js'), join(folder, 'casework'))
  const inBash = (script: string): string => {
    const environment = { PATH: `${folder}:${process.env['PATH']}` }
    const { stdout } = spawnSync('bash', ['-c', script], { encoding: 'utf8', env: environment })
    return stdout
  }
  const line = 'casework case clo'
  const script = `${writeCompletion('bash')}
COMP_LINE='${line}'; COMP_POINT=${line.length}; _casework; echo "\${COMPREPLY[@]}"`
  assert.equal(inBash(script), 'close\n')
  const tag = 'casework tag show a:b'
  const ofTags = `casework() { echo a:bc; echo a:bd; }
${writeCompletion('bash')}
COMP_LINE='${tag}'; COMP_POINT=${tag.length}; _casework; echo "\${COMPREPLY[@]}"`
  assert.equal(inBash(ofTags), 'bc bd\n')
  const run = join(folder, 'run')
  inBash(`casework() { echo 'a:$(>${run})'; }
${writeCompletion('bash')}
COMP_LINE='${tag}'; COMP_POINT=${tag.length}; _casework`)
  assert.equal(existsSync(run), false, 'a name is no program')
})

it('completes in zsh at the first time too, as a file of $fpath', () => {
  const lines = writeCompletion('zsh').trimEnd().split('\n')
  assert.match(
    lines.at(-1) ?? '',
    /^if \[\[ "\$\{funcstack\[1\]\}" = _casework \]\]; then _casework "\$@"; /,
  )
})

it('there are scripts for bash, zsh and fish, and a usage failure for another shell', () => {
  for (const shell of ['bash', 'zsh', 'fish']) {
    assert.match(writeCompletion(shell), /casework complete .*-- /)
  }
  assert.throws(() => writeCompletion('tcsh'), /There is completion for bash, zsh, fish/)
})

it('the first help has every command under one heading', () => {
  const names = program
    .createHelp()
    .visibleCommands(program)
    .map((one) => one.name())
  const grouped = Object.values(COMMAND_GROUPS).flat()
  assert.deepEqual(new Set(grouped), new Set(names))
  assert.equal(grouped.length, names.length)
  const help = program.helpInformation()
  assert.ok(help.indexOf('Work cases:') < help.indexOf('Administer:'))
  assert.match(help, /\n {2}npx casework search /)
})

it('the manual page names every command, and no line of a text is a request of roff', () => {
  const page = writeManualPage(program)
  for (const name of ['case list', 'case close', 'lookup', 'api']) {
    assert.ok(page.includes(`.SS ${name}`), name)
  }
  for (const words of [
    '.B \\-\\-profile <name>',
    '.B CASEWORK_PROFILE',
    'casework/profiles.json',
    '.SH EXAMPLES',
  ]) {
    assert.equal(page.split(words).length, 2, words)
  }
  const requests = page.split('\n').filter((line) => /^[.']/.test(line))
  for (const line of requests) assert.match(line, /^\.(?:TH|SH|SS|TP|B|I|PP|nf|fi)\b/)
})
