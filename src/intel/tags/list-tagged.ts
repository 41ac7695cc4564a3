// GET /beta/tags/{name}/ips (design section 4.5): everything that carries a tag, page by page and
// all pages of one moment. It tells the whole of a list, so it asks for a token where a single
// look-up need not.

import { Type } from 'typebox'
import type { Intel } from '../../app/open-intel.ts'
import { defineRoute, type Route } from '../../kernel/http/route.ts'
import { FailureEnvelope, successOf } from '../../vocabulary/envelope-wire.ts'
import { tagListGone, tagListsBusy, tagUnknown } from '../errors.ts'
import { DEFAULT_SIGHTING_RULES } from '../facts/sighting-rules.ts'
import { DAY_SECONDS } from '../index/intel-set.ts'
import {
  findFreshTagList,
  findTagList,
  makeTagList,
  readTagListPage,
  type TagList,
} from './tag-list-store.ts'
import { TaggedItems } from './tagged-items-wire.ts'

const LIMIT_DEFAULT = 1_000
// About 150 KB of addresses.
const LIMIT_MAX = 10_000
const OFFSET_MAX = 1_000_000_000
// Gathering a list keeps a core of the database busy, for seconds when the set is large: of two
// tags at once, in each thread.
const MAKING_MAX = 2
const HEADERS = { 'cache-control': 'no-store' } as const

const Query = Type.Object({
  offset: Type.Optional(Type.Integer({ minimum: 0, maximum: OFFSET_MAX, default: 0 })),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: LIMIT_MAX, default: LIMIT_DEFAULT })),
  snapshot: Type.Optional(
    Type.String({
      pattern: '^[0-9]{1,15}\\.[0-9]{1,15}$',
      description: 'That of the first page. It is kept for an hour.',
    }),
  ),
})

export function listTaggedRoute(intel: Intel): Route {
  const lists = new TagLists(intel)
  return defineRoute({
    method: 'GET',
    path: '/beta/tags/{name}/ips',
    group: 'intel',
    access: { kind: 'scope', scope: 'intel:read' },
    operationId: 'listTagged',
    summary: 'List what carries a tag',
    description:
      'Addresses, ranges and domains that carry the tag themselves, by a live tagging or by what sensors saw of them; what lies in a tagged range is not named one by one. Without a snapshot the list is as new as the last change, or up to a minute old when it has 10,000 entries or more.',
    params: Type.Object({ name: Type.String() }),
    query: Query,
    unknownQuery: 'ignored',
    responses: {
      200: { description: 'A page; past the end it is empty.', schema: successOf(TaggedItems) },
      400: { description: 'No such tag, or a malformed parameter.', schema: FailureEnvelope },
      410: { description: 'The snapshot is no longer kept.', schema: FailureEnvelope },
      503: { description: 'Lists of other tags are being made.', schema: FailureEnvelope },
    },
    async handle({ params, query }) {
      if (intel.index.tags().find(params.name) === null) throw tagUnknown()
      const list =
        query.snapshot === undefined
          ? await lists.findOrMake(params.name)
          : await lists.find(params.name, query.snapshot)
      const entries = await readTagListPage(intel.foundation.database.kysely, list, {
        offset: query.offset ?? 0,
        limit: query.limit ?? LIMIT_DEFAULT,
      })
      const result: TaggedItems = {
        tag: params.name,
        entries: [...entries],
        lastUpdate: new Date(list.lastUpdateMs).toISOString(),
        total: list.total,
        snapshot: `${list.serial}.${list.id}`,
      }
      return { status: 200, json: { status: 'success', statusCode: 200, result }, headers: HEADERS }
    },
  })
}

class TagLists {
  readonly #intel: Intel
  // Whoever asks for a list that is being made waits for it.
  readonly #making = new Map<string, Promise<TagList>>()

  constructor(intel: Intel) {
    this.#intel = intel
  }

  async find(tag: string, snapshot: string): Promise<TagList> {
    const [serial, id] = snapshot.split('.').map(Number)
    const db = this.#intel.foundation.database.kysely
    const list = await findTagList(db, { tag, serial: serial ?? 0, id: id ?? 0 })
    if (list === null) throw tagListGone()
    return list
  }

  async findOrMake(tag: string): Promise<TagList> {
    const { database, clock } = this.#intel.foundation
    // One that was being made when the question came may lack what was pushed right before it: then
    // it is no fresh one.
    await this.#making.get(tag)?.catch(() => undefined)
    const fresh = await findFreshTagList(database.kysely, tag, clock.nowMs())
    if (fresh !== null) return fresh
    const running = this.#making.get(tag)
    if (running !== undefined) return await running
    if (this.#making.size >= MAKING_MAX) throw tagListsBusy()
    const making = this.#make(tag).finally(() => this.#making.delete(tag))
    this.#making.set(tag, making)
    return await making
  }

  async #make(tag: string): Promise<TagList> {
    const { database, clock, config } = this.#intel.foundation
    return await makeTagList(database.kysely, {
      tag,
      nowMs: clock.nowMs(),
      rules: DEFAULT_SIGHTING_RULES.filter((rule) => rule.tags.includes(tag)),
      lookBackSeconds: config.lookBackDays * DAY_SECONDS,
    })
  }
}
