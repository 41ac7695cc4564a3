// Checks the regular expressions of src: none may take exponential time, nor more than linear time
// where nothing else bounds its work. Takes a minute of processor time or two, so it is a step of
// its own. With files as arguments it checks these.

import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { findPackageRoot } from '../src/values/resources.ts'
import { collectRegexes, type FoundRegex } from './regex/collect-regexes.ts'
import { judgeAll } from './regex/judge-all.ts'
import type { Verdict } from './regex/judge-regex.ts'
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
const asked = new Map(
  regexes
    .filter(({ source }) => !REGEX_EXCEPTIONS.has(source))
    .map((regex) => [keyOf(regex), { ...regex, degreeMax: degreeMaxOf(regex) }]),
)
const judged = await judgeAll([...asked.values()])
const verdicts = new Map([...asked.keys()].map((key, index) => [key, judged[index]]))
const findings: string[] = []
for (const regex of regexes) {
  const verdict = verdicts.get(keyOf(regex))
  if (verdict === undefined || verdict.kind === 'fine') continue
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
function degreeMaxOf({ file }: FoundRegex): number {
  return file.startsWith('src/reader/') ? 2 : 1
}

/** What is judged once, wherever it stands. */
function keyOf(regex: FoundRegex): string {
  return `${degreeMaxOf(regex)} ${regex.flags} ${regex.source}`
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
