// All commands that are one operation, and the words of their groups.

import type { Command } from 'commander'
import { addOperationCommands, type Groups } from './add-operation-commands.ts'
import { ADMIN_COMMANDS } from './admin-commands.ts'
import { CASE_COMMANDS } from './case-commands.ts'
import type { CommandSpec } from './command.ts'
import { INTEL_COMMANDS } from './intel-commands.ts'
import { PEOPLE_COMMANDS } from './people-commands.ts'

export const OPERATION_COMMANDS: readonly CommandSpec[] = [
  ...CASE_COMMANDS,
  ...INTEL_COMMANDS,
  ...ADMIN_COMMANDS,
  ...PEOPLE_COMMANDS,
]

/** Commands that are made by hand, by the operation that they are about. */
export const OTHER_COMMANDS: Readonly<Record<string, string>> = {
  lookupItem: 'lookup',
  quickCheck: 'check',
  explainItem: 'explain',
  searchRecords: 'search',
  openStream: 'watch',
  listSources: 'source list',
  putSource: 'source add',
  fetchSource: 'source fetch',
  deleteSource: 'source remove',
  deleteEntry: 'source delist',
  correctReport: 'report correct',
  takeReportAsAnswer: 'report take-as-answer',
  getRegressionCase: 'report regression-case',
  listSecrets: 'secret list',
  putSecret: 'secret set',
  deleteSecret: 'secret delete',
  importCustomers: 'import',
  importContracts: 'import',
  importResources: 'import',
  putContacts: 'import',
  pushNetworks: 'import',
  replaceEntries: 'import',
  previewTemplate: 'notice preview',
  listNotices: 'notice list',
  getNotice: 'notice show',
  resendNotice: 'notice resend',
  cancelNotice: 'notice cancel',
  listSuppressedAddresses: 'suppression list',
  putSuppressedAddress: 'suppression add',
  deleteSuppressedAddress: 'suppression remove',
  placeHold: 'privacy hold',
  liftHold: 'privacy lift',
  listHolds: 'privacy holds',
  eraseAddress: 'privacy erase',
  exportAddress: 'privacy export',
  listPlaybooks: 'playbook list',
  getPlaybook: 'playbook show',
  validatePlaybook: 'playbook validate',
  simulatePlaybook: 'playbook simulate',
  simulatePlaybookVersion: 'playbook simulate',
  importPlaybook: 'playbook import',
  exportPlaybook: 'playbook export',
  activatePlaybookVersion: 'playbook activate',
  listPlaybookTemplates: 'playbook templates',
  listTokens: 'token list',
  createToken: 'token create',
  revokeToken: 'token revoke',
  getReadyz: 'doctor',
}

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
  role: 'Roles: sets of scopes that tokens and people hold.',
  'service-account': 'Accounts of programs, which own tokens.',
  tenant: 'Tenants.',
  group: 'Groups of users, to whom cases are assigned.',
  'report-address': 'Addresses that take reports.',
  'case-group': 'Groups that gather events into cases.',
  mute: 'Rules that mute events.',
  template: 'Templates of mails.',
  webhook: 'Webhooks, and what they delivered.',
  mitigation: 'Mitigations of cases.',
  calendar: 'Calendars of business hours.',
}

/**
 * The only group or command that a command line can be about; null where it may be any. Most
 * commands need no other, and to make all of them takes as long as to start the program.
 */
export function findGroupAsked(program: Command, words: readonly string[]): string | null {
  // The completion of a shell asks for the words behind `--`, of which the last is unfinished.
  const asked = words[0] === 'complete' ? words.slice(words.indexOf('--') + 1, -1) : words
  const [first = ''] = asked
  const isKnown =
    program.commands.some((command) => command.name() === first) ||
    OPERATION_COMMANDS.some(({ name }) => name.split(' ')[0] === first)
  return isKnown && !ABOUT_ALL.has(first) ? first : null
}

const ABOUT_ALL: ReadonlySet<string> = new Set(['help', 'man'])

/** Those of one group, or all. */
export function addGroups(
  program: Command,
  setExitCode: (code: number) => void,
  only: string | null,
): void {
  const wanted = OPERATION_COMMANDS.filter(
    ({ name }) => only === null || name.split(' ')[0] === only,
  )
  addOperationCommands(program, wanted, GROUPS, setExitCode)
}
