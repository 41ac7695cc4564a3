// The wire of a tenant's resolver: the operator's own service that says whose something was
// (docs/guides/customers.md).

import { Type } from 'typebox'

const Url = Type.String({
  minLength: 1,
  maxLength: 2_000,
  description:
    'Where questions are sent by POST. https, or http to a host and port that CASEWORK_OUTBOUND_ALLOW names.',
})
const HeaderName = Type.String({
  minLength: 1,
  maxLength: 100,
  description: 'A header that goes with every question, such as authorization.',
})

export const OwnerResolverAnswer = Type.Object({
  url: Type.String(),
  header_name: Type.Optional(Type.String()),
  has_header_value: Type.Boolean({ description: 'The value itself is never shown.' }),
  timeout_ms: Type.Integer(),
  cache_seconds: Type.Integer(),
  updated_at: Type.String({ format: 'date-time' }),
  failures: Type.Integer({ description: 'Questions in a row without an answer.' }),
  failed_at: Type.Optional(Type.String({ format: 'date-time' })),
  failure: Type.Optional(Type.String({ description: 'What was wrong with the last of them.' })),
})

export const OwnerResolverBody = Type.Object(
  {
    url: Url,
    header_name: Type.Optional(HeaderName),
    header_value: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 4_000,
        description:
          'A secret. Left out: the one that is kept stays, as long as the origin of the URL and the header are the same.',
      }),
    ),
    timeout_ms: Type.Optional(
      Type.Integer({
        minimum: 100,
        // Events that come singly wait for it, and there is room for so many only.
        maximum: 5_000,
        description: 'How long an answer is waited for; 2000 when left out.',
      }),
    ),
    cache_seconds: Type.Optional(
      Type.Integer({
        minimum: 60,
        maximum: 2_592_000,
        description:
          'How long an answer is taken for true; 3600 when left out, and at most 300 for what is nobody’s.',
      }),
    ),
  },
  { additionalProperties: false },
)
