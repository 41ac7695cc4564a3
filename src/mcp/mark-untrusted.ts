// Parts the words of the service from the words of others in an answer. Whoever writes a report, a
// mail or a comment writes for the model too, so all text is untrusted unless its member is listed
// here and its value has the shape of that member. What is not listed is untrusted: a member that a
// later version of the interface adds, too.

/** A text that is `given` of `of` long, or a list with so many of its entries. */
export interface Cut {
  /** A JSON pointer into the record as the service gives it. */
  readonly at: string
  readonly unit: 'characters' | 'entries'
  readonly given: number
  readonly of: number
}

export interface Marking {
  /** What stands before and after untrusted text. */
  readonly delimiters: Delimiters
  readonly textMax: number
  readonly entriesMax: number
}

export interface Delimiters {
  readonly open: string
  readonly close: string
}

export interface Marked {
  readonly value: unknown
  readonly hasUntrusted: boolean
  readonly cuts: readonly Cut[]
}

/** The text is in a member of this name, and nowhere else. */
export interface Untrusted {
  readonly untrusted: string
}

const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?Z$/
// The ids that the service makes: a UUID, with the letters of its kind in front.
const ID = /^(?:[A-Za-z]{1,8}[-_])?[0-9a-fA-F-]{16,40}$/
// An enumeration, a type of event, the name of a node or of a path. Without dots and blanks, and
// short: no sentence, and no name of a host, is a word.
const WORD = /^[\w-]{1,48}$/
const ADDRESS = /^[0-9a-fA-F.:/]{2,50}$/
// What was asked about, and what a list has: addresses and names of hosts.
const ITEM = /^[\w.:/-]{1,253}$/
const SCOPE = /^[a-z]{1,20}:[a-z]{1,20}$/
const CURSOR = /^[\w.~+/=-]{0,2000}$/

const SHAPES: ReadonlyMap<string, RegExp> = new Map([
  ...name(
    TIME,
    'aware_at at create_date created_at deadline_at due_at ended_at event_date expires firstSeen',
  ),
  ...name(TIME, 'first_event_date lastSeen lastUpdate lastVerification last_event_date last_seen'),
  ...name(TIME, 'resolved_at sealed_at since timeout_at updated_at'),
  ...name(
    ID,
    'case_id event_id id linked_case_id merged_into playbook_id report_id run_id token_id',
  ),
  ...name(
    WORD,
    'case_group close_reason countryCode customer_status event_type event_types intent',
  ),
  ...name(
    WORD,
    'kind kinds node party path paths playbook_state playbook_step relation resolution',
  ),
  ...name(WORD, 'role serviceMailBlocklist severity state status tenant_id type value waiting_on'),
  ...name(WORD, 'what xarf_class asn'),
  ...name(ADDRESS, 'event_ips ip prefix'),
  ...name(ITEM, 'canonical entries item subject'),
  ...name(SCOPE, 'scopes'),
  ...name(CURSOR, 'next_cursor snapshot'),
])

/** Members whose own members the interface names. Every other object is untrusted as a whole. */
const STRUCTURE: ReadonlySet<string> = new Set(
  [
    'abuseContact activity asn bogon counters current customer deadlines entries',
    'first_decision honeypotInteractions intent items last_event matched observations',
    'observedActivity prefixes read_as references result reverseDns rollUp',
    'serviceMailBlocklist source spamtrapInteractions summary tags timeline waiting',
  ].flatMap((line) => line.split(' ')),
)

function name(shape: RegExp, members: string): readonly (readonly [string, RegExp])[] {
  return members.split(' ').map((member) => [member, shape])
}

/** The value with all text of others marked, and with long texts and lists cut. */
export function markUntrusted(value: unknown, marking: Marking): Marked {
  const cuts: Cut[] = []
  let hasUntrusted = false

  const wrap = (text: string, at: string): Untrusted => {
    hasUntrusted = true
    const given = takeCharacters(text, marking.textMax)
    if (given.length < text.length) {
      cuts.push({ at, unit: 'characters', given: given.length, of: text.length })
    }
    return quote(given, marking.delimiters)
  }

  const mark = (one: unknown, member: string, at: string): unknown => {
    if (one === null || typeof one === 'number' || typeof one === 'boolean') return one
    if (typeof one === 'string') return isPlain(member, one) ? one : wrap(one, at)
    if (!isStructure(one, member)) return wrap(JSON.stringify(one), at)
    if (Array.isArray(one)) return markList(one, member, at)
    return Object.fromEntries(
      Object.entries(Object(one)).map(([key, held]) => [
        key,
        mark(held, key, `${at}/${escapePointer(key)}`),
      ]),
    )
  }

  const markList = (list: readonly unknown[], member: string, at: string): unknown => {
    if (list.length > marking.entriesMax) {
      cuts.push({ at, unit: 'entries', given: marking.entriesMax, of: list.length })
    }
    return list
      .slice(0, marking.entriesMax)
      .map((one, index) => mark(one, member, `${at}/${index}`))
  }

  return { value: mark(value, '', ''), hasUntrusted, cuts }
}

/**
 * Whether an object or a list is given part by part; any other one is a single untrusted text. The
 * record itself has the member ''.
 */
function isStructure(value: unknown, member: string): boolean {
  if (!Array.isArray(value)) {
    return typeof value === 'object' && (member === '' || STRUCTURE.has(member))
  }
  const isText = value.every((one) => typeof one === 'string')
  return isText ? value.every((one) => isPlain(member, one)) : STRUCTURE.has(member)
}

/** The text between the delimiters, with everything visible that a person would not see. */
export function quote(text: string, { open, close }: Delimiters): Untrusted {
  return { untrusted: `${open}${showInvisible(text)}${close}` }
}

function isPlain(member: string, text: string): boolean {
  return text === '' || SHAPES.get(member)?.test(text) === true
}

// Instructions are hidden from people in tags, marks of direction and characters without width (the
// category), and in fillers and variation selectors, which are letters and marks by their category.
const INVISIBLE = /[^\P{C}\n\t]|\p{Default_Ignorable_Code_Point}/gu

function showInvisible(text: string): string {
  return text.replaceAll(INVISIBLE, (one) => `\\u{${one.codePointAt(0)?.toString(16)}}`)
}

/** At most so many UTF-16 units, and no half of a pair. */
export function takeCharacters(text: string, max: number): string {
  if (text.length <= max) return text
  const code = text.charCodeAt(max - 1)
  return text.slice(0, code >= 0xd800 && code < 0xdc00 ? max - 1 : max)
}

/** RFC 6901. */
export function escapePointer(key: string): string {
  return key.replaceAll('~', '~0').replaceAll('/', '~1')
}

export interface FoundPart {
  readonly value: unknown
  /** The member that it is in; for an entry of a list the member that has the list. */
  readonly member: string
  /** False: it is, or is inside of, what answers give as a single untrusted text. */
  readonly isStructure: boolean
}

/** What the pointer leads to in a record; null when there is nothing. */
export function findPart(record: unknown, pointer: string): FoundPart | null {
  let part: FoundPart = { value: record, member: '', isStructure: isStructure(record, '') }
  for (const escaped of pointer.split('/').slice(1)) {
    const key = escaped.replaceAll('~1', '/').replaceAll('~0', '~')
    const { value: held } = part
    if (typeof held !== 'object' || held === null || !Object.hasOwn(held, key)) return null
    const value: unknown = Reflect.get(held, key)
    const member = Array.isArray(held) ? part.member : key
    part = { value, member, isStructure: part.isStructure && isStructure(value, member) }
  }
  return part
}
