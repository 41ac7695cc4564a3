// Manual: waits until a person chooses a path, or for its timeout. It may ask for a role, a form
// and a second person.

import { type Static, Type } from 'typebox'
import { isRoleName, ROLE_NAMES } from '../../../vocabulary/scopes.ts'
import { type ChoiceDemands, type ChoiceMemo, readChoiceMemo } from '../choice-demands.ts'
import { FormMember, readForm } from '../choice-form.ts'
import { type ConfigReading, defineNodeKind, type Vars } from '../node-kind.ts'
import {
  CHOICE_MEMBERS,
  type ChoiceConfig,
  decideChoice,
  findAnswerPath,
  listChoicePaths,
  readChoice,
  readChoiceWords,
} from './choice-config.ts'
import {
  addSpan,
  listCalendarNames,
  readOptionalSpan,
  type Span,
  spanOf,
} from './duration-config.ts'

const VARS_NAME = /^[A-Za-z_][A-Za-z0-9_]{0,63}$/

const ManualMembers = Type.Object(
  {
    ...CHOICE_MEMBERS,
    role: Type.Optional(
      Type.Union(
        ROLE_NAMES.map((role) => Type.Literal(role)),
        { description: 'Who may choose: a caller that has every scope of this role.' },
      ),
    ),
    four_eyes: Type.Optional(
      Type.Boolean({
        default: false,
        description:
          'Two different callers must choose the same path. Another path, or another form, begins anew.',
      }),
    ),
    deadline: Type.Optional(
      spanOf(
        'Until when somebody should choose, from the arrival. When it passes, the history of the case says so once; `timeout` moves the run.',
      ),
    ),
    form: Type.Optional(FormMember),
    save_as: Type.Optional(
      Type.String({
        description:
          'The values of the form are kept in `vars.<save_as>`, null for an empty one; the id of the node when left out.',
      }),
    ),
  },
  { additionalProperties: false },
)

interface ManualConfig extends ChoiceConfig {
  readonly demands: ChoiceDemands
  readonly deadline: Span | null
  readonly saveAs: string | null
}

export const MANUAL = defineNodeKind({
  kind: 'manual',
  title: 'Manual',
  description:
    'Waits until a person chooses one of the paths; `waiting_on` of the case is agent meanwhile. A choice with a form goes to `POST …/decisions`, any other also to trigger-playbook.',
  config: ManualMembers,
  read: readManual,
  paths: listChoicePaths,
  choices: ({ choices }) => choices,
  waitsFor: ({ waitsFor }) => waitsFor,
  asks: ({ demands }) => demands,
  calendars: ({ timeout, deadline }) => listCalendarNames(timeout, deadline),
  answerPath: findAnswerPath,
  breaksLoops: true,
  decide(config, token) {
    const memo = readChoiceMemo(token.memo)
    const isLate = token.timerRang && memo.timer === 'deadline'
    // A deadline that has passed moves nothing; the node waits on for its timeout.
    const decision = decideChoice(config, isLate ? { ...token, timerRang: false } : token)
    if (decision.kind === 'leave' && token.chosenPath !== null) {
      return { ...decision, ...takeOver(memo, config.saveAs ?? token.nodeId) }
    }
    if (decision.kind !== 'wait' || config.deadline === null) return decision
    const deadlineAt = addSpan(config.deadline, token.enteredAt, token.calendars)
    if ('kind' in deadlineAt) return deadlineAt
    const timer = chooseTimer(memo, { deadlineAt, timeoutAt: decision.timerAt, isLate })
    return { ...decision, ...timer, isOverdue: isLate }
  },
  example: {
    config: {
      question: 'Take the page down?',
      paths: ['take-down', 'leave'],
      titles: { 'take-down': 'Take it down', leave: 'Leave it online' },
      role: 'lead',
      four_eyes: true,
      deadline: 'PT8H',
      timeout: 'P1D',
      form: [{ name: 'reason', type: 'text', label: 'Why', required: ['leave'] }],
      save_as: 'decision',
    },
  },
})

/** What the choice has brought: the values of the form for the vars, and who decided first. */
function takeOver(
  { form, first }: ChoiceMemo,
  saveAs: string,
): { readonly vars?: Vars; readonly output?: object } {
  const output = {
    ...(form === undefined ? {} : { form }),
    ...(first === undefined ? {} : { first_by: first.by, first_at: first.at }),
  }
  return {
    ...(form === undefined ? {} : { vars: { [saveAs]: form } }),
    ...(Object.keys(output).length === 0 ? {} : { output }),
  }
}

/**
 * A visit has one timer: that of the deadline, if it comes first and has not passed, else that of
 * the timeout. The memo says which, and both times.
 */
function chooseTimer(
  { form: _form, ...memo }: ChoiceMemo,
  {
    deadlineAt,
    timeoutAt,
    isLate,
  }: { readonly deadlineAt: Date; readonly timeoutAt: Date | null; readonly isLate: boolean },
): { readonly timerAt: Date | null; readonly memo: ChoiceMemo } {
  const hasPassed = isLate || memo.timer === 'timeout'
  const isDeadlineNext = !hasPassed && (timeoutAt === null || deadlineAt < timeoutAt)
  return {
    timerAt: isDeadlineNext ? deadlineAt : timeoutAt,
    memo: {
      ...memo,
      deadline_at: deadlineAt.toISOString(),
      timeout_at: timeoutAt?.toISOString() ?? null,
      timer: isDeadlineNext ? 'deadline' : 'timeout',
    },
  }
}

function readManual(
  config: Static<typeof ManualMembers>,
  reading: ConfigReading,
): ManualConfig | null {
  const { refuse } = reading
  const choice = readChoice(config, 'agent', reading)
  const form = readForm(config.form ?? [], config.paths, reading)
  const words = readChoiceWords(config, reading)
  const { role, deadline, save_as: saveAs = null } = config
  if (words === null) return null
  if (saveAs !== null && !VARS_NAME.test(saveAs)) {
    return refuse('save_as', 'must be a name of letters, digits and underscores')
  }
  const span = readOptionalSpan(deadline)
  if (typeof span === 'string') return refuse('deadline', span)
  if (choice === null || form === null) return null
  const asksMore = role !== undefined || config.four_eyes === true || form.length > 0
  if (config.answer !== undefined && asksMore) {
    return refuse('answer', 'cannot choose where a role, a form or a second person is asked for')
  }
  const demands = {
    role: role !== undefined && isRoleName(role) ? role : null,
    isFourEyes: config.four_eyes ?? false,
    form,
    ...words,
  }
  return { ...choice, demands, deadline: span, saveAs }
}
