// What a report tells of one address or link by what stands beside it: ports and the protocol.

import { compileMeaning, sourceOf } from '../words/compile-words.ts'
import type { TextLine } from './lines/text-lines.ts'
import type { Occurrence } from './occurrences/occurrence.ts'
import type { Fact } from './read-facts.ts'

const WRITTEN = { text: 'as written' } as const

export interface NearFacts {
  readonly port: Fact<number> | null
  readonly targetPort: Fact<number> | null
  /**
   * Ports of other addresses around it, by the address: `… connected to our sinkhole 192.0.2.1 port
   * 8080`.
   */
  readonly otherPorts: ReadonlyMap<string, Fact<number>>
  /** The first of them in a line that names this one as well. */
  readonly besidePort: Fact<number> | null
  readonly protocol: Fact<string> | null
}

const TARGET_PORT = new RegExp(
  `(?<![\\p{L}\\d])${sourceOf('port.target', WRITTEN)}\\s{0,3}[:=|]?\\s{0,3}(\\d{1,5})(?!\\d)`,
  'iu',
)
const SOURCE_PORT = new RegExp(
  `(?<![\\p{L}\\d])${sourceOf('port.source', WRITTEN)}\\s{0,3}[:=|]?\\s{0,3}(\\d{1,5})(?!\\d)`,
  'iu',
)
const PORT = new RegExp(
  `(?<![\\w-])${sourceOf('port', WRITTEN)}\\s{0,3}[:=#|(]?\\s{0,3}(\\d{1,5})(?!\\d)`,
  'iu',
)
const PORT_PROTOCOL = /(?<![\w.])(\d{1,5})\/(tcp|udp)\b|\b(tcp|udp)[/ :](?:port )?(\d{1,5})(?!\d)/i
const PROTOCOL = new RegExp(
  `\\b${sourceOf('protocol', WRITTEN)}\\s{0,3}[:=|]\\s{0,3}([a-z]{2,10})`,
  'iu',
)
const BARE_PROTOCOL = /(?<![\w/-])(tcp|udp|icmp|sctp|gre)(?![\w-])/i

// Most lines name neither.
const MAYBE_PROTOCOL = /tcp|udp|icmp|sctp|gre/i
const MAYBE_PORT = compileMeaning('port.maybe', WRITTEN)

// A fact about an address stands in its line or in the list of facts around it.
const FACT_LINES = 6
const LINE_LENGTH_MAX = 400
const OWN_LENGTH_MAX = 1_000

/** What one line tells, whatever it is asked for; null where it does not tell that. */
interface LineFacts {
  readonly line: TextLine
  readonly targetPort: number | null
  readonly sourcePort: number | null
  /** `port 22` of a line that names no port of the target. */
  readonly port: OwnedPort | null
  /** `22/tcp`; its port is null when no port has that number. */
  readonly pair: { readonly port: OwnedPort | null; readonly protocol: string | null } | null
  readonly namedProtocol: string | null
  readonly bareProtocol: string | null
}

interface OwnedPort {
  readonly number: number
  /** The address that stands before it in its line; null where none does. */
  readonly address: string | null
}

/** Reads each line once, however many addresses stand near it. */
export class Surroundings {
  readonly #lines: readonly TextLine[]
  readonly #known = new Map<TextLine, LineFacts>()
  readonly #addresses: ReadonlyMap<TextLine, readonly Occurrence[]>

  /** `occurrences` are those of the lines. */
  constructor(lines: readonly TextLine[], occurrences: readonly Occurrence[]) {
    this.#lines = lines
    const addresses = occurrences.filter(({ kind }) => kind === 'ip' || kind === 'range')
    this.#addresses = Map.groupBy(addresses, ({ line }) => line)
  }

  /** What stands beside this one. */
  read(occurrence: Occurrence): NearFacts {
    const own = occurrence.line.clean.slice(occurrence.end, occurrence.end + LINE_LENGTH_MAX)
    const around = this.#listAround(occurrence)
    const otherPorts = this.#listOtherPorts(occurrence, around)
    const startsWithPort = /^\s{0,2}(?:,? ?port|#)\s?\d/i.test(own)
    const next = startsWithPort ? toPort(PORT.exec(own)?.[1]) : null
    const pair = around.find((facts) => facts.pair !== null)
    const ofPair = (value: string | null | undefined): Fact<string> | null =>
      pair === undefined || !value ? null : { value, line: pair.line }
    const port =
      toFact(occurrence.port ?? next, occurrence.line) ??
      firstOf(around, 'sourcePort') ??
      this.#findOwn(occurrence, around, ({ port: owned }) => owned) ??
      this.#findOwn(occurrence, around, (facts) => facts.pair?.port ?? null)
    const protocol =
      firstOf(around, 'namedProtocol') ??
      ofPair(pair?.pair?.protocol) ??
      toFact(BARE_PROTOCOL.exec(own)?.[1] ?? null, occurrence.line) ??
      firstOf(around, 'bareProtocol')
    return {
      port,
      targetPort: firstOf(around, 'targetPort'),
      otherPorts,
      besidePort:
        [...otherPorts.values()].find(({ line }) => this.#names(line, occurrence)) ?? null,
      protocol: protocol === null ? null : { ...protocol, value: protocol.value.toLowerCase() },
    }
  }

  /** The first port that belongs to this place: one behind another address belongs to that. */
  #findOwn(
    occurrence: Occurrence,
    around: readonly LineFacts[],
    portOf: (facts: LineFacts) => OwnedPort | null,
  ): Fact<number> | null {
    for (const facts of around) {
      const owned = portOf(facts)
      if (owned === null) continue
      const owner = owned.address ?? this.#findAddressAbove(facts.line, occurrence)
      if (owner === null || owner === occurrence.value) {
        return { value: owned.number, line: facts.line }
      }
    }
    return null
  }

  #listOtherPorts(
    occurrence: Occurrence,
    around: readonly LineFacts[],
  ): ReadonlyMap<string, Fact<number>> {
    const ports = new Map<string, Fact<number>>()
    for (const { port, pair, line } of around) {
      const owned = port ?? pair?.port ?? null
      if (owned === null) continue
      const owner = owned.address ?? this.#findAddressAbove(line, occurrence)
      if (owner === null || owner === occurrence.value || ports.has(owner)) continue
      ports.set(owner, { value: owned.number, line })
    }
    return ports
  }

  #names(line: TextLine, { value }: Occurrence): boolean {
    return this.#addresses.get(line)?.some((each) => each.value === value) ?? false
  }

  /**
   * The address that a line of facts without one belongs to: that of the line directly above it,
   * where that stands below the place.
   */
  #findAddressAbove(line: TextLine, occurrence: Occurrence): string | null {
    const above = this.#lines[line.index - 1]
    if (above === undefined || above.index <= occurrence.line.index) return null
    return this.#addresses.get(above)?.at(-1)?.value ?? null
  }

  /** Its own line, then those around it, the nearest first. */
  #listAround(occurrence: Occurrence): readonly LineFacts[] {
    const { line } = occurrence
    const isLong = line.clean.length > LINE_LENGTH_MAX
    const around = [isLong ? this.#readLine(line, OWN_LENGTH_MAX) : this.#factsOf(line)]
    // A row says nothing of the rows around it.
    const isRow = occurrence.context === 'log' || occurrence.context === 'table'
    if (line.kind === 'subject' || isRow) return around
    for (let step = 1; step <= FACT_LINES; step += 1) {
      for (const index of [line.index + step, line.index - step]) {
        const near = this.#lines[index]
        if (near?.part === line.part) around.push(this.#factsOf(near))
      }
    }
    return around
  }

  #factsOf(line: TextLine): LineFacts {
    const known = this.#known.get(line)
    if (known !== undefined) return known
    const facts = this.#readLine(line, LINE_LENGTH_MAX)
    this.#known.set(line, facts)
    return facts
  }

  #readLine(line: TextLine, lengthMax: number): LineFacts {
    const text = line.clean.slice(0, lengthMax)
    const hasPort = MAYBE_PORT.test(text)
    const hasProtocol = MAYBE_PROTOCOL.test(text)
    const target = hasPort ? TARGET_PORT.exec(text) : null
    const port = hasPort && target === null ? PORT.exec(text) : null
    const pair = hasProtocol ? PORT_PROTOCOL.exec(text) : null
    // `22/tcp` or `tcp/22`.
    const [, portBefore, protocolBehind, protocolBefore, portBehind] = pair ?? []
    return {
      line,
      targetPort: toPort(target?.[1]),
      sourcePort: hasPort ? toPort(SOURCE_PORT.exec(text)?.[1]) : null,
      port: port === null ? null : this.#ownPort(line, port.index, toPort(port[1])),
      pair:
        pair === null
          ? null
          : {
              port: this.#ownPort(line, pair.index, toPort(portBefore ?? portBehind)),
              protocol: protocolBehind ?? protocolBefore ?? null,
            },
      namedProtocol: PROTOCOL.exec(text)?.[1] ?? null,
      bareProtocol: hasProtocol ? (BARE_PROTOCOL.exec(text)?.[1] ?? null) : null,
    }
  }

  #ownPort(line: TextLine, at: number, number: number | null): OwnedPort | null {
    if (number === null) return null
    const before = this.#addresses.get(line)?.findLast(({ end }) => end <= at)
    return { number, address: before?.value ?? null }
  }
}

function firstOf<Name extends 'targetPort' | 'sourcePort' | 'namedProtocol' | 'bareProtocol'>(
  around: readonly LineFacts[],
  name: Name,
): Fact<NonNullable<LineFacts[Name]>> | null {
  for (const facts of around) {
    const found = toFact(facts[name], facts.line)
    if (found !== null) return found
  }
  return null
}

function toFact<Value>(value: Value | null, line: TextLine): Fact<NonNullable<Value>> | null {
  return value === null || value === undefined ? null : { value, line }
}

function toPort(text: string | undefined): number | null {
  const port = Number(text ?? Number.NaN)
  return Number.isInteger(port) && port > 0 && port < 65_536 ? port : null
}
