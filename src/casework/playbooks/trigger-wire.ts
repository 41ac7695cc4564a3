// What a case waits for and how it is moved on (interface endpoint 2, design section 5.5).

import { Type } from 'typebox'
import { pageOf } from '../../vocabulary/page-wire.ts'
import { WaitingTrigger } from '../cases/waiting-trigger-wire.ts'

/** Interface endpoint 2: the body. Members beside these two are ignored. */
export const TriggerBody = Type.Object({
  node: Type.String({
    minLength: 1,
    maxLength: 200,
    description:
      'Id of the node at which a run of the case waits; `<playbook id>/<node id>` names the playbook too.',
  }),
  path: Type.String({
    minLength: 1,
    maxLength: 200,
    description: 'Name of the way out by which the node is left.',
  }),
})

export const WaitingTriggerList = pageOf(WaitingTrigger)
