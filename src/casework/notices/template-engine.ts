// Parses and renders templates (LiquidJS). A template is text of a tenant that runs in this
// process, so what it may take of time, memory and output is bounded, and it reads no files.

import { Context, Liquid, LiquidError, type LiquidOptions, type Template } from 'liquidjs'
import { TEMPLATE_LENGTH_MAX } from './template-wire.ts'

/** Characters of a rendered body: some 40 pages. */
export const TEXT_LENGTH_MAX = 100_000
export const SUBJECT_LENGTH_MAX = 200
// A step is a part of a template that is rendered: a text, a value, a tag, the body of a loop. A
// digest of 200 notices has some 5,000. A limit of time would fail good mails on a busy machine.
const STEPS_MAX = 50_000
// As LiquidJS counts: characters and items that filters and tags make.
const MEMORY_MAX = 1_000_000
// These would read other templates; there are none, and no files.
const FORBIDDEN_TAGS = ['include', 'render', 'layout', 'block'] as const

export type Parsed =
  | { readonly kind: 'parsed'; readonly template: Template[] }
  | { readonly kind: 'trouble'; readonly reason: string }

// What they write is not escaped, or is escaped as HTML.
const UNESCAPED_TAGS = ['echo', 'liquid', 'cycle', 'tablerow', 'increment', 'decrement'] as const

/** `url`: every value is percent-encoded, as one part of a path or query. */
type TemplateEscape = 'none' | 'url'

const ENGINES: Readonly<Record<TemplateEscape, Liquid>> = {
  none: createEngine(),
  url: createUrlEngine(),
}

function createUrlEngine(): Liquid {
  const liquid = createEngine({
    outputEscape: (value) => encodeURIComponent(toText(value)),
  })
  for (const tag of UNESCAPED_TAGS) delete liquid.tags[tag]
  delete liquid.filters['raw']
  return liquid
}

function toText(value: unknown): string {
  if (typeof value === 'string') return value
  return value === null || value === undefined ? '' : JSON.stringify(value)
}

function createEngine(options: LiquidOptions = {}): Liquid {
  const liquid = new Liquid({
    ...options,
    templates: {},
    strictFilters: true,
    strictVariables: true,
    lenientIf: true,
    ownPropertyOnly: true,
    timezoneOffset: 0,
    locale: 'en-GB',
    dateFormat: '%Y-%m-%d %H:%M UTC',
    parseLimit: TEMPLATE_LENGTH_MAX,
    memoryLimit: MEMORY_MAX,
  })
  for (const tag of FORBIDDEN_TAGS) delete liquid.tags[tag]
  liquid.registerFilter('defang', (value: unknown) => defang(String(value)))
  return liquid
}

export function parseTemplate(text: string, escape: TemplateEscape = 'none'): Parsed {
  try {
    return { kind: 'parsed', template: ENGINES[escape].parse(text) }
  } catch (error) {
    return { kind: 'trouble', reason: explain(error) }
  }
}

/**
 * The variables that come from outside the template: the names of their members, such as
 * `['case', 'id']`, with their place.
 */
export function listVariables(template: Template[]): readonly UsedVariable[] {
  const { globals } = ENGINES.none.analyzeSync(template, { partials: false })
  return Object.values(globals)
    .flat()
    .map(({ segments, location }) => ({
      path: segments.filter((segment) => typeof segment === 'string'),
      line: location.row,
      column: location.col,
    }))
}

export interface UsedVariable {
  readonly path: readonly string[]
  readonly line: number
  readonly column: number
}

export type Rendered =
  | { readonly kind: 'rendered'; readonly text: string }
  | { readonly kind: 'trouble'; readonly reason: string }

/** The steps that are left to templates which share a budget. */
export interface StepBudget {
  left: number
}

export function createStepBudget(): StepBudget {
  return { left: STEPS_MAX }
}

/** Never throws. */
export function renderTemplate(
  template: Template[],
  view: object,
  lengthMax: number,
  budget: StepBudget = createStepBudget(),
): Rendered {
  const engine = ENGINES.none
  const context = new Context(view, engine.options, { sync: true }, { liquid: engine })
  // LiquidJS calls it before each step, to compare the clock with its limit of time.
  context.renderLimit.check = () => {
    budget.left -= 1
    if (budget.left < 0) throw new Error('too many steps')
  }
  try {
    const text = String(engine.renderSync(template, context))
    if (text.length > lengthMax) {
      return { kind: 'trouble', reason: `The text is longer than ${lengthMax} characters.` }
    }
    return { kind: 'rendered', text }
  } catch (error) {
    if (budget.left < 0) {
      return { kind: 'trouble', reason: `The templates take more than ${STEPS_MAX} steps.` }
    }
    return { kind: 'trouble', reason: explain(error) }
  }
}

function explain(error: unknown): string {
  // Filters throw errors of their own for values that they cannot take.
  if (!(error instanceof LiquidError)) return 'It cannot be rendered.'
  const bare = (error.originalError?.message ?? error.message).replace(/, line:\d+, col:\d+$/, '')
  const { line, column } = findPlace(error)
  return `Line ${line}, column ${column}: ${bare}.`
}

function findPlace({ token }: LiquidError): { readonly line: number; readonly column: number } {
  const [line = 1, column = 1] = token.getPosition()
  return { line, column }
}

/** Links and names that mail programs do not make clickable: `hxxps://evil[.]example/`. */
export function defang(text: string): string {
  return text
    .replace(/\bh(t{2})p(s?):\/\//gi, 'hxxp$2://')
    .replace(/(?<=[\p{L}\p{N}])\.(?=[\p{L}\p{N}-]*[\p{L}])/gu, '[.]')
}
