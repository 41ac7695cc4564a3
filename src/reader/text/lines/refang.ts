// Refangs links and addresses that reporters defanged against accidental clicks, and unwraps links
// that mail gateways rewrote.

import { sourceOf } from '../../words/compile-words.ts'

// Most lines hold none of these, and then nothing else is tried. Logs have brackets in every line,
// but seldom around a mark.
const MAYBE_DEFANGED = /[[({\\*]|\bh[tx_+]{1,3}ps?\b|meow:|fxps?:| dot |%3a|urldefense|safelink/i
const DOT = sourceOf('refang.dot', { text: 'as written' })
const MAYBE_MARKS = new RegExp(`[[({] ?(?:[.:/@]|${DOT}|at[\\])}])|\\.\\]|\\\\\\.| dot `, 'i')
const WORDED_DOT = new RegExp(` ?[[({] ?${DOT} ?[\\])}] ?`, 'gi')
const MAYBE_SCHEMES = /h[tx*_+]{2,3}ps? ?:|meow:|f[tx*]ps? ?:/i

/**
 * The line with its links and addresses as they work: `hxxps://evil[.]example` becomes
 * `https://evil.example`. What is not defanged stays as it is.
 */
export function refang(line: string): string {
  if (!MAYBE_DEFANGED.test(line)) return line
  const marked = MAYBE_MARKS.test(line) ? refangMarks(line) : line
  return MAYBE_SCHEMES.test(marked) ? refangSchemes(marked) : marked
}

// Brackets around a single mark; the words for the dot; an escaped dot as regular expressions have
// it.
function refangMarks(line: string): string {
  return line
    .replaceAll(/[[({]{1,2} ?\. ?[\])}]{1,2}/g, '.')
    .replaceAll(WORDED_DOT, '.')
    .replaceAll(/(?<=\w)\[\.(?=\w)|(?<=\w)\.\](?=\w)|(?<=\w)\\\.(?=\w)/g, '.')
    .replaceAll(/(?<=[\w-]) dot (?=[\w-]{2,})/gi, '.')
    .replaceAll(/[[({]:\/\/[\])}]/g, '://')
    .replaceAll(/[[({]:[\])}]/g, ':')
    .replaceAll(/(?<=[:/])[[(]\/{1,2}[\])]/g, (slashes) => slashes.slice(1, -1))
    .replaceAll(/ ?[[({](?:@|at)[\])}] ?/gi, '@')
}

function refangSchemes(line: string): string {
  return line
    .replaceAll(
      /(?<![\w])h[tx*_+]{2,3}p(s?) ?:(?:\/\/|\\\\|\/(?!\/))(?: (?=[\w-]+\.))?/gi,
      (_, secure: string) => `http${secure.toLowerCase()}://`,
    )
    .replaceAll(/(?<![\w])(?:meow|hxxp):\/\//gi, 'http://')
    .replaceAll(
      /(?<![\w])f[tx*]p(s?) ?:\/\//gi,
      (_, secure: string) => `ftp${secure.toLowerCase()}://`,
    )
}

// Hosts of services that rewrite every link of a mail to check it when it is opened. By what they
// do, not whose they are.
const WRAPPER =
  /safelink|urldefense|link-?protect|url-?protect|protection|clicktime|scan-?url|secure-?web|urlsand/i
const WRAPPED_MAX = 3

/**
 * The link a gateway wrapped, or the link itself. A link that merely redirects is what it is: its
 * own host serves the visitor.
 */
export function unwrapUrl(url: string): string {
  let current = url
  for (let round = 0; round < WRAPPED_MAX; round += 1) {
    const inner = findWrapped(current)
    if (inner === null) return current
    current = inner
  }
  return current
}

function findWrapped(url: string): string | null {
  const host = /^https?:\/\/([^/?#]{1,253})/i.exec(url)?.[1] ?? ''
  if (!WRAPPER.test(host)) return null
  const plain = /__(https?:\/{1,2}.{3,2000}?)__;/i.exec(url)?.[1]
  if (plain !== undefined) return plain.replace(/^(https?:)\/{1,2}/i, '$1//')
  for (const [, value = ''] of url.matchAll(/[?&;][\w.-]{1,40}=([^&#]{8,4000})/g)) {
    // One gateway writes `-3A__host_path` for `://host/path`.
    const decoded = /^https?-3A/i.test(value)
      ? decodePercent(value.replaceAll('_', '/').replaceAll('-', '%'))
      : decodePercent(value)
    if (/^https?:\/\/[^/\s]{3,}/i.test(decoded)) return decoded
  }
  return null
}

function decodePercent(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    // Not every percent sign is an escape; then the text is what it is.
    return text
  }
}
