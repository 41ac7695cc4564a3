// Which links and bare hosts of a report are complained about, and which are evidence, references or the site that is imitated.

import { type Candidate, gatherCandidates, STRONG } from './candidate.ts'
import type { Chosen } from './choose-addresses.ts'
import { judgeLink } from './judge-link.ts'
import type { Occurrence } from './occurrence.ts'
import type { OwnHosts } from './own-hosts.ts'

export interface LinkCandidates {
  /** In reading order. */
  readonly urls: readonly Candidate[]
  readonly hosts: readonly Candidate[]
}

export function listLinks(occurrences: readonly Occurrence[], own: OwnHosts): LinkCandidates {
  const of = (kind: Occurrence['kind']): readonly Candidate[] => {
    const links = occurrences.filter((each) => each.kind === kind && each.line.kind !== 'enclosed')
    const first = links.find((each) => judgeLink(each, own, false).reasons.every(isFor))
    return gatherCandidates(links, keyOf, (each) => judgeLink(each, own, each === first))
  }
  return { urls: of('url'), hosts: of('host') }
}

function isFor({ points }: { readonly points: number }): boolean {
  return points > 0
}

/** Links that lead to the same are one: scheme, `www.`, default port, fragment and a slash at the end make no difference. */
function keyOf({ kind, value }: Occurrence): string {
  if (kind === 'host') return value.replace(/^www\./, '')
  const rest = value.replace(/^[a-z]+:\/\//i, '').replace(/#.*$/, '')
  const at = rest.search(/[/?]/)
  const host = (at === -1 ? rest : rest.slice(0, at)).toLowerCase()
  const path = at === -1 ? '' : rest.slice(at).replace(/\/$/, '')
  return host.replace(/^www\./, '').replace(/:(?:80|443)$/, '') + path
}

// What a link has that stands alone in its line, or is called a link.
const CALLED = 10

/**
 * `isAboutLinks`: the kind of abuse is found at a link (phishing), or the report names no address; then the best ones are reported
 * even if nobody says so. Otherwise only those that are named.
 */
export function chooseLinks(
  { urls, hosts }: LinkCandidates,
  isAboutLinks: boolean,
  isAddressNamed: boolean,
): Chosen {
  // Beside an address that is named, a link that merely stands there explains something.
  const least = isAddressNamed ? CALLED : 0
  const ranked = [...urls, ...hosts].toSorted((a, b) => b.score - a.score)
  const takenUrls = take(withoutRoots(urls), isAboutLinks, least)
  const places = new Set(takenUrls.map(({ candidate }) => hostOf(candidate)))
  const free = hosts.filter((each) => !places.has(hostOf(each)))
  const takenHosts = take(free, isAboutLinks && takenUrls.length === 0, least)
  return { taken: [...takenUrls, ...takenHosts], ranked }
}

/** The site in the subject and a page of it in the text are one matter. */
function withoutRoots(urls: readonly Candidate[]): readonly Candidate[] {
  const pages = new Set(
    urls.filter((each) => each.score >= CALLED && !isRootInSubject(each)).map(hostOf),
  )
  return urls.filter((each) => !isRootInSubject(each) || !pages.has(hostOf(each)))
}

function isRootInSubject({ value, occurrences }: Candidate): boolean {
  const isRoot = /^[a-z]+:\/\/[^/?#]+\/?$/i.test(value)
  return isRoot && occurrences.every(({ place }) => place === 'subject')
}

function hostOf({ best }: Candidate): string {
  return (best.host ?? best.value).replace(/^www\./, '')
}

function take(
  candidates: readonly Candidate[],
  isAboutLinks: boolean,
  least: number,
): Chosen['taken'] {
  const strong = candidates.filter(({ score }) => score >= STRONG)
  if (strong.length > 0) {
    const groups = new Set(strong.map(({ best }) => best.group))
    const kept = candidates.filter(
      (each) => each.score >= STRONG || (each.score > 0 && groups.has(each.best.group)),
    )
    return kept.map((candidate) => ({ candidate, why: 'named as what is reported' }))
  }
  if (!isAboutLinks) return []
  const [best] = candidates
    .filter(({ score }) => score >= least)
    .toSorted((a, b) => b.score - a.score)
  if (best === undefined) return []
  const kept = candidates.filter(
    (each) => each === best || (each.score >= 0 && each.best.group === best.best.group),
  )
  return kept.map((candidate) => ({ candidate, why: 'the best of those unnamed' }))
}

/** When a report names nothing else: its first link that is neither the reporter's nor a public reference. */
export function chooseLastLink({ ranked }: Chosen): Chosen {
  const [first] = ranked
    .filter(({ role }) => role === 'evidence' || role === 'legitimate site' || role === 'target')
    .toSorted((a, b) => a.best.line.index - b.best.line.index)
  return {
    taken: first === undefined ? [] : [{ candidate: first, why: 'the only one there is' }],
    ranked,
  }
}
