// Finds records of registries that were pasted into a mail: whois as `key: value`, and RDAP (RFC
// 9083) as JSON. They tell who runs a network or a name, and nobody is blamed by them.

/** The first and the last line of a record. */
type LineRange = readonly [first: number, last: number]

const FIELD =
  /^[>\s|]{0,8}(?:inet6?num|netname|nethandle|netrange|nettype|cidr|org(?:name|id|abuse\w*|tech\w*|noc\w*|-name|-type)|originas|mnt-\w+|admin-c|tech-c|zone-c|abuse-c|abuse-mailbox|abuse contact|nic-hdl(?:-br)?|route6?|aut-num|as-name|registrar(?:[ /]\w+)*|registrant(?:[ /]\w+)*|registry(?: \w+)*|(?:admin|tech|billing|administrative|technical)(?: [\w/]+){1,3}|name ?servers?|nserver|whois server|domain status|dnssec|url of the icann[\w ]{1,60}|creation date|updated date|expir\w+(?: date)?|created|last-modified|changed|source|country|descr|organi[sz]ation|owner(?:id)?|responsible|org|role|irt|notify|geoloc|language|origin|comment|remarks|person|phone|fax-no|e-mail|address|parent|ref|regdate|updated|custname|stateprov|postalcode|city)\s{0,30}:/i
/** What only a record has. */
const SURE =
  /^[>\s|]{0,8}(?:inet6?num|netname|nethandle|netrange|nettype|cidr|org(?:name|id|abuse\w*|tech\w*|noc\w*|-name|-type)|originas|mnt-\w+|admin-c|tech-c|zone-c|abuse-c|abuse-mailbox|nic-hdl(?:-br)?|route6?|aut-num|as-name|registrar(?:[ /]\w+)*|registrant(?:[ /]\w+)*|registry (?:\w+ ){0,2}\w+|name ?servers?|nserver|whois server|domain status|dnssec|creation date|updated date|regdate|last-modified)\s{0,30}:/i
// The reporter's own forms have these names as well, and then say who did it.
const OWN_FIELD =
  /^[>\s|]{0,8}(?:source|address|owner|origin|comment)\s{0,30}:.{0,200}(?:\d\.\d{1,3}\.\d|hxx)|^[>\s|]{0,8}(?:source|address|owner|origin)\s{0,30}:.{0,200}:\/\//i
const REMARK = /^[>\s]{0,8}[%#] /
const GAP_MAX = 2
const RECORD_LINES_MIN = 3
const SURE_FIELDS_MIN = 2

/** The records of the text. A single field, such as `CIDR: 192.0.2.0/24`, is the reporter's own. */
export function listRegistry(lines: readonly string[]): readonly LineRange[] {
  const ranges: LineRange[] = []
  for (let at = 0; at < lines.length; at += 1) {
    const range = rangeAt(lines, at)
    if (range === null) continue
    ranges.push(range)
    at = range[1]
  }
  return ranges
}

function rangeAt(lines: readonly string[], at: number): LineRange | null {
  const line = lines[at] ?? ''
  if (SURE.test(line)) return findRecord(lines, at)
  return isJsonMark(line) ? findJson(lines, at) : null
}

function isField(line: string): boolean {
  return FIELD.test(line) && !OWN_FIELD.test(line)
}

function findRecord(lines: readonly string[], at: number): LineRange | null {
  let first = at
  while (first > 0 && isField(lines[first - 1] ?? '')) first -= 1
  let last = at
  let sure = 0
  for (let next = at; next < lines.length && next - last <= GAP_MAX; next += 1) {
    const line = lines[next] ?? ''
    if (SURE.test(line)) sure += 1
    if (isField(line) || REMARK.test(line) || isValueOf(lines[last] ?? '', line)) last = next
  }
  return last - first + 1 >= RECORD_LINES_MIN && sure >= SURE_FIELDS_MIN ? [first, last] : null
}

const LIST_FIELD = /^[>\s|]{0,8}[\w /-]{2,40}:\s*$/

/** Indented below a field without a value, or below such a line. */
function isValueOf(above: string, line: string): boolean {
  const depth = depthOf(line)
  if (line.trim() === '' || line.includes(': ')) return false
  if (LIST_FIELD.test(above)) return depth > depthOf(above)
  return depth > 0 && depth === depthOf(above) && !above.includes(':')
}

function depthOf(line: string): number {
  return /^[>\s]{0,40}/.exec(line)?.[0].length ?? 0
}

const JSON_LINES_MAX = 1_000
const JSON_LINE = /^[>\s]{0,60}(?:[{}[\]"]|(?:[\d.]{1,20}|true|false|null),?\s{0,5}$)/
// The outer braces are not indented.
const JSON_START = /^[> ]{0,4}\{/
const JSON_END = /^[> ]{0,4}\}/

function isJsonMark(line: string): boolean {
  return /"(?:objectClassName|rdapConformance)"\s{0,5}:/.test(line)
}

function findJson(lines: readonly string[], at: number): LineRange {
  let first = at
  while (at - first < JSON_LINES_MAX && !JSON_START.test(lines[first] ?? '')) {
    if (!JSON_LINE.test(lines[first - 1] ?? '')) break
    first -= 1
  }
  let last = at
  while (last - at < JSON_LINES_MAX && !JSON_END.test(lines[last] ?? '')) {
    if (!JSON_LINE.test(lines[last + 1] ?? '')) break
    last += 1
  }
  return [first, last]
}
