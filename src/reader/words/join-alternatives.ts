// Joins the phrases of a meaning to one pattern. Written one behind the other, a pattern engine
// tries each of them at each character; joined by their beginnings it tries one letter after the
// other. Of two that begin with different letters at most one can match at a place, so that their
// order is free; where both could match it stays, and so does every match.

export interface Alternative {
  /** What must stand before it, such as `\b`; it takes no text. */
  readonly boundary: string
  /** A pattern without a bar outside of brackets. */
  readonly source: string
}

export function joinAlternatives(alternatives: readonly Alternative[]): string {
  return join(
    alternatives.flatMap(({ boundary, source }) =>
      listBeginnings(source).map((each) => ({ boundary, source: each })),
    ),
  )
}

interface Branch {
  readonly boundary: string
  readonly letter: string
  readonly rests: Set<string>
}

function join(alternatives: readonly Alternative[]): string {
  const sources: string[] = []
  const branches = new Map<string, Branch>()
  for (const { boundary, source } of alternatives) {
    const letter = findLetter(source)
    if (letter === null) {
      sources.push(...closeBranches(branches), boundary + source)
      continue
    }
    const rest = source.slice(letter.length)
    const branch = branches.get(letter)
    if (branch?.boundary === boundary) {
      branch.rests.add(rest)
      continue
    }
    // Behind another boundary the same letter may match at the same place: the order must stay.
    if (branch !== undefined) sources.push(...closeBranches(branches))
    branches.set(letter, { boundary, letter, rests: new Set([rest]) })
  }
  sources.push(...closeBranches(branches))
  return groupOf(sources)
}

/** The sources of the branches, and no branch is open any more. */
function closeBranches(branches: Map<string, Branch>): readonly string[] {
  const closed = [...branches.values()]
  branches.clear()
  return [...Map.groupBy(closed, ({ boundary }) => boundary)].map(([boundary, all]) => {
    const sources = all.map(({ letter, rests }) => `${letter}${joinRests(rests)}`)
    return boundary + groupOf(sources)
  })
}

function joinRests(rests: ReadonlySet<string>): string {
  // Most letters of a phrase: nothing is left to be told apart.
  const [only = ''] = rests
  if (rests.size === 1) return only
  return join([...rests].map((source) => ({ boundary: '', source })))
}

function groupOf(sources: readonly string[]): string {
  return sources.length === 1 ? (sources[0] ?? '') : `(?:${sources.join('|')})`
}

// Capitals are none, and neither is a letter that shares its capital with another: a pattern may
// ignore case.
const LETTER = /^(?:[ '\d-]|\p{Ll}|\p{Lo}|\p{Lm})(?![?*+{])/u

/** The letter that every match begins with; null where there is more than one. */
function findLetter(source: string): string | null {
  const [letter] = LETTER.exec(source) ?? []
  return letter?.toUpperCase().toLowerCase() === letter ? (letter ?? null) : null
}

/** `(?:a|b)?c` begins in three ways: `ac`, `bc`, `c`. */
function listBeginnings(source: string): readonly string[] {
  const end = source.startsWith('(?:') ? findClosing(source) : -1
  if (end === -1) return [source]
  const behind = source.slice(end + 1)
  if (/^[*+{]|^\?\?/.test(behind)) return [source]
  const choices = splitChoices(source.slice(3, end))
  const rest = behind.replace(/^\?/, '')
  const sources = choices.map((choice) => choice + rest)
  return (rest === behind ? sources : [...sources, rest]).flatMap(listBeginnings)
}

function findClosing(source: string): number {
  let depth = 0
  for (const { 0: sign, index } of source.matchAll(BRACKETS)) {
    if (sign === '(') depth += 1
    if (sign === ')') depth -= 1
    if (depth === 0) return index
  }
  return -1
}

/** At the bars outside of brackets. */
function splitChoices(inner: string): readonly string[] {
  const choices: string[] = []
  let depth = 0
  let from = 0
  for (const { 0: sign, index } of inner.matchAll(BRACKETS)) {
    if (sign === '(') depth += 1
    if (sign === ')') depth -= 1
    if (sign !== '|' || depth > 0) continue
    choices.push(inner.slice(from, index))
    from = index + 1
  }
  return [...choices, inner.slice(from)]
}

// An escaped sign is a letter. Phrases have no classes of characters.
const BRACKETS = /\\.|[()|]/gu
