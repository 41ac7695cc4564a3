// The stages of a search: which records are looked for what was searched, one kind after the other:
// customers, cases, reports, events. A page goes through them until it is full.

import type { Db } from '../../../kernel/db/database.ts'
import type { CursorPosition } from '../../../kernel/http/cursor.ts'
import { parentDomains } from '../../../values/domain.ts'
import type { TenantScope } from '../../../vocabulary/caller.ts'
import type { CaseContent } from '../../cases/lists/case-content-store.ts'
import { type CaseFilter, listCases } from '../../cases/lists/case-list-store.ts'
import {
  type EventFilter,
  findEvent,
  findOwnersOfEvents,
  listEvents,
} from '../../events/event-list-store.ts'
import { findOwners } from '../../owners/ownership-store.ts'
import {
  presentFoundCase,
  presentFoundCustomer,
  presentFoundEvent,
  presentFoundReport,
} from './present-found.ts'
import type { SearchedFor } from './read-search.ts'
import {
  findCases,
  findCasesByIdBeginning,
  findCommentsByWords,
  findCustomer,
  findCustomersByContact,
  findCustomersByWords,
  findEventsByWords,
  findReportsById,
} from './search-store.ts'
import type { FoundItem } from './search-wire.ts'

export interface StageItem {
  readonly item: FoundItem
  /** Behind which the stage goes on. */
  readonly position: CursorPosition
}

interface StageItems {
  readonly hits: readonly StageItem[]
  /** Set when there may be more, although there are fewer hits than asked for. */
  readonly next?: CursorPosition
}

export interface Stage {
  /** Stands in cursors. */
  readonly name: string
  readonly kind: FoundItem['kind']
  /** Up to `count` hits behind the position; null for the first ones. */
  readonly find: (position: CursorPosition | null, count: number) => Promise<StageItems>
}

export function listStages(
  db: Db,
  scope: TenantScope,
  wanted: SearchedFor,
  now: Date,
): readonly Stage[] {
  const { text } = wanted
  switch (wanted.kind) {
    case 'case_id':
      return [casesByIdBeginning(db, scope, text)]
    case 'record_id':
      return [reportsById(db, scope, text), eventById(db, scope, text)]
    case 'address':
      return [
        ownerOf(db, scope, { ip: text, domains: [] }, ['ip', text], now),
        casesOf(db, scope, { content: { ip: text } }, ['ip', text]),
        eventsOf(db, scope, { filter: { ip: text }, now }, ['ip', text]),
      ]
    case 'range':
      return [
        casesOf(db, scope, { content: { range: wanted.range } }, ['ip', text]),
        eventsOf(db, scope, { filter: { range: wanted.range }, now }, ['ip', text]),
      ]
    case 'domain':
      return [
        ownerOf(db, scope, { ip: null, domains: parentDomains(text) }, ['domain', text], now),
        casesOf(db, scope, { content: { site: text } }, ['domain', text]),
        eventsOf(db, scope, { filter: { site: text }, now }, ['domain', text]),
      ]
    case 'email': {
      const content: CaseContent = { reporter: text }
      return [
        customersByContact(db, scope, [...new Set([text, wanted.given])]),
        casesOf(db, scope, { content }, ['reporter', text]),
        casesByComment(db, scope, text),
        eventsOf(db, scope, { filter: { senderEmail: text }, now }, ['sender_email', text]),
        eventsByWords(db, scope, text),
      ]
    }
    case 'url':
      return [casesByComment(db, scope, text), eventsByWords(db, scope, text)]
    case 'words':
      return [
        customersByWords(db, scope, text),
        casesOf(db, scope, { customerId: text }, ['customer_id', text]),
        casesByComment(db, scope, text),
        reportsById(db, scope, text),
        eventsByWords(db, scope, text),
      ]
  }
}

/** The field in which the value was found, and the value. */
type Match = readonly [field: string, text: string]

function casesByIdBeginning(db: Db, scope: TenantScope, text: string): Stage {
  return {
    name: 'case_id',
    kind: 'case',
    async find(position, count) {
      const place = { after: position?.[0] ?? null, count }
      const rows = await findCasesByIdBeginning(db, scope, text, place)
      return {
        hits: rows.map((row) => ({
          item: presentFoundCase(row, ['id', text]),
          position: [row.id],
        })),
      }
    },
  }
}

/** The list of cases with this filter, the newest first. */
function casesOf(db: Db, scope: TenantScope, filter: CaseFilter, match: Match): Stage {
  return {
    name: 'cases',
    kind: 'case',
    async find(position, count) {
      const page = { limit: count, order: 'desc', position } as const
      const rows = (await listCases(db, scope, filter, 'created_at', page)).slice(0, count)
      const cases = await findCases(
        db,
        scope,
        rows.map(({ id }) => id),
      )
      return {
        hits: rows.flatMap(({ id, created_at: at }) => {
          const row = cases.get(id)
          if (row === undefined) return []
          return [{ item: presentFoundCase(row, match), position: [at.toISOString(), id] }]
        }),
      }
    },
  }
}

/** A case comes once for each comment with the words. */
function casesByComment(db: Db, scope: TenantScope, text: string): Stage {
  return {
    name: 'comments',
    kind: 'case',
    async find(position, count) {
      const place = { after: position?.[0] ?? null, count }
      const rows = await findCommentsByWords(db, scope, text, place)
      const cases = await findCases(db, scope, [...new Set(rows.map((row) => row.case_id))])
      return {
        hits: rows.flatMap((comment) => {
          const row = cases.get(comment.case_id)
          if (row === undefined) return []
          const item = presentFoundCase(row, ['comment', comment.text], text)
          return [{ item, position: [comment.id] }]
        }),
      }
    },
  }
}

/** The list of events with this filter, the last that came first. */
function eventsOf(
  db: Db,
  scope: TenantScope,
  { filter, now }: { readonly filter: EventFilter; readonly now: Date },
  [field, text]: Match,
): Stage {
  return {
    name: 'events',
    kind: 'event',
    async find(position, count) {
      const page = { limit: count, order: 'desc', position } as const
      const request = { sort: 'create_date', page, nowMs: now.getTime() } as const
      const rows = (await listEvents(db, scope, filter, request)).slice(0, count)
      const owners = await findOwnersOfEvents(
        db,
        scope,
        rows.map((row) => row.event_id),
      )
      return {
        hits: rows.map((row) => {
          const value = field === 'ip' ? row.ip : row.domain
          const found = field === 'sender_email' ? row.sender_email : (value ?? text)
          const caseId = owners.get(row.event_id)?.case_id ?? null
          const item = presentFoundEvent({ ...row, case_id: caseId }, [field, found])
          return { item, position: [row.event_id] }
        }),
      }
    },
  }
}

/** Marks a cursor, so that the next page does not count the events once more. */
const FREQUENT = 'frequent'

function eventsByWords(db: Db, scope: TenantScope, text: string): Stage {
  return {
    name: 'words',
    kind: 'event',
    async find(position, count) {
      const [after = null, mark] = position ?? []
      const place = { after, count, isFrequent: mark === FREQUENT }
      const { rows, next } = await findEventsByWords(db, scope, text, place)
      const hits = rows.map((row) => ({
        item: presentFoundEvent(row, ['event_details', JSON.stringify(row.details)], text),
        position: [row.event_id],
      }))
      return next === null ? { hits } : { hits, next: [next, FREQUENT] }
    },
  }
}

function eventById(db: Db, scope: TenantScope, id: string): Stage {
  return {
    name: 'event_id',
    kind: 'event',
    async find(position) {
      const event = position === null ? await findEvent(db, scope, id) : null
      if (event === null) return { hits: [] }
      return { hits: [{ item: presentFoundEvent(event, ['event_id', id]), position: [id] }] }
    },
  }
}

function reportsById(db: Db, scope: TenantScope, id: string): Stage {
  return {
    name: 'reports',
    kind: 'report',
    async find(position, count) {
      const place = { after: position?.[0] ?? null, count }
      const rows = await findReportsById(db, scope, id, place)
      return {
        hits: rows.map((row) => ({
          item: presentFoundReport(row, ['id', id]),
          position: [row.id],
        })),
      }
    },
  }
}

function customersByWords(db: Db, scope: TenantScope, text: string): Stage {
  return {
    name: 'customers',
    kind: 'customer',
    async find(position, count) {
      const place = { after: position?.[0] ?? null, count }
      const rows = await findCustomersByWords(db, scope, text, place)
      return {
        hits: rows.map((row) => ({
          item: presentFoundCustomer(row, ['name', row.name ?? row.id]),
          position: [row.id],
        })),
      }
    },
  }
}

function customersByContact(db: Db, scope: TenantScope, addresses: readonly string[]): Stage {
  return {
    name: 'contacts',
    kind: 'customer',
    async find(position, count) {
      const place = { after: position?.[0] ?? null, count }
      const rows = await findCustomersByContact(db, scope, addresses, place)
      return {
        hits: rows.map((row) => ({
          item: presentFoundCustomer(row, ['contact', addresses[0] ?? '']),
          position: [row.id],
        })),
      }
    },
  }
}

/** The customer that is responsible for the address or domain now. */
function ownerOf(
  db: Db,
  scope: TenantScope,
  target: { readonly ip: string | null; readonly domains: readonly string[] },
  match: Match,
  now: Date,
): Stage {
  return {
    name: 'owner',
    kind: 'customer',
    async find(position) {
      if (position !== null) return { hits: [] }
      const at = now.toISOString()
      const [owner] = await findOwners(db, scope, [{ ...target, at, account: null }])
      if (owner === undefined || owner === null) return { hits: [] }
      const customer = await findCustomer(db, scope, owner.customerId)
      if (customer === null) return { hits: [] }
      return { hits: [{ item: presentFoundCustomer(customer, match), position: [customer.id] }] }
    },
  }
}
