// The settings of kernel/settings.ts as flags of a command, and the configuration from flags,
// environment and casework.toml.

import type { Command } from 'commander'
import { type LoadedConfig, loadConfig, readEnvironment } from '../kernel/config.ts'
import { SETTINGS, type SettingName } from '../kernel/settings.ts'

/** `--demo` alone means on. */
const SWITCHES: ReadonlySet<SettingName> = new Set(['demo'])

/** Adds `--data-dir`, `--port` and so on: the named settings, or all. */
export function addSettingFlags(
  command: Command,
  names: readonly SettingName[] = listSettings(),
): Command {
  for (const name of names) {
    const value = SWITCHES.has(name) ? '[value]' : '<value>'
    command.option(`--${name.replaceAll('_', '-')} ${value}`, SETTINGS[name].meaning)
  }
  return command.option(
    '--config <file>',
    'Configuration file (default: ./casework.toml if there is one).',
  )
}

export function listSettings(): readonly SettingName[] {
  // Object.keys forgets the key type; the table is the type.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return Object.keys(SETTINGS) as SettingName[]
}

/** The configuration of this run; throws one operating error that names everything wrong. */
export function loadConfigFromFlags(flags: Readonly<Record<string, unknown>>): LoadedConfig {
  const environment = readEnvironment()
  const given: Partial<Record<string, string>> = {}
  for (const name of listSettings()) {
    const value = flags[toCamelCase(name)]
    if (typeof value === 'string') given[name] = value
    else if (value === true) given[name] = 'on'
  }
  const named = flags['config'] ?? environment['CASEWORK_CONFIG']
  const file =
    typeof named === 'string' && named !== ''
      ? { path: named, isRequired: true }
      : { path: 'casework.toml', isRequired: false }
  return loadConfig({ flags: given, environment, file })
}

function toCamelCase(name: string): string {
  return name.replaceAll(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase())
}
