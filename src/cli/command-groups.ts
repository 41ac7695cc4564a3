// The headings of the first help, by what a person wants to do; the daily work comes first.

import type { Command } from 'commander'

export const COMMAND_GROUPS: Readonly<Record<string, readonly string[]>> = {
  'Work cases:': [
    'case',
    'search',
    'event',
    'report',
    'trigger',
    'customer',
    'contract',
    'resource',
    'notice',
    'mitigation',
    'playbook',
    'run',
    'view',
    'stats',
    'watch',
  ],
  'Look up and list:': [
    'lookup',
    'check',
    'explain',
    'analyze',
    'filter',
    'range',
    'tag',
    'list',
    'delist',
    'sighting',
    'sighting-rule',
    'source',
    'import',
    'changes',
  ],
  'Log in and connect:': ['login', 'logout', 'profile', 'whoami', 'api', 'mcp'],
  'Administer:': [
    'user',
    'group',
    'role',
    'token',
    'service-account',
    'tenant',
    'case-group',
    'mute',
    'template',
    'suppression',
    'report-address',
    'calendar',
    'webhook',
    'secret',
    'privacy',
    'audit',
  ],
  'Run the service:': [
    'serve',
    'config',
    'doctor',
    'migrate',
    'backup',
    'restore',
    'demo',
    'examples',
    'completion',
    'man',
    'help',
  ],
}

const HEADINGS = Object.keys(COMMAND_GROUPS)

/** The commands of the program by their headings; those of a group of commands stay as they are. */
export function groupCommands(
  command: Command,
  visible: readonly Command[],
): ReadonlyMap<string, readonly Command[]> {
  if (command.parent !== null) return new Map([['Commands:', visible]])
  const named = HEADINGS.map((heading): [string, readonly Command[]] => [
    heading,
    (COMMAND_GROUPS[heading] ?? []).flatMap((name) => visible.filter((one) => one.name() === name)),
  ])
  return new Map(named)
}
