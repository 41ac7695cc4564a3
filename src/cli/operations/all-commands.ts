// All commands that are one operation, and the words of their groups.

import type { Command } from 'commander'
import { addOperationCommands, type Groups } from './add-operation-commands.ts'
import { ADMIN_COMMANDS } from './admin-commands.ts'
import { CASE_COMMANDS } from './case-commands.ts'
import type { CommandSpec } from './command.ts'
import { INTEL_COMMANDS } from './intel-commands.ts'

export const OPERATION_COMMANDS: readonly CommandSpec[] = [
  ...CASE_COMMANDS,
  ...INTEL_COMMANDS,
  ...ADMIN_COMMANDS,
]

const GROUPS: Groups = {
  case: 'Work cases: find, show, comment, assign, move, close, merge.',
  event: 'Find and push events.',
  customer: 'The customers whose services are reported.',
  contract: 'The contracts of customers.',
  resource: 'The addresses, ranges and domains of customers.',
  run: 'Runs of playbooks: what waits, what failed; cancel, pause, resume.',
  view: 'Saved views.',
  tag: 'Tags of addresses and domains.',
  list: 'Entries of blocklists and allow-lists.',
  sighting: 'Sightings of sensors.',
  'sighting-rule': 'Rules that make tags of sightings.',
  tenant: 'Tenants.',
  'report-address': 'Addresses that take reports.',
  'case-group': 'Groups that gather events into cases.',
  mute: 'Rules that mute events.',
  template: 'Templates of mails.',
  webhook: 'Webhooks, and what they delivered.',
  mitigation: 'Mitigations of cases.',
  calendar: 'Calendars of business hours.',
}

export function addGroups(program: Command, setExitCode: (code: number) => void): void {
  addOperationCommands(program, OPERATION_COMMANDS, GROUPS, setExitCode)
}
