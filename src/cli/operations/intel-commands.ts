// The commands for those who keep the lists: tags, entries of blocklists, sightings, sources.

import type { CommandSpec } from './command.ts'

export const INTEL_COMMANDS: readonly CommandSpec[] = [
  {
    name: 'tag list',
    operation: 'listTags',
    about: 'List the tags that addresses and domains may have.',
    examples: ['tag list', 'tag list -o csv'],
    columns: ['name', 'intent', 'category', 'description'],
  },
  {
    name: 'tag show',
    operation: 'getTag',
    about: 'Show a tag.',
    examples: ['tag show credentials:ssh-brute-force'],
    arguments: ['tag'],
  },
  {
    name: 'tag items',
    operation: 'listTagged',
    about: 'List the addresses and domains that have a tag, one a line.',
    examples: ['tag items credentials:ssh-brute-force --all > scanners.txt'],
    arguments: ['tag'],
    columns: ['value'],
  },
  {
    name: 'tag set',
    operation: 'putTag',
    about: 'Make or change a tag.',
    examples: [
      'tag set scan:own-range --intent malicious --category activity --description "Scans our range"',
    ],
    arguments: ['tag'],
  },
  {
    name: 'tag delete',
    operation: 'deleteTag',
    about: 'Delete a tag.',
    examples: ['tag delete scan:own-range --yes'],
    arguments: ['tag'],
    question: 'Delete the tag {tag}?',
  },
  {
    name: 'tag add',
    operation: 'pushTaggings',
    about: 'Put a tag on an address, a range or a domain.',
    examples: ['tag add 198.51.100.7 --tag scan:own-range --source our-sensors'],
    text: 'item',
    required: ['tag', 'source'],
  },
  {
    name: 'list entries',
    operation: 'listEntries',
    about: 'List the entries of a list.',
    examples: ['list entries mail-blocklist our-list --all > our-list.txt'],
    arguments: ['kind', 'list'],
  },
  {
    name: 'list add',
    operation: 'pushListings',
    about: 'Put an address, a range or a domain on a blocklist.',
    examples: ['list add 198.51.100.7 --list our-list --source our-desk --reason "Spam"'],
    text: 'item',
    required: ['list', 'source'],
  },
  {
    name: 'list allow',
    operation: 'pushAllowances',
    about: 'Put an address, a range or a domain on an allow-list.',
    examples: [
      'list allow 198.51.100.7 --list our-servers --source our-desk --reason "Our own mail server"',
    ],
    text: 'item',
    required: ['list', 'source'],
  },
  {
    name: 'delist',
    operation: 'pushListings',
    about: 'Take an address, a range or a domain off a blocklist.',
    examples: [
      'delist 198.51.100.7 --list our-list --source our-desk --reason "The owner mended it"',
    ],
    text: 'item',
    fixed: { status: 'inactive' },
    required: ['list', 'source'],
    without: ['expires', 'firstSeen', 'lastSeen'],
    question: 'Take it off the list {list}?',
  },
  {
    name: 'sighting add',
    operation: 'pushSightings',
    about: 'Push a sighting: a sensor saw an address or a domain attack.',
    required: ['kind', 'type', 'lastSeen', 'source'],
    examples: [
      'sighting add 198.51.100.7 --kind honeypot --type login-attack --last-seen now --source our-sensors',
    ],
    text: 'item',
  },
  {
    name: 'range',
    operation: 'getRange',
    about: 'Show what is known of the addresses in a range.',
    examples: ['range 198.51.100.0/24', 'range 198.51.100.0/24 -o csv'],
    arguments: ['cidr'],
  },
  {
    name: 'changes',
    operation: 'listChanges',
    about: 'List the changes of intel after a number.',
    examples: ['changes --after 0 --limit 1000 -o jsonl'],
  },
  {
    name: 'source show',
    operation: 'getSource',
    about: 'Show a source: its state, counts and last error.',
    examples: ['source show mail-blocklist our-list'],
    arguments: ['kind', 'source'],
  },
  {
    name: 'sighting-rule list',
    operation: 'listSightingRules',
    about: 'List the rules that make tags of sightings.',
    examples: ['sighting-rule list'],
  },
  {
    name: 'sighting-rule show',
    operation: 'getSightingRule',
    about: 'Show a rule.',
    examples: ['sighting-rule show ssh'],
    arguments: ['rule'],
  },
]
