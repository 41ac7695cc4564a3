// Reads what a person searches for: the text is an id, an address, a range, a domain, a URL or an
// e-mail address, also defanged or in brackets; any other text is words.

import { parseAddress } from '../../../values/address.ts'
import { type AddressSpan, parseAddressSpan } from '../../../values/address-span.ts'
import { isEmailAddress } from '../../../values/email.ts'
import { isStorableText } from '../../../values/json-value.ts'
import { isRange, parseBlock } from '../../../values/range.ts'
import { isUuid } from '../../../values/uuid.ts'
import { parseWrappedItem, refangMarks } from '../../../values/wrapped-item.ts'
import { isUrl } from '../../../vocabulary/target.ts'

export type SearchedFor =
  /** A case id or its beginning, in upper case. */
  | { readonly kind: 'case_id'; readonly text: string }
  /** The id of an event or report, in lower case. */
  | { readonly kind: 'record_id'; readonly text: string }
  | { readonly kind: 'address'; readonly text: string }
  | { readonly kind: 'range'; readonly text: string; readonly range: AddressSpan }
  | { readonly kind: 'domain'; readonly text: string }
  /** In lower case, and as it was given. */
  | { readonly kind: 'email'; readonly text: string; readonly given: string }
  | { readonly kind: 'url'; readonly text: string }
  | { readonly kind: 'words'; readonly text: string }

// The first half of the time in the id; less would name half of all cases.
const CASE_ID_BEGINNING = /^C-[0-9A-F]{8}[0-9A-F-]{0,28}$/
const QUOTED = /^"([^"]+)"$/

/** Null for a text without a letter or digit. Quotes around the text make it words. */
export function readSearch(given: string): SearchedFor | null {
  const text = given.trim()
  if (!/[\p{L}\p{N}]/u.test(text) || !isStorableText(text)) return null
  const quoted = QUOTED.exec(text)?.[1]
  if (quoted !== undefined) return { kind: 'words', text: quoted.trim() }
  return readId(text) ?? readTarget(text) ?? { kind: 'words', text }
}

function readId(text: string): SearchedFor | null {
  const upper = text.toUpperCase()
  if (CASE_ID_BEGINNING.test(upper)) return { kind: 'case_id', text: upper }
  return isUuid(text) ? { kind: 'record_id', text: text.toLowerCase() } : null
}

function readTarget(text: string): SearchedFor | null {
  const plain = refangMarks(text).replace(/^h(?:xx|\*\*)p(?=s?:\/\/)/i, 'http')
  const bare = plain.replaceAll(/^<|>$/g, '')
  const range = readRange(bare)
  if (range !== null) return { kind: 'range', text: range.text, range }
  if (/^(?:https?|ftp):\/\//i.test(bare) && isUrl(bare)) return { kind: 'url', text: bare }
  const address = bare.replace('[at]', '@')
  if (isEmailAddress(address)) return { kind: 'email', text: address.toLowerCase(), given: address }
  const item = parseWrappedItem(bare)
  if (item === null) return null
  return { kind: item.kind === 'domain' ? 'domain' : 'address', text: item.text }
}

/** A block is read with bits set after its prefix too: a person means the block around. */
function readRange(text: string): AddressSpan | null {
  if (!/[/-]/.test(text) || parseAddress(text) !== null) return null
  const block = text.includes('/') ? parseBlock(text, 'clear') : null
  if (block !== null && !isRange(block)) return null
  const span = parseAddressSpan(block?.text ?? text)
  return typeof span === 'string' ? null : span
}
