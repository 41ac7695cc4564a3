// The file of profiles: servers by name with the token of this person, readable by no one else
// (XDG base directories: `$XDG_CONFIG_HOME/casework/profiles.json`).

import { mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
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

/** Null when there is none of this name; a text of a person may be `constructor`. */
export function findProfile({ profiles }: Profiles, name: string): Profile | null {
  return Object.hasOwn(profiles, name) ? (profiles[name] ?? null) : null
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

/**
 * Replaces the file by what `change` makes of it. Two programs that do so at once wait for each
 * other, or one would lose what the other has kept.
 */
export async function changeProfiles(
  environment: Values,
  change: (profiles: Profiles) => Profiles,
): Promise<void> {
  const file = findProfileFile(environment)
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  const lock = `${file}.lock`
  await takeLock(lock)
  try {
    writeProfiles(file, change(readProfiles(environment)))
  } finally {
    rmSync(lock, { force: true })
  }
}

// A lock is held for milliseconds. One that is older was left by a program that was killed.
const LOCK_LIFE_MS = 5_000
const LOCK_PAUSE_MS = 20
// Two lives of a lock, for the clocks of files that are somewhat off.
const LOCK_ATTEMPTS = (2 * LOCK_LIFE_MS) / LOCK_PAUSE_MS

async function takeLock(lock: string): Promise<void> {
  for (let attempt = 0; attempt < LOCK_ATTEMPTS; attempt += 1) {
    try {
      writeFileSync(lock, '', { flag: 'wx', mode: 0o600 })
      return
    } catch (error) {
      if (!hasErrorCode(error, 'EEXIST')) throw error
    }
    const found = statSync(lock, { throwIfNoEntry: false })
    if (found !== undefined && Date.now() - found.mtimeMs > LOCK_LIFE_MS) {
      rmSync(lock, { force: true })
    }
    // oxlint-disable-next-line eslint/no-await-in-loop
    await sleep(LOCK_PAUSE_MS)
  }
  throw new CommandFailure(`${lock} is kept by another program; remove it.`, EXIT.failure)
}

/** Replaces the file at once, with mode 0600. */
function writeProfiles(file: string, profiles: Profiles): void {
  const next = `${file}.${process.pid}`
  writeFileSync(next, `${JSON.stringify(profiles, null, 2)}\n`, { mode: 0o600 })
  renameSync(next, file)
}
