// GET /beta/casework/stream: the changes of a tenant as server-sent events (WHATWG HTML, section
// 9.2), from the message behind Last-Event-ID on.

import { Type } from 'typebox'
import { requireCaller } from '../../../access/admit-request.ts'
import type { TokenDirectory } from '../../../access/token-directory.ts'
import { requestNotValid, scopeMissing } from '../../../kernel/errors.ts'
import { defineRoute, type Route } from '../../../kernel/http/route.ts'
import { groupAddress } from '../../../values/address-group.ts'
import { parseCaseId } from '../../../values/uuid.ts'
import type { Caller } from '../../../vocabulary/caller.ts'
import { named } from '../../../vocabulary/named-schema.ts'
import type { ChangeKind } from '../../changes/change.ts'
import type { StreamHub } from './stream-hub.ts'
import { SCOPE_OF_KIND, STREAM_KINDS, type StreamFilter } from './stream-message.ts'
import { STREAM_HOURS } from './stream-store.ts'

export interface OpenStreamDeps {
  readonly streams: Pick<StreamHub, 'open'>
  readonly tokens: Pick<TokenDirectory, 'findCaller' | 'findLiveSession'>
}

const WHATS_MAX = 20

const ChangeStream = named(
  'ChangeStream',
  Type.String({
    description:
      'Messages `case`, `event`, `report` and `run` with `{"kind", "what", "id", "case_id", "at"}`. The first message is `open`. `reset`: messages are missing, load anew. `end`: the stream ends, with its `reason`: `revoked`, `shutdown`, `slow` or `failed`.',
  }),
)

export function openStreamRoute({ streams, tokens }: OpenStreamDeps): Route {
  return defineRoute({
    method: 'GET',
    path: '/beta/casework/stream',
    group: 'casework',
    access: { kind: 'one-of', ways: [['cases:read'], ['events:read']] },
    operationId: 'openStream',
    summary: 'Watch changes',
    description: `Server-sent events. A message says that something happened to a record, and nothing of the record. Cases and runs need cases:read, events and reports events:read. With Last-Event-ID the stream goes on behind that message, for ${STREAM_HOURS} hours.`,
    query: Type.Object({
      kinds: Type.Optional(
        Type.String({
          minLength: 1,
          maxLength: 100,
          description: 'Only these, with commas: `case`, `event`, `report`, `run`.',
        }),
      ),
      what: Type.Optional(
        Type.String({
          minLength: 1,
          maxLength: 500,
          description:
            'Only changes of these names, with commas, such as `open,move,comment` of cases, `stored` of events, `accepted` of reports, `failed` of runs.',
        }),
      ),
      case_id: Type.Optional(
        Type.String({ description: 'Only changes of this case, of its events and of its runs.' }),
      ),
    }),
    responses: {
      200: {
        description: 'The stream, which ends by itself only with a message `end`.',
        schema: ChangeStream,
        contentType: 'text/event-stream',
      },
      400: { description: 'A filter is not valid.' },
      429: { description: 'The token, the address or the server has too many streams.' },
    },
    async handle({ caller, query, headers, remoteAddress }) {
      const person = requireCaller(caller)
      const filter = readFilter(query, person)
      const after = readLastEventId(headers['last-event-id'])
      const stream = await streams.open({
        caller: person,
        findCaller: followToken(tokens, person, headers['authorization']),
        address: groupAddress(remoteAddress),
        filter,
        after,
      })
      return {
        status: 200,
        stream: stream.readable,
        contentType: 'text/event-stream; charset=utf-8',
        // No proxy may keep the messages back: nginx reads the second.
        headers: { 'cache-control': 'no-store, no-transform', 'x-accel-buffering': 'no' },
        onStop: () => stream.end('shutdown'),
      }
    },
  })
}

/**
 * The rights of the caller at any time; null once the token or session is over. The administrator
 * at the socket of the data folder has neither, and is asked for none.
 */
function followToken(
  tokens: OpenStreamDeps['tokens'],
  caller: Caller,
  authorization: string | string[] | undefined,
): () => Caller | null {
  const { session } = caller
  if (session !== undefined) {
    return () => {
      const live = tokens.findLiveSession(session.id)
      // A person who has gone to another tenant asks for its stream.
      return live?.tenantId === caller.tenantId ? live : null
    }
  }
  const text =
    typeof authorization === 'string' ? /^bearer +(\S+)$/i.exec(authorization)?.[1] : null
  if (typeof text !== 'string') return () => caller
  return () => tokens.findCaller(text)
}

function readFilter(
  query: { readonly kinds?: string; readonly what?: string; readonly case_id?: string },
  { scopes }: Caller,
): StreamFilter {
  const kinds = query.kinds === undefined ? null : readKinds(query.kinds)
  for (const kind of kinds ?? []) {
    if (!scopes.has(SCOPE_OF_KIND[kind])) throw scopeMissing(SCOPE_OF_KIND[kind])
  }
  const whats = query.what === undefined ? null : new Set(query.what.split(','))
  if (
    whats !== null &&
    (whats.size > WHATS_MAX || ![...whats].every((one) => /^[a-z_]+$/.test(one)))
  ) {
    throw notValid('what', `has up to ${WHATS_MAX} names of lower-case letters, with commas`)
  }
  const caseId = query.case_id === undefined ? null : parseCaseId(query.case_id)
  if (query.case_id !== undefined && caseId === null) {
    throw notValid('case_id', 'is no id of a case')
  }
  return { kinds, whats, caseId }
}

function readKinds(text: string): ReadonlySet<ChangeKind> {
  return new Set(
    text.split(',').map((name) => {
      const kind = STREAM_KINDS.find((one) => one === name)
      if (kind === undefined) throw notValid('kinds', `has one of ${STREAM_KINDS.join(', ')}`)
      return kind
    }),
  )
}

function notValid(parameter: string, reason: string): Error {
  return requestNotValid('A filter of the stream is not valid.', [
    { path: `/${parameter}`, reason },
  ])
}

/** An id that is none of ours is too old, whatever it says. */
function readLastEventId(given: string | string[] | undefined): number | null {
  if (given === undefined || given === '') return null
  return typeof given === 'string' && /^\d{1,15}$/.test(given) ? Number(given) : -1
}
