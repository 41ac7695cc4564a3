// Chooses the event type of a row: by the name of the file, else by the words of the row, else by
// the mail around it.

import { EVENT_TYPES, toSubtypeSlug } from '../../vocabulary/event-types.ts'
import type { Classification } from '../text/evidence/classify-report.ts'
import type { ReportKind } from './shadowserver-kinds.ts'
import { listCves } from './table-cells.ts'

/** The cells that tell what a row is about, empty where there is none. */
export interface RowWords {
  readonly category: string
  readonly tag: string
  readonly malware: string
  readonly cve: string
  readonly service: string
  readonly hasUrl: boolean
}

export interface RowKind {
  readonly eventType: string
  readonly eventSubtypes: readonly string[]
  /** For the finding: what said so. */
  readonly reason: string
}

// Words as categories and tags use them, the special before the general.
const WORDS: readonly (readonly [RegExp, string])[] = [
  [/\bphish/i, 'Phishing'],
  [/amplif|reflect|amplifier/i, 'DDosAmplification'],
  [/\bd?dos\b|denial.of.service|\bflood/i, 'DDos'],
  [/brute.?force|login.?(?:attack|attempt)|credential.?stuff|password.?guess/i, 'LoginAttack'],
  [/port.?scan|\bscan(?:ner|ning)?\b|darknet/i, 'PortScan'],
  [/sql.?inj|web.?(?:attack|hack)|\bxss\b|path.?traversal|\bwebapp/i, 'WebHack'],
  [/exploit/i, 'Exploit'],
  [/deface/i, 'Defacement'],
  [/web.?shell|backdoor/i, 'Backdoor'],
  [/compromised.?web|hacked.?(?:web|site)/i, 'CompromisedWebsite'],
  [/compromised.?(?:account|mailbox)|leaked.?cred/i, 'CompromisedAccount'],
  [/compromised|hacked/i, 'CompromisedServer'],
  [/botnet|\bbots?\b|\bdrone|sinkhole|infected|\bc2\b|\bc&c\b|command.and.control/i, 'Bot'],
  [/malware.?(?:url|host|distribution|download)/i, 'MalwareHosting'],
  [/open.?(?:relay|proxy|resolver|service)|exposed|accessible|misconfig/i, 'Open'],
  [/vulnerab|\bcve\b/i, 'CVE'],
  [/malware|trojan|ransom|virus|\bworm\b/i, 'Malware'],
  [/black.?list|block.?list|\brbl\b/i, 'Blacklist'],
  [/copyright|piracy|p2p|torrent|dmca/i, 'Copyright'],
  [/trade.?mark|brand/i, 'Trademark'],
  [/fraud|scam/i, 'Fraud'],
  [/\bspam.?trap|\btrap\b/i, 'Trap'],
  [/\bspam|unsolicited/i, 'Spam'],
  [/\bcrawl|\bscrap(?:er|ing)/i, 'WebCrawler'],
]

/** What the mail around the table says of itself. */
export interface MailWords {
  readonly classified: Classification
  readonly subject: string
}

/** `fromMail` is asked only when neither the file nor the row tells, and may cost. */
export function chooseRowKind(
  words: RowWords,
  fromFile: ReportKind | null,
  fromMail: () => MailWords,
): RowKind {
  const own = listOwnSubtypes(words)
  if (fromFile !== null) {
    const eventSubtypes = [...fromFile.eventSubtypes, ...own]
    const reason = `The name of the file tells the kind: ${fromFile.name}.`
    return { eventType: fromFile.eventType, eventSubtypes, reason }
  }
  const told = readKindWords(words)
  if (told !== null) return { ...told, eventSubtypes: own }
  const { classified, subject } = fromMail()
  if (classified.eventType !== 'Unknown' && classified.margin > 0) {
    const eventSubtypes = [...classified.eventSubtypes, ...own]
    const reason = 'The words of the mail tell it.'
    return { eventType: classified.eventType, eventSubtypes, reason }
  }
  const eventType = readKindWord(subject)
  if (eventType !== null) {
    return { eventType, eventSubtypes: own, reason: 'The subject of the mail tells it.' }
  }
  const reason = 'Neither the file nor the row nor the mail tells a kind.'
  return { eventType: 'MaliciousActivity', eventSubtypes: own, reason }
}

function readKindWords(words: RowWords): Pick<RowKind, 'eventType' | 'reason'> | null {
  for (const [what, text] of [
    ['category', words.category],
    ['tag', words.tag],
  ] as const) {
    const eventType = readKindWord(text)
    if (eventType !== null) return { eventType, reason: `The ${what} of the row tells it.` }
  }
  if (words.cve !== '') return { eventType: 'CVE', reason: 'The row names a vulnerability.' }
  if (words.malware === '') return null
  const eventType = words.hasUrl ? 'MalwareHosting' : 'Bot'
  return { eventType, reason: 'The row names malware.' }
}

/** The event type that a word or short phrase stands for, null when it is none we know. */
export function readKindWord(text: string): string | null {
  const phrase = text.slice(0, 200).replaceAll(/[_-]/g, ' ')
  if (phrase.trim() === '') return null
  if (EVENT_TYPES.has(text.trim())) return text.trim()
  return WORDS.find(([pattern]) => pattern.test(phrase))?.[1] ?? null
}

// The name of the malware and the numbers of vulnerabilities tell events of one kind apart.
function listOwnSubtypes({ malware, cve, tag, service }: RowWords): readonly string[] {
  const texts = [malware, ...listCves(`${cve} ${tag}`), service]
  return texts.flatMap((text) =>
    text === '' || text.length > 64 ? [] : (toSubtypeSlug(text) ?? []),
  )
}
