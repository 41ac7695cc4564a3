// Finds addresses in texts: in upper or lower case, with `%40` for the at sign, and never as part
// of a longer address. The texts are of strangers, so the work grows with their length and no
// faster.

import type { ErasedAddresses } from './erased-address.ts'

interface FoundAddress {
  readonly start: number
  readonly end: number
  readonly replacement: string
}

const AT = /@|%40/g
const AT_CODE = 0x40
// RFC 5321 section 4.5.3.1.
const LOCAL_LENGTH_MAX = 64
const DOMAIN_LENGTH_MAX = 253

const LOCAL_CODES = listCodes("!#$%&'*+/=?^_`{|}~.-")
const DOMAIN_CODES = listCodes('.-')
// An address cannot begin directly after one of these: it continues to the left.
const NAME_CODES = listCodes('_.+-')

/** True for letters, digits and these characters, by character code. */
function listCodes(others: string): readonly boolean[] {
  return Array.from({ length: 128 }, (_, code) => {
    const character = String.fromCharCode(code)
    return /[a-z0-9]/i.test(character) || others.includes(character)
  })
}

/** `isJson`: the text is JSON, where a line break is written as two characters. */
function* findAddresses(
  text: string,
  addresses: ErasedAddresses,
  isJson: boolean,
): Generator<FoundAddress> {
  // Where the last found address ends: the next one begins there at the earliest.
  let free = 0
  // `from`: the end of an at sign, where the domain begins. `at`: the start of the at sign.
  for (let from = endAtSign(text, 0); from !== -1; from = endAtSign(text, Math.max(from, free))) {
    const at = text.charCodeAt(from - 1) === AT_CODE ? from - 1 : from - 3
    const end = endDomain(text, from)
    if (end === from) continue
    const domain = text.slice(from, end).toLowerCase()
    // Few texts pass this, so up to 64 candidates for each at sign are rare.
    if (!addresses.hasDomain(domain)) continue
    const least = Math.max(free, at - LOCAL_LENGTH_MAX)
    let start = at
    while (start > least && LOCAL_CODES[text.charCodeAt(start - 1)] === true) start -= 1
    // The longest candidate first: `a+b@…` must not be found as `b@…`.
    for (; start < at; start += 1) {
      if (!beginsAt(text, start, isJson)) continue
      const address = `${text.slice(start, at).toLowerCase()}@${domain}`
      const replacement = addresses.findReplacement(address)
      if (replacement === null) continue
      yield { start, end, replacement }
      free = end
      break
    }
  }
}

/** The end of the next at sign; -1 when there is none. */
function endAtSign(text: string, from: number): number {
  // Without this look, millions of at signs in a row would cost the pattern a second.
  if (text.charCodeAt(from) === AT_CODE) return from + 1
  AT.lastIndex = from
  return AT.test(text) ? AT.lastIndex : -1
}

/** The end of the domain that begins here. Dots and hyphens behind it belong to the sentence. */
function endDomain(text: string, from: number): number {
  const most = Math.min(text.length, from + DOMAIN_LENGTH_MAX)
  let end = from
  while (end < most && DOMAIN_CODES[text.charCodeAt(end)] === true) end += 1
  while (end > from && /[.-]/.test(text.charAt(end - 1))) end -= 1
  return end
}

/**
 * Whether an address may begin here: at no character of a name before, unless that is the end of a
 * percent code or, in JSON, of an escaped line break.
 */
function beginsAt(text: string, start: number, isJson: boolean): boolean {
  if (start === 0 || NAME_CODES[text.charCodeAt(start - 1)] !== true) return true
  if (/^%[0-9a-f]{2}$/i.test(text.slice(Math.max(0, start - 3), start))) return true
  return isJson && /^\\[nrtbf]$/.test(text.slice(Math.max(0, start - 2), start))
}

export function holdsAddress(text: string, addresses: ErasedAddresses, isJson: boolean): boolean {
  return findAddresses(text, addresses, isJson).next().done === false
}

export function replaceAddresses(
  text: string,
  addresses: ErasedAddresses,
  isJson: boolean,
): string {
  const parts: string[] = []
  let done = 0
  for (const { start, end, replacement } of findAddresses(text, addresses, isJson)) {
    parts.push(text.slice(done, start), replacement)
    done = end
  }
  return done === 0 ? text : `${parts.join('')}${text.slice(done)}`
}
