// The list of all node kinds. Everything that goes over kinds goes over this list: the parser of
// graphs, the engine, the reference. A new kind is a file of this folder and a line here.

import type { NodeKind } from '../node-kind.ts'
import { API_CALLER } from './api-caller.ts'
import { ASSIGN } from './assign.ts'
import { CLOSE } from './close.ts'
import { COMMENT } from './comment.ts'
import { DELAY } from './delay.ts'
import { DIVIDER } from './divider.ts'
import { EMAIL } from './email.ts'
import { END } from './end.ts'
import { FOR_EACH } from './for-each.ts'
import { FORK } from './fork.ts'
import { JOIN } from './join.ts'
import { LOOKUP } from './lookup.ts'
import { MANUAL } from './manual.ts'
import { MITIGATE } from './mitigate.ts'
import { NOTIFY_REPORTER } from './notify-reporter.ts'
import { RESOLVE } from './resolve.ts'
import { SET_DEADLINE } from './set-deadline.ts'
import { SET_FIELD } from './set-field.ts'
import { SET_STATE } from './set-state.ts'
import { START } from './start.ts'
import { STATEMENT_OF_REASONS } from './statement-of-reasons.ts'
import { SUB_PLAYBOOK } from './sub-playbook.ts'
import { SWITCH } from './switch.ts'
import { TAG } from './tag.ts'
import { TRIGGER } from './trigger.ts'
import { TRUE_FALSE } from './true-false.ts'
import { VERIFY } from './verify.ts'
import { WAIT_UNTIL } from './wait-until.ts'
import { WEBHOOK } from './webhook.ts'

/**
 * Effects of one round are applied in this order. Kinds that change cases stand before kinds that
 * only add to them, so that transactions lock cases in one order.
 */
export const NODE_KINDS: readonly NodeKind[] = [
  START,
  TRUE_FALSE,
  SWITCH,
  DELAY,
  WAIT_UNTIL,
  TRIGGER,
  MANUAL,
  FORK,
  JOIN,
  FOR_EACH,
  SUB_PLAYBOOK,
  SET_STATE,
  RESOLVE,
  CLOSE,
  ASSIGN,
  TAG,
  SET_FIELD,
  SET_DEADLINE,
  COMMENT,
  EMAIL,
  NOTIFY_REPORTER,
  STATEMENT_OF_REASONS,
  MITIGATE,
  LOOKUP,
  API_CALLER,
  WEBHOOK,
  VERIFY,
  END,
  DIVIDER,
]

const BY_NAME: ReadonlyMap<string, NodeKind> = new Map(NODE_KINDS.map((one) => [one.kind, one]))

/** The kind of this name, or one public sentence for a name that is none. */
export function findNodeKind(name: unknown): NodeKind | string {
  if (name === undefined) return 'is missing'
  const found = typeof name === 'string' ? BY_NAME.get(name) : undefined
  if (found !== undefined) return found
  return `must be one of ${[...BY_NAME.keys()].join(', ')}`
}
