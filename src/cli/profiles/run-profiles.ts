// `login`, `logout` and `profile …`: servers by name, with the token of this person.

import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'
import { createCasework } from '../../client/client.ts'
import { readEnvironment } from '../../kernel/config.ts'
import { askLine } from '../confirm.ts'
import { CommandFailure, chooseExitCodeForStatus, EXIT } from '../exit-codes.ts'
import { escapeControls, formatTable } from '../format-table.ts'
import { OUTPUTS, readOutput } from '../read-output.ts'
import { writeRead } from '../write-read.ts'
import { readTokenFile } from './choose-server.ts'
import { findProfileFile, readProfiles, writeProfiles } from './profile-store.ts'

type Flags = Readonly<Record<string, unknown>>

const NAME_PATTERN = /^[a-z0-9][a-z0-9._-]{0,63}$/

/** Asks for the token without showing it, tries it, and keeps it under the name. */
export async function runLogin(url: string, flags: Flags): Promise<void> {
  const address = URL.parse(url)
  if (address === null || !/^https?:$/.test(address.protocol)) {
    throw new CommandFailure(`"${url}" is not an http or https address.`, EXIT.usage)
  }
  const name = typeof flags['name'] === 'string' ? flags['name'] : address.hostname
  if (!NAME_PATTERN.test(name)) {
    throw new CommandFailure(
      'A profile is named by small letters, digits, dots and hyphens: say --name.',
      EXIT.usage,
    )
  }
  const file = flags['tokenFile']
  const token = typeof file === 'string' ? readTokenFile(file) : await askToken()
  const who = await tryToken(url, token)
  const environment = readEnvironment()
  const { profiles } = readProfiles(environment)
  const server = url.replace(/\/$/, '')
  writeProfiles(environment, {
    current: name,
    profiles: { ...profiles, [name]: { url: server, token } },
  })
  process.stderr.write(
    `Logged in to ${address.origin} as ${escapeControls(who)}; the profile "${name}" is in use. It is kept in ${findProfileFile(environment)}.\n`,
  )
}

async function askToken(): Promise<string> {
  if (!process.stdin.isTTY) {
    throw new CommandFailure(
      'Nobody can be asked for the token: give it by --token-file, or `--token-file -` for standard input.',
      EXIT.usage,
    )
  }
  // The terminal shows what readline writes, so what it writes after the question is dropped.
  let isShown = true
  const output = new Writable({
    write(chunk: Buffer, _encoding, done) {
      if (isShown) process.stderr.write(chunk)
      done()
    },
  })
  const lines = createInterface({ input: process.stdin, output, terminal: true })
  try {
    const answer = askLine(lines, 'Token: ')
    isShown = false
    const token = (await answer).trim()
    process.stderr.write('\n')
    if (token !== '') return token
  } finally {
    lines.close()
  }
  throw new CommandFailure('No token was given.', EXIT.credential)
}

/** The name that the server knows the token by. */
async function tryToken(url: string, token: string): Promise<string> {
  try {
    const who = await createCasework({ url, token }).get('/beta/whoami')
    return who.name
  } catch (error) {
    const status: unknown = Object(error).status
    if (status === 0) throw new CommandFailure(`${url} does not answer.`, EXIT.network, error)
    if (typeof status !== 'number') throw error
    const message = error instanceof Error ? error.message : ''
    throw new CommandFailure(`${message} Nothing was kept.`, chooseExitCodeForStatus(status), error)
  }
}

/** Forgets a profile, the one in use when none is named. The token itself stays good. */
export function runLogout(given: string | undefined): void {
  const environment = readEnvironment()
  const { current, profiles } = readProfiles(environment)
  const name = given ?? current
  if (name === null || profiles[name] === undefined) {
    throw new CommandFailure(
      given === undefined ? 'No profile is in use.' : `There is no profile "${given}".`,
      EXIT.notFound,
    )
  }
  const { [name]: _, ...others } = profiles
  writeProfiles(environment, { current: current === name ? null : current, profiles: others })
  process.stderr.write(
    `The profile "${name}" is forgotten; its token is good until it is revoked.\n`,
  )
}

export function runProfileList(flags: Flags): void {
  const output = readOutput(flags, OUTPUTS)
  const { current, profiles } = readProfiles(readEnvironment())
  const rows = Object.entries(profiles).map(([name, { url }]) => {
    return { name, url, in_use: name === current }
  })
  if (rows.length === 0) {
    process.stderr.write('There is no profile; `npx casework login` makes one.\n')
  }
  const formatForPeople = (): string =>
    rows.length === 0 ? '' : formatTable(['name', 'url', 'in_use'], rows)
  writeRead(output, { document: rows, formatForPeople })
}

export function runProfileUse(name: string): void {
  const environment = readEnvironment()
  const { profiles } = readProfiles(environment)
  if (profiles[name] === undefined) {
    throw new CommandFailure(`There is no profile "${name}".`, EXIT.notFound)
  }
  writeProfiles(environment, { current: name, profiles })
  process.stderr.write(`The profile "${name}" is in use.\n`)
}
