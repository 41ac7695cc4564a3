// A sighting rule as operators read and write it (an addition to the threat-intelligence group).

import { type Static, Type } from 'typebox'
import { named } from '../../vocabulary/named-schema.ts'
import type { RuleHistoryEntry, StoredRule } from './sighting-rule-store.ts'

const Word = Type.String({
  pattern: '^[A-Za-z0-9][A-Za-z0-9._:+/-]{0,63}$',
  description: 'Letters, digits and . _ : + / -, at most 64.',
})

const MEMBERS = {
  kind: Type.String({
    pattern: '^[a-z0-9](?:[a-z0-9-]{0,62}[a-z0-9])?$',
    description: 'Kind of the sightings that it counts: honeypot, spamtrap, report …',
  }),
  types: Type.Array(Word, {
    minItems: 1,
    maxItems: 100,
    description: 'Types of sightings; of reports, the event types.',
  }),
  services: Type.Optional(
    Type.Array(Word, {
      minItems: 1,
      maxItems: 100,
      description:
        'Left out: any service, also none. Of reports, `unverified` stands for reporters who are not trusted, and only a rule that names it counts them.',
    }),
  ),
  countMin: Type.Integer({
    minimum: 1,
    maximum: 1_000_000_000,
    description: 'The tag is set from so many observations on.',
  }),
  sourcesMin: Type.Integer({
    minimum: 1,
    maximum: 1_000,
    description: 'They must come from so many sources; of reports, from so many reporters.',
  }),
  withinSeconds: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 2_000_000_000,
      description: 'Only sightings of this time count; left out, those of the look-back.',
    }),
  ),
  tags: Type.Array(Type.String(), {
    minItems: 1,
    maxItems: 20,
    description:
      'Tags of the catalogue. A rule of unverified reports sets none that is malicious or benign.',
  }),
}

/** The rule as an operator sends it; its name is in the path. */
export const NewSightingRule = named(
  'NewSightingRule',
  Type.Object(
    { ...MEMBERS, enabled: Type.Optional(Type.Boolean({ default: true })) },
    { additionalProperties: false },
  ),
)
export type NewSightingRule = Static<typeof NewSightingRule>

export const SightingRulePatch = named(
  'SightingRulePatch',
  Type.Object(
    {
      kind: Type.Optional(MEMBERS.kind),
      types: Type.Optional(MEMBERS.types),
      services: Type.Optional(Type.Union([MEMBERS.services, Type.Null()])),
      countMin: Type.Optional(MEMBERS.countMin),
      sourcesMin: Type.Optional(MEMBERS.sourcesMin),
      withinSeconds: Type.Optional(Type.Union([MEMBERS.withinSeconds, Type.Null()])),
      tags: Type.Optional(MEMBERS.tags),
      enabled: Type.Optional(Type.Boolean()),
    },
    { additionalProperties: false, minProperties: 1 },
  ),
)
export type SightingRulePatch = Static<typeof SightingRulePatch>

export const SightingRuleRecord = named(
  'SightingRule',
  Type.Object({
    name: Type.String(),
    ...MEMBERS,
    enabled: Type.Boolean(),
    origin: Type.Union([Type.Literal('shipped'), Type.Literal('edited'), Type.Literal('own')], {
      description:
        'shipped: as the program brings it; edited: a shipped one that somebody changed.',
    }),
    version: Type.Integer({ description: 'Also the ETag of the rule.' }),
  }),
)
export type SightingRuleRecord = Static<typeof SightingRuleRecord>

export const SightingRuleList = named(
  'SightingRuleList',
  Type.Object({ rules: Type.Array(SightingRuleRecord) }),
)

export function presentRule(
  { rule, isEnabled, isEdited, version }: StoredRule,
  isShipped: boolean,
): SightingRuleRecord {
  const { name, kind, types, services, countMin, sourcesMin, withinSeconds, tags } = rule
  return {
    name,
    kind,
    types: [...types],
    ...(services === undefined ? {} : { services: [...services] }),
    countMin,
    sourcesMin,
    ...(withinSeconds === undefined ? {} : { withinSeconds }),
    tags: [...tags],
    enabled: isEnabled,
    origin: isShipped ? nameOrigin(isEdited) : 'own',
    version,
  }
}

function nameOrigin(isEdited: boolean): 'edited' | 'shipped' {
  return isEdited ? 'edited' : 'shipped'
}

const RuleMembers = Type.Union([Type.Object({}, { additionalProperties: true }), Type.Null()])

export const SightingRuleHistory = named(
  'SightingRuleHistory',
  Type.Object({
    name: Type.String(),
    changes: Type.Array(
      Type.Object({
        at: Type.String({ format: 'date-time' }),
        kind: Type.Union([
          Type.Literal('created'),
          Type.Literal('changed'),
          Type.Literal('reset'),
          Type.Literal('deleted'),
        ]),
        actor: Type.String({ description: 'Id of the token.' }),
        before: RuleMembers,
        after: RuleMembers,
      }),
      { description: 'The newest first, at most 200.' },
    ),
  }),
)

export function presentRuleChanges(
  name: string,
  entries: readonly RuleHistoryEntry[],
): Static<typeof SightingRuleHistory> {
  return {
    name,
    changes: entries.map(({ at, kind, actor, before, after }) => ({
      at: at.toISOString(),
      kind,
      actor,
      before,
      after,
    })),
  }
}
