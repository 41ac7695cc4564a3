// Checks the regular expressions of src: none may take exponential time, nor more than linear time
// where nothing else bounds its work. Takes a minute of processor time or two, so it is a step of
// its own. With files as arguments it checks these.

import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { findPackageRoot } from '../src/values/resources.ts'
import { collectRegexes, type FoundRegex } from './regex/collect-regexes.ts'
import { judgeRegex, type Verdict } from './regex/judge-regex.ts'
import { REGEX_EXCEPTIONS } from './regex/regex-exceptions.ts'

// Fewer mean that the parser has lost them.
const SEEN_MIN = 1_000

const root = findPackageRoot()
const named = process.argv.slice(2)
const files = named.length > 0 ? named : listSources()
const regexes = files.flatMap((file) =>
  collectRegexes(file, readFileSync(join(root, file), 'utf8')),
)
const sources = new Set(regexes.map(({ source }) => source))
const verdicts = new Map<string, Verdict>()
const findings: string[] = []
for (const regex of regexes) {
  if (REGEX_EXCEPTIONS.has(regex.source)) continue
  const verdict = judge(regex)
  if (verdict.kind === 'fine') continue
  findings.push(describe(regex, verdict))
}
if (named.length === 0) {
  if (regexes.length < SEEN_MIN) findings.push(`only ${regexes.length} expressions were seen`)
  for (const source of REGEX_EXCEPTIONS.keys()) {
    if (!sources.has(source)) findings.push(`the exception is for no expression: ${source}`)
  }
}
for (const finding of findings) console.log(finding)
console.log(`${regexes.length} regular expressions, ${findings.length} findings.`)
process.exitCode = findings.length === 0 ? 0 : 1

function listSources(): readonly string[] {
  return globSync('src/**/*.ts', { cwd: root })
    .filter((file) => !/\.(?:test|peer)\.ts$/.test(file))
    .toSorted()
}

// The reader reads texts of 25 MB at most in lines, within 2 s of processor time in a thread of its
// own: the square of a line is fine there.
function judge({ file, source, flags }: FoundRegex): Verdict {
  const degreeMax = file.startsWith('src/reader/') ? 2 : 1
  const key = `${degreeMax} ${flags} ${source}`
  const known = verdicts.get(key) ?? judgeRegex(source, flags, degreeMax)
  verdicts.set(key, known)
  return known
}

function describe({ file, line, source, flags }: FoundRegex, verdict: Verdict): string {
  const place = `${file}:${line}: /${source}/${flags}`
  switch (verdict.kind) {
    case 'exponential':
      return `${place} takes exponential time.`
    case 'polynomial':
      return `${place} takes the length of its text to the power of ${verdict.degree}.`
    case 'undecided':
      return `${place} could not be judged (${verdict.reason}). Write it more simply.`
    case 'fine':
      return place
  }
}
