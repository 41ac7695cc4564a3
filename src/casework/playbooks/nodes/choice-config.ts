// What trigger and manual nodes have in common: they wait until somebody chooses a path, or until
// their time is over.

import { Type } from 'typebox'
import type { ChoiceDemands } from '../choice-demands.ts'
import type {
  AnsweringParty,
  ConfigReading,
  Decision,
  TokenAtNode,
  WaitingParty,
} from '../node-kind.ts'
import { isNodeName, NODE_NAME_RULE, PATHS_MAX } from '../node-name.ts'
import {
  addSpan,
  listCalendarNames,
  readOptionalSpan,
  type Span,
  type SpanConfig,
  spanOf,
} from './duration-config.ts'

const TIMEOUT_PATH = 'timeout'
const TITLE_LENGTH_MAX = 200
const QUESTION_LENGTH_MAX = 2_000

export const CHOICE_MEMBERS = {
  paths: Type.Array(Type.String(), {
    minItems: 1,
    maxItems: PATHS_MAX,
    description: 'Names of the paths of which one is chosen.',
  }),
  waiting_on: Type.Optional(
    Type.Union(
      [
        Type.Literal('agent'),
        Type.Literal('customer'),
        Type.Literal('reporter'),
        Type.Literal('third_party'),
      ],
      { description: 'Whom the case waits for meanwhile (`waiting_on` of the case).' },
    ),
  ),
  answer: Type.Optional(
    Type.Object(
      {
        from: Type.Union([Type.Literal('customer'), Type.Literal('reporter')], {
          description: 'Whose answer.',
        }),
        path: Type.String({ description: 'One of the paths.' }),
      },
      {
        additionalProperties: false,
        description:
          'An answer by mail to a notice of the case takes this path; without it, an answer is a comment only.',
      },
    ),
  ),
  timeout: Type.Optional(
    spanOf(
      'After this time the node is left by the path `timeout`; without a node at its end the run keeps waiting.',
    ),
  ),
  question: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: QUESTION_LENGTH_MAX,
      description: 'What is to be decided, for people.',
    }),
  ),
  titles: Type.Optional(
    Type.Record(Type.String(), Type.String({ minLength: 1, maxLength: TITLE_LENGTH_MAX }), {
      description: 'The paths in words for people; the name of a path when left out.',
    }),
  ),
}

export interface ChoiceConfig {
  readonly choices: readonly string[]
  readonly waitsFor: WaitingParty | null
  readonly timeout: Span | null
  readonly answer: ChosenByAnswer | null
}

interface ChosenByAnswer {
  readonly from: AnsweringParty
  readonly path: string
}

interface ChoiceInput {
  readonly paths: readonly string[]
  readonly waiting_on?: Exclude<WaitingParty, 'timer'>
  readonly timeout?: SpanConfig
  readonly answer?: ChosenByAnswer
}

/** What a choice says to people: the question, and its paths in words. */
interface ChoiceWords {
  readonly paths: readonly string[]
  readonly question?: string
  readonly titles?: Readonly<Record<string, string>>
}

/** Null when a title names a path that the node does not have, which is refused. */
export function readChoiceWords(
  { paths, question, titles = {} }: ChoiceWords,
  { refuse }: ConfigReading,
): Pick<ChoiceDemands, 'question' | 'titles'> | null {
  const stranger = Object.keys(titles).find((path) => !paths.includes(path))
  if (stranger !== undefined) return refuse(['titles', stranger], 'is no path of this node')
  return { question: question ?? null, titles }
}

export function readChoice(
  config: ChoiceInput,
  otherwise: WaitingParty | null,
  { refuse }: ConfigReading,
): ChoiceConfig | null {
  const hasTimeout = config.timeout !== undefined
  let isSound = true
  for (const [at, name] of config.paths.entries()) {
    const reason = explainName(config.paths, at, name, hasTimeout)
    if (reason === null) continue
    isSound = false
    refuse(`paths/${at}`, reason)
  }
  const timeout = readOptionalSpan(config.timeout)
  if (typeof timeout === 'string') return refuse('timeout', timeout)
  if (config.answer !== undefined && !config.paths.includes(config.answer.path)) {
    return refuse('answer/path', 'is none of the paths')
  }
  if (!isSound) return null
  return {
    choices: config.paths,
    waitsFor: config.waiting_on ?? otherwise,
    timeout,
    answer: config.answer ?? null,
  }
}

function explainName(
  names: readonly string[],
  at: number,
  name: string,
  hasTimeout: boolean,
): string | null {
  if (!isNodeName(name)) return NODE_NAME_RULE
  if (names.indexOf(name) < at) return 'is there twice'
  if (hasTimeout && name === TIMEOUT_PATH) return 'is the path of the timeout'
  return null
}

export function listChoicePaths({ choices, timeout }: ChoiceConfig): readonly string[] {
  return timeout === null ? choices : [...choices, TIMEOUT_PATH]
}

export function findAnswerPath({ answer }: ChoiceConfig, party: AnsweringParty): string | null {
  return answer?.from === party ? answer.path : null
}

export function listChoiceCalendars({ timeout }: ChoiceConfig): readonly string[] {
  return listCalendarNames(timeout)
}

export function decideChoice(config: ChoiceConfig, token: TokenAtNode): Decision {
  if (token.chosenPath !== null) return { kind: 'leave', path: token.chosenPath }
  if (token.timerRang) {
    return { kind: 'leave', path: TIMEOUT_PATH, output: { timed_out: true } }
  }
  const { waitsFor, timeout } = config
  const hasTimer = timeout !== null && token.isConnected(TIMEOUT_PATH)
  const timerAt = hasTimer ? addSpan(timeout, token.enteredAt, token.calendars) : null
  if (timerAt !== null && 'kind' in timerAt) return timerAt
  return { kind: 'wait', waitsFor, timerAt, watchesCase: false }
}
