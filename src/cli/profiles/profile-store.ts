// The file of profiles: servers by name with the token of this person, readable by no one else
// (XDG base directories: `$XDG_CONFIG_HOME/casework/profiles.json`).

import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { hasErrorCode } from '../../kernel/system-error.ts'
import { CommandFailure, EXIT } from '../exit-codes.ts'

interface Profile {
  readonly url: string
  readonly token: string | null
}

export interface Profiles {
  /** The one that is used when nothing else is said. */
  readonly current: string | null
  readonly profiles: Readonly<Record<string, Profile>>
}

type Values = Readonly<Record<string, unknown>>

const NONE: Profiles = { current: null, profiles: {} }

export function findProfileFile(environment: Values): string {
  const base = environment['XDG_CONFIG_HOME']
  const folder = typeof base === 'string' && base !== '' ? base : join(homedir(), '.config')
  return join(folder, 'casework', 'profiles.json')
}

/** None where there is no file. Throws when the file is not one of ours. */
export function readProfiles(environment: Values): Profiles {
  const file = findProfileFile(environment)
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch (error) {
    if (hasErrorCode(error, 'ENOENT', 'ENOTDIR')) return NONE
    throw new CommandFailure(`The profiles in ${file} cannot be read.`, EXIT.usage, error)
  }
  try {
    return parseProfiles(JSON.parse(text))
  } catch (error) {
    throw new CommandFailure(`${file} is not a file of profiles; remove it.`, EXIT.usage, error)
  }
}

function parseProfiles(value: unknown): Profiles {
  const { current, profiles }: Values = { ...Object(value) }
  const found = Object.entries(Object(profiles)).map(([name, profile]): [string, Profile] => {
    const { url, token }: Values = { ...Object(profile) }
    if (typeof url !== 'string') throw new Error(`the profile ${name} has no address`)
    return [name, { url, token: typeof token === 'string' ? token : null }]
  })
  const byName = Object.fromEntries(found)
  return {
    current: typeof current === 'string' && Object.hasOwn(byName, current) ? current : null,
    profiles: byName,
  }
}

/** Replaces the file at once, with mode 0600 in a folder of mode 0700. */
export function writeProfiles(environment: Values, profiles: Profiles): void {
  const file = findProfileFile(environment)
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  const next = `${file}.${process.pid}`
  writeFileSync(next, `${JSON.stringify(profiles, null, 2)}\n`, { mode: 0o600 })
  renameSync(next, file)
}
