// Writes the answer of a quick check as JSON text (interface 2.2; its schema is in
// quick-check-wire.ts). After its text an item has one of 64 possible tails, so these are made
// once: half the cost of JSON.stringify over objects.

import { type Item, parseItem } from '../../values/item.ts'
import { parseWrappedItem } from '../../values/wrapped-item.ts'
import { isBogon } from '../facts/bogon.ts'
import { CHECK_ACTIVITY, CHECK_LISTED, intentOfCheck } from '../snapshot/fact-bits.ts'
import type { IntelView } from '../snapshot/intel-view.ts'

// Bits of a tail: the answer of the check, then these.
const CHECK_BITS = 15
const TAIL_BOGON = 16
const TAIL_DOMAIN = 32

const TAILS: readonly string[] = Array.from({ length: 64 }, (_, bits) => buildTail(bits))
// Without the members of a verdict: a script that reads one of them must not take garbage for
// clean.
const INVALID_TAIL = ',"type":"INVALID"}'

function buildTail(bits: number): string {
  const members = {
    serviceMailBlocklist: (bits & CHECK_LISTED) === 0 ? 'INACTIVE' : 'ACTIVE',
    type: (bits & TAIL_DOMAIN) === 0 ? 'IP' : 'DOMAIN',
    bogon: (bits & TAIL_BOGON) !== 0,
    intent: intentOfCheck(bits & CHECK_BITS),
    activity: (bits & CHECK_ACTIVITY) !== 0,
  }
  return `,${JSON.stringify(members).slice(1)}`
}

export interface QuickCheckOptions {
  /** Answers a text that is no item in its place. */
  readonly reportsInvalid: boolean
  readonly mayRefang: boolean
}

/**
 * The whole body of the answer, in the order of the texts. Without `reportsInvalid` the position of
 * the first text that is no item, when there is one.
 */
export function presentQuickCheck(
  texts: readonly string[],
  view: IntelView,
  nowSeconds: number,
  { reportsInvalid, mayRefang }: QuickCheckOptions,
): string | number {
  const items: (Item | null)[] = []
  for (let at = 0; at < texts.length; at += 1) {
    const text = texts[at] ?? ''
    const item = parseItem(text) ?? (mayRefang ? parseWrappedItem(text) : null)
    if (item === null && !reportsInvalid) return at
    items.push(item)
  }
  const answers = new Uint8Array(items.length)
  view.checkMany(items, nowSeconds, answers)
  let body = '{"status":"success","statusCode":200,"result":['
  let before = '{"item":'
  for (let at = 0; at < items.length; at += 1) {
    const text = texts[at] ?? ''
    const item = items[at] ?? null
    const isPlain = item !== null && !mayRefang
    const quoted = isPlain ? quoteItem(text, item) : JSON.stringify(text.toWellFormed())
    const tail = item === null ? INVALID_TAIL : TAILS[tailOf(item, answers[at] ?? 0)]
    body += before + quoted + tail
    before = ',{"item":'
  }
  return `${body}]}`
}

function tailOf(item: Item, answer: number): number {
  return answer | (isBogon(item) ? TAIL_BOGON : 0) | (item.kind === 'domain' ? TAIL_DOMAIN : 0)
}

// A canonical text and any text of an address have no character that JSON escapes.
function quoteItem(text: string, item: Item): string {
  return item.kind === 'domain' && item.text !== text ? JSON.stringify(text) : `"${text}"`
}
