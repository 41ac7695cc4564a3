// Domain names in one canonical form (design: lower-case A-labels, no trailing dot) and their way
// up to the registrable one.

import { domainToASCII } from 'node:url'
import { getDomain, parse } from 'tldts'

const NAME_MAX = 253
const LABEL_MAX = 63
// A name in Unicode may be longer than its ASCII form (ignored code points), but not by much;
// longer text is not worth converting.
const TEXT_MAX = 1024

const DOT = 46
const HYPHEN = 45
const UNDERSCORE = 95

/**
 * The canonical form of a domain name: lower-case A-labels (IDNA, UTS 46) without the trailing dot.
 * Null when it is none:
 * - more than 253 characters, a label that is empty or longer than 63;
 * - characters other than letters, digits, hyphen and underscore (which service and key records
 *   use), or a hyphen at the edge of a label (RFC 5890);
 * - a name that looks like an address (the last label is a number, decimal or hexadecimal, as in
 *   the URL standard);
 * - a single label: such names are neither registered nor listed, and a mistyped word would pass
 *   for an unknown name.
 */
export function parseDomain(text: string): string | null {
  const length = text.length
  if (length < 3 || length > TEXT_MAX) return null
  let isPlain = true
  for (let at = 0; at < length; at += 1) {
    const code = text.charCodeAt(at)
    if (isNameCode(code)) continue
    // An ASCII character that is neither a name character nor a capital is refused before the
    // conversion, which would decode "%41" and drop tabs.
    if (code < 128 && (code < 65 || code > 90)) return null
    isPlain = false
  }
  const ascii = isPlain ? text : domainToASCII(text)
  const name = ascii.charCodeAt(ascii.length - 1) === DOT ? ascii.slice(0, -1) : ascii
  return isCanonicalName(name) ? name : null
}

function isNameCode(code: number): boolean {
  return (
    (code >= 97 && code <= 122) ||
    (code >= 48 && code <= 57) ||
    code === DOT ||
    code === HYPHEN ||
    code === UNDERSCORE
  )
}

function isCanonicalName(name: string): boolean {
  if (name.length > NAME_MAX) return false
  let labels = 0
  let start = 0
  for (let at = 0; at <= name.length; at += 1) {
    const code = at === name.length ? DOT : name.charCodeAt(at)
    if (!isNameCode(code)) return false
    if (code !== DOT) continue
    const length = at - start
    if (length === 0 || length > LABEL_MAX) return false
    if (name.charCodeAt(start) === HYPHEN || name.charCodeAt(at - 1) === HYPHEN) return false
    labels += 1
    start = at + 1
  }
  return labels > 1 && !hasNumericEnd(name)
}

// Cheap test first: the last label of nearly every name does not begin with a digit, so it is no
// number.
function hasNumericEnd(name: string): boolean {
  const first = name.charCodeAt(name.lastIndexOf('.') + 1)
  if (first < 48 || first > 57) return false
  return /\.(?:\d+|0x[0-9a-f]*)$/.test(name)
}

// Names under a private suffix (hosting names such as those below github.io) belong to different
// customers.
const SUFFIX_OPTIONS = {
  allowPrivateDomains: true,
  extractHostname: false,
  validateHostname: false,
} as const

/**
 * The registered name, by the public suffix list with its private section; null when the canonical
 * name is itself a public or private suffix.
 */
export function registrableDomain(domain: string): string | null {
  return getDomain(domain, SUFFIX_OPTIONS)
}

/** Whether a name is registered under a suffix of the public suffix list, private ones included. */
export function hasKnownSuffix(domain: string): boolean {
  const { isIcann, isPrivate, domain: registered } = parse(domain, SUFFIX_OPTIONS)
  return (isIcann === true || isPrivate === true) && registered !== null
}

/**
 * The names whose listings and taggings cover this canonical name: itself first, then each parent
 * down to the registrable one. A public or private suffix covers only itself, and is no parent of
 * the names below it.
 */
export function parentDomains(domain: string): string[] {
  const registrable = registrableDomain(domain)
  const names = [domain]
  if (registrable === null) return names
  for (let name = domain; name.length > registrable.length; ) {
    name = name.slice(name.indexOf('.') + 1)
    names.push(name)
  }
  return names
}
