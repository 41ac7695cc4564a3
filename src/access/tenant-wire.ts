// The wire of tenants (design section 9): the hard wall between owners of cases.

import { type Static, Type } from 'typebox'
import { named } from '../vocabulary/named-schema.ts'
import { pageOf } from '../vocabulary/page-wire.ts'
import type { TenantRecord } from './tenant-store.ts'

const DAYS = { minimum: 1, maximum: 36_500 }

export const RetentionSettings = named(
  'RetentionSettings',
  Type.Object(
    {
      raw_report_days: Type.Optional(
        Type.Integer({ ...DAYS, description: 'Bytes of reports, from their arrival.' }),
      ),
      event_days: Type.Optional(
        Type.Integer({
          ...DAYS,
          description:
            'Events that are in no open case, and the records of reports, from their arrival.',
        }),
      ),
      case_days: Type.Optional(
        Type.Integer({
          ...DAYS,
          description: 'Ended cases with everything on them, from their end.',
        }),
      ),
      audit_days: Type.Optional(
        Type.Integer({
          ...DAYS,
          description:
            'The history of case groups and mute rules, and legal holds that were lifted, from then on.',
        }),
      ),
    },
    {
      additionalProperties: false,
      description: 'What is left out is kept for ever.',
    },
  ),
)

const Unmatched = Type.Union([Type.Literal('item_is_customer'), Type.Literal('unassigned')], {
  description:
    'What becomes of an event that nobody is known to be responsible for: its address or domain is the customer, or it stays unassigned. When left out, the former while the tenant has no resources, then the latter.',
})

const ReportersMin = Type.Integer({
  minimum: 2,
  maximum: 16,
  description:
    'Reports of reporters who are not trusted write sightings from so many distinct ones on; 3 when left out.',
})

const LegalDeadlines = Type.Array(Type.Union([Type.Literal('dsa'), Type.Literal('nis2')]), {
  uniqueItems: true,
  maxItems: 2,
  description:
    'The laws whose deadlines cases have that are opened from now on; none when left out. dsa: receipt and notice to an authority. nis2: early warning, notification and final report.',
})

const VerifyTargets = Type.Boolean({
  description:
    'Nodes `verify` of playbooks may ask pages, names and ports that were reported; not when left out.',
})

const SecondFactorRequired = Type.Boolean({
  description:
    'People who work in the tenant must have a second factor; one without can do nothing there but set one up. Those who sign in with a provider are asked for a factor there. Not when left out, unless the instance requires one.',
})

const TenantSettings = named(
  'TenantSettings',
  Type.Object({
    unmatched: Type.Optional(Unmatched),
    legal_deadlines: Type.Optional(LegalDeadlines),
    retention: Type.Optional(RetentionSettings),
    unverified_reporters_min: Type.Optional(ReportersMin),
    verify_targets: Type.Optional(VerifyTargets),
    second_factor_required: Type.Optional(SecondFactorRequired),
  }),
)
export type TenantSettings = Static<typeof TenantSettings>

export const Tenant = named(
  'Tenant',
  Type.Object({
    id: Type.String(),
    name: Type.String(),
    settings: Type.Object({
      ...TenantSettings.properties,
      share_sightings: Type.Boolean({
        description: 'Accepted reports write sightings, which look-ups of all tenants see.',
      }),
      share_sightings_origin: Type.Union([Type.Literal('default'), Type.Literal('person')], {
        description:
          'default: on only while there is one tenant and look-ups need a token or are bound to loopback; a start or a second tenant that ends this switches it off. person: as somebody set it.',
      }),
    }),
    created_at: Type.String({ format: 'date-time' }),
  }),
)
export const TenantPage = pageOf(Tenant)

/** The tenant as the administration sees it. */
export function presentTenant(tenant: TenantRecord): Static<typeof Tenant> {
  return {
    id: tenant.id,
    name: tenant.name,
    settings: {
      ...tenant.settings,
      share_sightings: tenant.sharing.isOn,
      share_sightings_origin: tenant.sharing.origin,
    },
    created_at: tenant.createdAt.toISOString(),
  }
}

export const NewTenant = named(
  'NewTenant',
  Type.Object(
    {
      id: Type.String({
        pattern: '^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$',
        description: 'Lower-case letters, digits and hyphens, as in a host name.',
      }),
      name: Type.String({ minLength: 1, maxLength: 200 }),
    },
    { additionalProperties: false },
  ),
)

export const TenantPatch = named(
  'TenantPatch',
  Type.Object(
    {
      name: Type.Optional(Type.String({ minLength: 1, maxLength: 200 })),
      settings: Type.Optional(
        Type.Object(
          {
            unmatched: Type.Optional(Type.Union([...Unmatched.anyOf, Type.Null()])),
            legal_deadlines: Type.Optional(Type.Union([LegalDeadlines, Type.Null()])),
            retention: Type.Optional(Type.Union([RetentionSettings, Type.Null()])),
            unverified_reporters_min: Type.Optional(Type.Union([ReportersMin, Type.Null()])),
            verify_targets: Type.Optional(Type.Union([VerifyTargets, Type.Null()])),
            second_factor_required: Type.Optional(Type.Union([SecondFactorRequired, Type.Null()])),
            share_sightings: Type.Optional(Type.Union([Type.Boolean(), Type.Null()])),
          },
          { additionalProperties: false },
        ),
      ),
    },
    { additionalProperties: false, minProperties: 1 },
  ),
)
