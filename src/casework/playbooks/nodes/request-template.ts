// Templates in what nodes send and write (LiquidJS): a URL, headers, JSON and texts. A value can
// never leave its place: in a URL it is percent-encoded, in JSON it is one string, and in a header
// it has no line break.

import type { Template } from 'liquidjs'
import { isJsonObject } from '../../../values/json-value.ts'
import {
  createStepBudget,
  listVariables,
  parseTemplate,
  renderTemplate,
  type StepBudget,
} from '../../notices/template-engine.ts'
import { type Facts, NO_FACTS } from '../case-facts.ts'
import type { ConfigReading } from '../node-kind.ts'
import { type ConfigValue, readValue, type ValueReader, ValueTrouble } from './value-config.ts'

type Place = readonly (string | number)[]

const RENDERED_LENGTH_MAX = 65_536
const URL_LENGTH_MAX = 8_000
const TEMPLATES_MAX = 100

const VARIABLES = ['case', 'event', 'events', 'customer', 'vars', 'run', 'now'] as const
// Their members are not fixed.
const OPEN_VARIABLES: ReadonlySet<string> = new Set(['vars', 'now'])

/** The variables of one visit, and the steps that its templates may take together. */
export interface TemplateView {
  readonly values: object
  readonly budget: StepBudget
}

export function createTemplateView(facts: Facts): TemplateView {
  const shown = Object.fromEntries(VARIABLES.map((name) => [name, facts[name]]))
  // Times as ISO 8601, which the filter `date` reads too; counts are small.
  const text = JSON.stringify(shown, (_, value: unknown) => {
    return typeof value === 'bigint' ? Number(value) : value
  })
  const values: unknown = JSON.parse(text)
  return { values: isJsonObject(values) ? values : {}, budget: createStepBudget() }
}

/** Throws ValueTrouble. */
function render(template: Template[], { values, budget }: TemplateView): string {
  const rendered = renderTemplate(template, values, RENDERED_LENGTH_MAX, budget)
  if (rendered.kind === 'rendered') return rendered.text
  throw new ValueTrouble(rendered.reason)
}

export function hasTemplate(text: string): boolean {
  return text.includes('{{') || text.includes('{%')
}

/** Null when a problem was told. */
function readText(
  text: string,
  place: Place,
  { refuse }: ConfigReading,
  escape: 'none' | 'url' = 'none',
): Template[] | null {
  const parsed = parseTemplate(text, escape)
  if (parsed.kind === 'trouble') return refuse(place, parsed.reason)
  for (const { path, line, column } of listVariables(parsed.template)) {
    const [root = '', member] = path
    if (isShown(root, member)) continue
    const name = path.slice(0, 2).join('.')
    return refuse(place, `Line ${line}, column ${column}: there is no variable ${name}.`)
  }
  return parsed.template
}

function isShown(root: string, member: string | undefined): boolean {
  const name = VARIABLES.find((one) => one === root)
  if (name === undefined) return false
  return member === undefined || OPEN_VARIABLES.has(name) || Object.hasOwn(NO_FACTS[name], member)
}

/** A text as it stands, or a template. */
export interface TextTemplate {
  /** Throws ValueTrouble. */
  readonly render: (view: TemplateView) => string
}

export function readTextTemplate(
  text: string,
  place: Place,
  reading: ConfigReading,
): TextTemplate | null {
  if (!hasTemplate(text)) return { render: () => text }
  const template = readText(text, place, reading)
  return template && { render: (view) => render(template, view) }
}

export interface UrlTemplate extends TextTemplate {
  /** The whole URL, or scheme, host and port where the rest has templates. */
  readonly constant: string
}

const ORIGIN = /^https?:\/\/[^/?#\\{}\s@]+/i

/**
 * An absolute http or https URL whose path and query may have templates. Scheme, host and port are
 * those of the config, and a value makes neither a path of several segments nor another parameter.
 */
export function readUrlTemplate(
  url: string,
  field: string,
  reading: ConfigReading,
): UrlTemplate | null {
  const { refuse } = reading
  if (!hasTemplate(url)) {
    const parsed = URL.parse(url)
    if (parsed !== null && ['https:', 'http:'].includes(parsed.protocol)) {
      return { constant: url, render: () => url }
    }
    return refuse(field, 'must be an absolute https URL')
  }
  const origin = ORIGIN.exec(url)?.[0]
  if (origin === undefined || URL.parse(origin) === null) {
    return refuse(field, 'must be an absolute https URL; its host takes no template and no user')
  }
  const rest = url.slice(origin.length)
  if (rest !== '' && !/^[/?]/.test(rest)) {
    return refuse(field, 'must have a slash or a question mark after its host')
  }
  const [path, query] = splitQuery(rest)
  const paths = readText(path, [field], reading, 'url')
  const queries = paths && readText(query, [field], reading, 'url')
  if (paths === null || queries === null) return null
  return {
    constant: origin,
    render(view) {
      const text =
        origin + checkPath(render(paths, view), path.endsWith('/')) + render(queries, view)
      if (text.length > URL_LENGTH_MAX) {
        throw new ValueTrouble(`the URL is longer than ${URL_LENGTH_MAX} characters`)
      }
      return text
    },
  }
}

/** At the first question mark that stands in no tag. */
function splitQuery(rest: string): readonly [string, string] {
  const plain = rest.replaceAll(/\{\{.*?\}\}|\{%.*?%\}/gs, (tag) => '_'.repeat(tag.length))
  const at = plain.indexOf('?')
  return at === -1 ? [rest, ''] : [rest.slice(0, at), rest.slice(at)]
}

/**
 * Programs take `.` and `..` out of a path, and an empty segment may name all instead of one. Only
 * the config may end the path with a slash.
 */
function checkPath(path: string, endsWithSlash: boolean): string {
  if (/[\s\\?#]/.test(path)) throw new ValueTrouble('the path of the URL has a character too many')
  const segments = path.split('/').slice(1)
  if (segments.some((one) => /^(?:\.|%2e){1,2}$/i.test(one))) {
    throw new ValueTrouble('a value makes a segment . or .. in the path of the URL')
  }
  if ((endsWithSlash ? segments.slice(0, -1) : segments).includes('')) {
    throw new ValueTrouble('a value of the path of the URL is empty')
  }
  return path
}

/** JSON whose strings may be templates, and whose values may be `{"cel": "…"}`. */
export interface JsonTemplate {
  /** Throws ValueTrouble. */
  readonly build: (view: TemplateView, values: ValueReader) => unknown
}

/** Null when a problem was told. */
export function readJsonTemplate(
  given: unknown,
  place: Place,
  reading: ConfigReading,
): JsonTemplate | null {
  const counter = { templates: 0 }
  const build = readPart(given, place, reading, counter)
  if (build === null) return null
  if (counter.templates <= TEMPLATES_MAX) return { build }
  return reading.refuse(place, `has more than ${TEMPLATES_MAX} templates`)
}

type Build = JsonTemplate['build']

function readPart(
  given: unknown,
  place: Place,
  reading: ConfigReading,
  counter: { templates: number },
): Build | null {
  if (typeof given === 'string' && hasTemplate(given)) {
    counter.templates += 1
    const template = readTextTemplate(given, place, reading)
    return template && ((view) => template.render(view))
  }
  if (typeof given !== 'object' || given === null) return () => given
  if (isJsonObject(given) && Object.keys(given).join() === 'cel') {
    counter.templates += 1
    const value: ConfigValue | null = readValue(given, place, reading)
    return value && ((_, { read }) => read(value))
  }
  const entries: (readonly [string, Build])[] = []
  for (const [name, one] of Object.entries(given)) {
    const part = readPart(one, [...place, name], reading, counter)
    if (part === null) return null
    entries.push([name, part])
  }
  if (Array.isArray(given)) return (view, values) => entries.map(([, part]) => part(view, values))
  return (view, values) => {
    return Object.fromEntries(entries.map(([name, part]) => [name, part(view, values)]))
  }
}
