// `login`, `logout` and `profile …`: servers by name, with the token of this person.

import { createCasework } from '../../client/client.ts'
import { readEnvironment } from '../../kernel/config.ts'
import { CommandFailure, chooseExitCodeForStatus, EXIT } from '../exit-codes.ts'
import { escapeControls, formatTable } from '../format-table.ts'
import { OUTPUTS, readOutput } from '../read-output.ts'
import { writeRead } from '../write-read.ts'
import { askHidden, askShown } from './ask-hidden.ts'
import { readTokenFile } from './choose-server.ts'
import { logInByBrowser, logInByPassword } from './log-in.ts'
import { changeProfiles, findProfile, findProfileFile, readProfiles } from './profile-store.ts'

type Flags = Readonly<Record<string, unknown>>

const NAME_PATTERN = /^[a-z0-9][a-z0-9._-]{0,63}$/

/** Gets a token by one of the ways, tries it, and keeps it under the name. */
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
  const server = url.replace(/\/$/, '')
  const environment = readEnvironment()
  // A file that cannot be read is told before a token is made that could not be kept.
  readProfiles(environment)
  const { who, token } = await explainRefusals(url, () => getToken(server, flags))
  await changeProfiles(environment, ({ profiles }) => ({
    current: name,
    profiles: { ...profiles, [name]: { url: server, token } },
  }))
  process.stderr.write(
    `Logged in to ${address.origin} as ${escapeControls(who)}; the profile "${name}" is in use. It is kept in ${findProfileFile(environment)}.\n`,
  )
}

const UNASKED =
  'Nobody can be asked here: say --token-file -, --by browser, or --email with --password-file.'

const CODE_QUESTION = 'Code of your authenticator app, or a recovery code: '
const CODE_UNASKED =
  'Your account has a second factor, and nobody can be asked for its code here. Run the command at a terminal, or say --by browser or --token-file -.'

/** The token with the name that the server knows it by. */
async function getToken(url: string, flags: Flags) {
  const token = await chooseWay(url, flags)
  const { name, person } = await createCasework({ url, token }).get('/beta/whoami')
  return { token, who: person?.name ?? name }
}

const WAYS = ['password', 'browser', 'token']

async function chooseWay(url: string, flags: Flags): Promise<string> {
  const { by, tokenFile, email, passwordFile } = flags
  if (by !== undefined && (typeof by !== 'string' || !WAYS.includes(by))) {
    throw new CommandFailure('--by is password, browser or token.', EXIT.usage)
  }
  if (typeof tokenFile === 'string') return readTokenFile(tokenFile)
  if (by === 'token') return await askNonEmpty('Token: ')
  if (by === 'browser') return await logInByBrowser(url)
  const given =
    typeof email === 'string'
      ? email
      : await askShown('E-mail address (empty: approve the login in a browser): ', UNASKED)
  if (given === '') return await logInByBrowser(url)
  const password =
    typeof passwordFile === 'string' ? readTokenFile(passwordFile) : await askNonEmpty('Password: ')
  const askCode = () => askNonEmpty(CODE_QUESTION, CODE_UNASKED)
  return await logInByPassword(url, { email: given, password, askCode })
}

async function askNonEmpty(question: string, otherwise = UNASKED): Promise<string> {
  const text = await askHidden(question, otherwise)
  if (text === '') throw new CommandFailure('Nothing was given.', EXIT.credential)
  return text
}

async function explainRefusals<Result>(url: string, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    const status: unknown = Object(error).status
    if (status === 0) throw new CommandFailure(`${url} does not answer.`, EXIT.network, error)
    if (typeof status !== 'number') throw error
    const message = error instanceof Error ? error.message : ''
    throw new CommandFailure(`${message} Nothing was kept.`, chooseExitCodeForStatus(status), error)
  }
}

/**
 * Revokes the token of a login, and forgets the profile, the one in use when none is named. A token
 * that no login made stays good.
 */
export async function runLogout(given: string | undefined, flags: Flags): Promise<void> {
  const environment = readEnvironment()
  const known = readProfiles(environment)
  const name = given ?? known.current
  const profile = name === null ? null : findProfile(known, name)
  if (name === null || profile === null) {
    throw new CommandFailure(
      given === undefined ? 'No profile is in use.' : `There is no profile "${given}".`,
      EXIT.notFound,
    )
  }
  const fate = await endToken(profile, flags['force'] === true)
  await changeProfiles(environment, ({ current, profiles }) => {
    const { [name]: _, ...others } = profiles
    return { current: current === name ? null : current, profiles: others }
  })
  process.stderr.write(`The profile "${name}" is forgotten; ${fate}.\n`)
}

const STAYS = 'its token is good until it is revoked'

/** What became of the token. Throws exit code 7 when the server does not say. */
async function endToken(
  { url, token }: { readonly url: string; readonly token: string | null },
  isForced: boolean,
): Promise<string> {
  if (token === null) return 'it had no token'
  try {
    await createCasework({ url, token }).delete('/beta/whoami')
    return 'its token is revoked'
  } catch (error) {
    const status: unknown = Object(error).status
    if (status === 404) return STAYS
    if (status === 401) return 'its token was no longer good'
    if (isForced) return STAYS
    throw new CommandFailure(
      `${url} does not revoke the token; try again, or say --force to forget the profile all the same.`,
      EXIT.network,
      error,
    )
  }
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

export async function runProfileUse(name: string): Promise<void> {
  await changeProfiles(readEnvironment(), (known) => {
    if (findProfile(known, name) === null) {
      throw new CommandFailure(`There is no profile "${name}".`, EXIT.notFound)
    }
    return { ...known, current: name }
  })
  process.stderr.write(`The profile "${name}" is in use.\n`)
}
