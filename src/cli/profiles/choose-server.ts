// Which server a command talks to, and with which token: flags stand above the environment, the
// environment above the profile in use. Without any of them it is the server on the data folder.

import { readFileSync } from 'node:fs'
import { CommandFailure, EXIT } from '../exit-codes.ts'
import { readInput } from '../open-input.ts'
import { findProfile, readProfiles } from './profile-store.ts'

export interface ServerChoice {
  readonly url: string
  readonly token: string | null
  /** The name of the profile that it comes from. */
  readonly profile: string | null
}

type Values = Readonly<Record<string, unknown>>

/** Null for the server on the data folder. */
export function chooseServer(flags: Values, environment: Values): ServerChoice | null {
  const url = readText(flags['url'])
  const named = readText(flags['profile']) ?? (url === null ? findNamed(environment) : null)
  if (named !== null && url === null) return fromProfile(named, flags, environment)
  const address = url ?? readText(environment['CASEWORK_URL'])
  if (address !== null) {
    return { url: address, token: readToken(flags, environment), profile: null }
  }
  // `--data-dir` asks for the server on that folder, whoever is logged in elsewhere.
  if (readText(flags['dataDir']) !== null) return null
  const { current } = readProfiles(environment)
  return current === null ? null : fromProfile(current, flags, environment)
}

function findNamed(environment: Values): string | null {
  return readText(environment['CASEWORK_PROFILE'])
}

function fromProfile(name: string, flags: Values, environment: Values): ServerChoice {
  const profile = findProfile(readProfiles(environment), name)
  if (profile === null) {
    throw new CommandFailure(
      `There is no profile "${name}": \`npx casework profile list\` shows all, \`npx casework login\` makes one.`,
      EXIT.usage,
    )
  }
  const file = readText(flags['tokenFile'])
  const token = file === null ? profile.token : readTokenFile(file)
  return { url: profile.url, token, profile: name }
}

/** Of `--token-file`, else of the environment; null for none. */
function readToken(flags: Values, environment: Values): string | null {
  const file = readText(flags['tokenFile'])
  if (file !== null) return readTokenFile(file)
  const token = environment['CASEWORK_TOKEN']
  if (token === '') {
    throw new CommandFailure(
      'CASEWORK_TOKEN is empty: set it to a token of the server, or unset it.',
      EXIT.credential,
    )
  }
  const ofEnvironment = readText(environment['CASEWORK_TOKEN_FILE'])
  if (typeof token === 'string') return token
  return ofEnvironment === null ? null : readTokenFile(ofEnvironment)
}

/** The first line of a file; `-` is standard input. */
export function readTokenFile(file: string): string {
  const text = readWhole(file).split('\n')[0]?.trim() ?? ''
  if (text !== '') return text
  throw new CommandFailure(`There is no token in ${file}.`, EXIT.credential)
}

function readWhole(file: string): string {
  try {
    return file === '-' ? readInput('the token').toString('utf8') : readFileSync(file, 'utf8')
  } catch (error) {
    if (error instanceof CommandFailure) throw error
    throw new CommandFailure(`The token file ${file} cannot be read.`, EXIT.credential, error)
  }
}

function readText(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null
}
