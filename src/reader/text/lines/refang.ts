// Refangs links and addresses that reporters defanged against accidental clicks, and unwraps links
// that mail gateways rewrote.

import { sourceOf } from '../../words/compile-words.ts'

// Most lines hold none of these, and then nothing else is tried. Logs have brackets in every line,
// but seldom around a mark.
const MAYBE_DEFANGED =
  /[[({\\*]|\bh[^\s:/]{1,3}ps?\b|_h[tx]|meow:|f[x*]ps?:| dot |["'<|]\.["'>|]|ttps?:|[．。․]|h[хХ]{2}|: \/|%3a|urldefense|safelink/iu
const DOT = sourceOf('refang.dot', { text: 'as written' })
const MAYBE_MARKS = new RegExp(
  `[[({] ?(?:[.:/@?=&]|${DOT}|at[\\])}]|h[tx]{1,3}p|s[\\])}]|www|h[\\])}])|\\.\\]|\\\\\\.| dot |["'<|]\\.["'>|]|[．。․]`,
  'iu',
)

/**
 * The line with its links and addresses as they work: `hxxps://evil[.]example` becomes
 * `https://evil.example`. What is not defanged stays as it is.
 */
export function refang(line: string): string {
  if (!MAYBE_DEFANGED.test(line)) return line
  const marked = MAYBE_MARKS.test(line) ? refangMarks(line) : line
  return MAYBE_SCHEMES.test(marked) ? refangSchemes(marked) : marked
}

interface Style {
  readonly written: RegExp
  readonly meant: string | ((text: string, ...groups: string[]) => string)
}

// How a single sign is hidden; refang.test.ts has an example of each.
const MARKS: readonly Style[] = [
  { written: /(?<![\p{L}\d])[[({]h[\])}](?=[tx]{2}ps?[[:])/giu, meant: 'h' },
  { written: /(?<=\bh[tx]{2}p)[[({]s[\])}](?=[\s[({]{0,2}:)/gi, meant: 's' },
  {
    written: /[[({](h[tx]{2}ps?|ftp)(:\/\/)?[\])}](?=[[:({\w])/gi,
    meant: (_, scheme, slashes) => `${scheme}${slashes ?? ''}`,
  },
  { written: /[[({]www(\.?)[\])}](?=\.?\w)/gi, meant: (_, dot) => `www${dot}` },
  { written: / ?[[({]{1,2} ?: ?\/ ?\/ ?[\])}]{1,2} ?/g, meant: '://' },
  { written: /(?<=[\p{L}\d\])}]) ?[[({]{1,2} ?\. ?[\])}]{1,2} (?=[\p{L}\d-])/gu, meant: '.' },
  { written: /(?<=[\p{L}\d]) (?=[[({]{1,2} ?\. ?[\])}]{1,2})/gu, meant: '' },
  { written: /[[({]{1,2} ?\. ?[\])}]{1,2}/g, meant: '.' },
  { written: new RegExp(` ?[[({] ?${DOT} ?[\\])}] ?`, 'giu'), meant: '.' },
  { written: /(?<=\w)\[\.(?=\w)|(?<=\w)\.\](?=\w)|(?<=\w)\\\.(?=\w)/g, meant: '.' },
  { written: /(?<=[a-z\d])(?:"\."|'\.'|<\.>|\|\.\|)(?=[a-z\d])/gi, meant: '.' },
  { written: /(?<=[a-z\d-])[．。․](?=[a-z\d-]{2})/gi, meant: '.' },
  // Each part of an address may be a single digit.
  {
    written: /(?<![\w.])\d{1,3}(?: dot \d{1,3}){3}(?![\w.])/gi,
    meant: (address) => address.replaceAll(/ dot /gi, '.'),
  },
  { written: /(?<=[\w-]) dot (?=[\w-]{2,})/gi, meant: '.' },
  { written: /(?<=\bh[^\s:/]{2}ps?) (?=[[({]:[\])}])/gi, meant: '' },
  { written: /[[({]:[\])}]/g, meant: ':' },
  { written: /(?<=[:/])[[({]\/{1,2}[\])}]/g, meant: (slashes) => slashes.slice(1, -1) },
  { written: /(?<=[\p{L}\d]) ?[[({]\/[\])}] ?(?=[\p{L}\d]|$)/gu, meant: '/' },
  { written: /(?<=[\p{L}\d/])[[({]([?=&])[\])}](?=[\p{L}\d])/gu, meant: (_, sign) => sign ?? '' },
  { written: / ?[[({](?:@|at)[\])}] ?/gi, meant: '@' },
]

function refangMarks(line: string): string {
  return replaceAll(line, MARKS)
}

function replaceAll(line: string, styles: readonly Style[]): string {
  let text = line
  for (const { written, meant } of styles) {
    text =
      typeof meant === 'string' ? text.replaceAll(written, meant) : text.replaceAll(written, meant)
  }
  return text
}

const MAYBE_SCHEMES =
  /h[^\s:/a-su-wyz\d]{2,3}ps? ?[: ]|meow:|f[tx*]ps? ?:|(?<![a-z])ttps?:|https? ?: ?[/\\]|h[хХ]{2}p/iu

function secureOf(_: string, secure = ''): string {
  return `http${secure.toLowerCase()}://`
}

const SCHEMES: readonly Style[] = [
  {
    written:
      /(?<![a-z\d])h(?:[tx*_+#$!?.-]{2,3}|[хХ]{2})p(s?)(?: ?: ?(?:\/ ?\/|\\\\|\/(?!\/))| \/\/)(?: (?=[\w-]+ ?\.))?/giu,
    meant: secureOf,
  },
  // A scheme that nobody would write for itself needs no colon.
  {
    written: /(?<![a-z\d])h(?:xx|\*\*|[хХ]{2})p(s?):? (?=[a-z\d-]{1,63}(?: ?\.[a-z\d-]))/giu,
    meant: secureOf,
  },
  { written: /(?<![a-z\d])ttp(s?):\/\//gi, meant: secureOf },
  { written: /(?<![a-z\d])meow:\/\//gi, meant: 'http://' },
  {
    written: /(?<![a-z\d])f[tx*]p(s?) ?:\/\//gi,
    meant: (_, secure = '') => `ftp${secure.toLowerCase()}://`,
  },
]

function refangSchemes(line: string): string {
  return replaceAll(line, SCHEMES)
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
