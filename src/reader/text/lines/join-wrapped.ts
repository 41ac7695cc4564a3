// Joins links that a mail program broke over several lines (RFC 3676 asks for at most 78 columns).

// Only a line that is nearly full was broken for its length; shorter ones end where their author
// ended them.
const FULL_LINE = 66
const ROUNDS_MAX = 8

/** The number of lines stays: a line that was joined to an earlier one is empty. */
export function joinWrapped(lines: readonly string[]): readonly string[] {
  const joined = [...lines]
  for (let at = 0; at < joined.length; at += 1) {
    let from = at
    for (let round = 0; round < ROUNDS_MAX && from + 1 < joined.length; round += 1) {
      const rest = findContinuation(joined[at] ?? '', lines[from] ?? '', lines[from + 1] ?? '')
      if (rest === null) break
      joined[at] = `${joined[at] ?? ''}${rest.head}`
      joined[from + 1] = rest.tail
      from += 1
      // What follows the link in its last line is text again.
      if (rest.tail !== '' || rest.isLast) break
    }
  }
  return joined
}

interface Continuation {
  readonly head: string
  readonly tail: string
  readonly isLast: boolean
}

const LINK_CHARACTERS = /^[\w\-.~:/?#[\]@!$&'()*+,;=%]+$/

function findContinuation(link: string, line: string, next: string): Continuation | null {
  if (!next || !link.includes('://')) return null
  if (!/:\/\/[^\s<>"|]{3,}$/.test(link.slice(-2_100))) return null
  if (/^\s/.test(next)) return findFolded(line, next)
  const [word = ''] = next.split(/[\s>]/, 1)
  if (word === '' || startsAnew(word) || isNextRow(line, next)) return null
  const isInBrackets = isOpen(link)
  if (isInBrackets && next.slice(0, 2_000).includes('>')) {
    return { head: next.slice(0, word.length + 1), tail: next.slice(word.length + 1), isLast: true }
  }
  if (!isFull(line, next) || !LINK_CHARACTERS.test(word)) return null
  const isAlone = word.length === next.trimEnd().length
  if (!isAlone && !/[/?=&%_\d]|\.\w/.test(word)) return null
  return { head: word, tail: next.slice(word.length), isLast: false }
}

// Few links end in such a sign, and a mailer that breaks behind it moves all up to the next one.
const BREAK = /[-?&=_]$/
const BROKEN_LINE = 45

function isFull(line: string, next: string): boolean {
  if (line.length >= FULL_LINE) return true
  const isBroken = line.length >= BROKEN_LINE && BREAK.test(line) && !/\s/.test(line)
  return isBroken && !/\s/.test(next.trimEnd()) && /[/?=&]/.test(next)
}

/** A mailer that folds lines begins the rest with one blank, and nothing else stands there. */
function findFolded(line: string, next: string): Continuation | null {
  const word = next.slice(1).trimEnd()
  const isRest = /^ \S/.test(next) && LINK_CHARACTERS.test(word) && /[/?=&%_]/.test(word)
  if (!isRest || line.length < FULL_LINE || /^\s/.test(line) || startsAnew(word)) return null
  return { head: word, tail: '', isLast: false }
}

function isOpen(link: string): boolean {
  const open = link.lastIndexOf('<')
  return open !== -1 && link.indexOf('>', open) === -1
}

// A scheme, a date, a bare address, a quoted or listed line, a label or a sentence is no rest of a
// link.
function startsAnew(word: string): boolean {
  return (
    /^[a-z]{2,6}:\/\//i.test(word) ||
    /^\d{1,3}(?:\.\d{1,3}){3}/.test(word) ||
    /^["'[(]?(?:\d{4}([-/.])\d{1,2}\1\d{1,2}|\d{1,2}([-/.])\d{1,2}\2\d{2,4})(?!\d)/.test(word) ||
    /^(?:[-*>#|•]|\d{1,3}[.)]$)/.test(word) ||
    /^www\./i.test(word) ||
    /^[\p{L}-]{1,40}:$/u.test(word)
  )
}

/**
 * Rows of a list begin alike: what stands before the link in one line, and a link of its own in the
 * next.
 */
function isNextRow(line: string, next: string): boolean {
  const [first = ''] = line.trimStart().split(/\s/, 1)
  const [second = ''] = next.split(/\s/, 1)
  if (first.includes('://') || second.length === next.trimEnd().length) return false
  return next.includes('://', second.length) && rowShape(first) === rowShape(second)
}

// Beginnings longer than this are no numbers, words or names of hosts.
const ROW_BEGINNING_MAX = 80

function rowShape(word: string): string {
  return word
    .slice(0, ROW_BEGINNING_MAX)
    .replaceAll(/\p{L}+/gu, 'a')
    .replaceAll(/\d+/g, '0')
}
