// Chooses the links and bare hosts that a report complains about. The others are evidence,
// references or the imitated site.

import { askOnceEach } from '../ask-once.ts'
import type { Occurrence } from '../occurrences/occurrence.ts'
import { type Candidate, collectCandidates, type RoleScore, STRONG } from './candidate.ts'
import { type Chosen, explainLast } from './choose-addresses.ts'
import { classifyLink, IN_PROSE } from './classify-link.ts'
import type { OwnHosts } from './own-hosts.ts'

export interface LinkCandidates {
  /** In reading order. */
  readonly urls: readonly Candidate[]
  readonly hosts: readonly Candidate[]
}

export function listLinks(occurrences: readonly Occurrence[], own: OwnHosts): LinkCandidates {
  const subjectHosts = listSubjectHosts(occurrences, own)
  const classify = (each: Occurrence, isFirst: boolean): RoleScore =>
    classifyLink(each, own, { isFirst, isHostInSubject: subjectHosts.has(nameOf(each)) })
  const classifyOther = askOnceEach((each: Occurrence) => classify(each, false))
  const of = (kind: Occurrence['kind']): readonly Candidate[] => {
    const links = occurrences.filter((each) => each.kind === kind && each.line.kind !== 'enclosed')
    const first = links.find((each) => classifyOther(each).reasons.every(isFor))
    return collectCandidates(links, keyOf, (each) =>
      each === first ? classify(each, true) : classifyOther(each),
    )
  }
  return { urls: of('url'), hosts: of('host') }
}

function nameOf({ host, value }: Occurrence): string {
  return (host ?? value).replace(/^www\./, '')
}

/** Hosts that the subject speaks of, but for those something goes against. */
function listSubjectHosts(occurrences: readonly Occurrence[], own: OwnHosts): ReadonlySet<string> {
  const place = { isFirst: false, isHostInSubject: false }
  const named = occurrences.filter(
    (each) =>
      each.context === 'subject' &&
      (each.kind === 'host' || each.kind === 'url') &&
      each.direction !== 'to' &&
      classifyLink(each, own, place).reasons.every(isFor),
  )
  return new Set(named.map(nameOf))
}

function isFor({ points }: { readonly points: number }): boolean {
  return points > 0
}

/**
 * A key that is equal for equivalent links: it ignores scheme, `www.`, default port, fragment and a
 * slash at the end.
 */
function keyOf({ kind, value }: Occurrence): string {
  if (kind === 'host') return value.replace(/^www\./, '')
  const rest = value.replace(/^[a-z]+:\/\//i, '').replace(/#.*$/, '')
  const at = rest.search(/[/?]/)
  const host = (at === -1 ? rest : rest.slice(0, at)).toLowerCase()
  const path = at === -1 ? '' : rest.slice(at).replace(/\/$/, '')
  return host.replace(/^www\./, '').replace(/:(?:80|443)$/, '') + path
}

// The weight of a link that is alone in its line or is called a link.
const CALLED = 10

/** These kinds of abuse are found at links only. */
export const OF_CONTENT = new Set(
  `Phishing Fraud Malware MalwareHosting Spamvertised Copyright Trademark ChildAbuse Doxing IllegalAdvertisement Violence Propaganda
  Censorship Defacement CompromisedWebsite Backdoor`.split(/\s+/),
)
/**
 * For these kinds of abuse a link may be reported. For the others the address is reported, and a
 * link only if it is named.
 */
export const ABOUT_LINKS = new Set([...OF_CONTENT, 'Harassment', 'MaliciousActivity', 'Unknown'])

/** The event type of the report decides how much evidence a link needs. */
export interface LinkRules {
  /**
   * The kind of abuse may be found at a link, or the report names no address: then the best ones
   * are reported even if unnamed.
   */
  readonly isAboutLinks: boolean
  /**
   * It is found at links and nowhere else (phishing, a trademark): a site that a sentence speaks of
   * is the one.
   */
  readonly isOfContent: boolean
  readonly isAddressNamed: boolean
}

export function chooseLinks({ urls, hosts }: LinkCandidates, rules: LinkRules): Chosen {
  const { isAboutLinks, isOfContent, isAddressNamed } = rules
  // Beside a named address, a link without a label is an explanation.
  const least = isAddressNamed && !isOfContent ? CALLED : 0
  const ranked = [...urls, ...hosts].toSorted((a, b) => b.score - a.score)
  const takenUrls = take(withoutRoots(urls), isAboutLinks, least)
  const hostsOfUrls = new Set(takenUrls.map(({ candidate }) => hostOf(candidate)))
  const free = hosts.filter((each) => !hostsOfUrls.has(hostOf(each)))
  const takenHosts =
    takenUrls.length === 0 ? take(free, isAboutLinks, least) : takeListed(free, takenUrls)
  const taken = [...takenUrls, ...takenHosts]
  if (taken.length > 0) return { taken, ranked }
  const spoken = isOfContent ? take(free.filter(isInSentence).map(raise), true, 0) : []
  return {
    taken: spoken.length > 0 || !isAboutLinks ? spoken : rescue([...urls, ...hosts]),
    ranked,
  }
}

/**
 * `vps7.provider.example[192.0.2.7]` is a name of the address that is reported, and no subject of
 * its own where it is about what a machine did.
 */
export function withoutNamesOf(addresses: Chosen, links: Chosen): Chosen {
  if (links.taken.every(({ candidate }) => candidate.kind !== 'host')) return links
  const names = new Set(
    addresses.taken.flatMap(({ candidate }) => candidate.occurrences.map(readNameBefore)),
  )
  const taken = links.taken.filter(
    ({ candidate }) => candidate.kind !== 'host' || !names.has(candidate.value),
  )
  return { ...links, taken }
}

const NAME_BEFORE = /(?<![\w.-])([\w-]{1,63}(?:\.[\w-]{1,63}){1,8})\.?\s?[[(]{1,2}$/

// A log names it behind an equals sign, where no host is looked for.
function readNameBefore({ line, column }: Occurrence): string | null {
  const left = line.clean.slice(Math.max(0, column - 160), column)
  return NAME_BEFORE.exec(left)?.[1]?.toLowerCase() ?? null
}

/**
 * Links that stand out, where all of them were refused by a word beside them: a word that was read
 * wrongly is more likely than a complaint about nothing.
 */
function rescue(candidates: readonly Candidate[]): Chosen['taken'] {
  const out = candidates.filter(
    ({ role, best }) =>
      (role === 'evidence' || role === 'legitimate site') &&
      !best.isUnderTitle &&
      (best.isAlone || best.isDefanged),
  )
  const groups = new Set(out.slice(0, 1).map(({ best }) => best.group))
  const why = 'every link was refused, and this one stands alone in its line'
  return out.filter(({ best }) => groups.has(best.group)).map((candidate) => ({ candidate, why }))
}

/** Bare hosts that are named, or stand in one list with the links that were taken. */
function takeListed(hosts: readonly Candidate[], urls: Chosen['taken']): Chosen['taken'] {
  const groups = new Set(urls.map(({ candidate }) => candidate.best.group))
  const named = take(hosts, false, 0)
  const isNamed = new Set(named.map(({ candidate }) => candidate))
  const listed = hosts.filter(
    (each) => !isNamed.has(each) && each.score >= 0 && groups.has(each.best.group),
  )
  const why = 'in one list with a link that was chosen'
  return [...named, ...listed.map((candidate) => ({ candidate, why }))]
}

/** True when only the sentence around it is evidence. */
function isInSentence({ role, score, best }: Candidate): boolean {
  return role === 'unnamed' && score < 0 && score >= IN_PROSE && best.context === 'prose'
}

function raise(candidate: Candidate): Candidate {
  const why = 'the site that a report of such abuse speaks of'
  const reason = { points: -IN_PROSE, why, rule: 'site-spoken-of' }
  return { ...candidate, score: 0, reasons: [...candidate.reasons, reason] }
}

/** A site in the subject and one of its pages in the text are the same subject. */
function withoutRoots(urls: readonly Candidate[]): readonly Candidate[] {
  const pages = new Set(
    urls.filter((each) => each.score >= CALLED && !isRootInSubject(each)).map(hostOf),
  )
  return urls.filter((each) => !isRootInSubject(each) || !pages.has(hostOf(each)))
}

const ROOT = /^[a-z]+:\/\/[^/?#]+\/?$/i

function isRootInSubject({ value, occurrences }: Candidate): boolean {
  return ROOT.test(value) && occurrences.every(({ context }) => context === 'subject')
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
    (each) =>
      each === best ||
      (each.score >= 0 && (each.best.group === best.best.group || isBeside(each, best))),
  )
  return kept.map((candidate) => ({ candidate, why: 'the best of those unnamed' }))
}

/**
 * Two pages of one site are both meant; the site itself beside a page of it is only where that is.
 */
function isBeside(other: Candidate, best: Candidate): boolean {
  return hostOf(other) === hostOf(best) && !ROOT.test(other.value)
}

/**
 * The first link of a report without any other candidate, if it is neither the reporter's nor a
 * public reference.
 */
export function chooseLastLink({ ranked }: Chosen): Chosen {
  const candidates = ranked.filter(
    ({ role }) => role === 'evidence' || role === 'legitimate site' || role === 'target',
  )
  const [first] = candidates.toSorted((a, b) => a.best.line.index - b.best.line.index)
  // What a list is said to be is said of all its lines.
  const all = candidates.filter(
    ({ best, role }) => best.group === first?.best.group && role === first.role && best.isAlone,
  )
  const last = first === undefined || all.includes(first) ? all : [first]
  const why = explainLast(candidates)
  return { taken: last.map((candidate) => ({ candidate, why })), ranked }
}
