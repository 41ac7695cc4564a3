// Sub-Playbook: runs another playbook on the same case, and waits for its end.

import { Type } from 'typebox'
import { isUuid } from '../../../values/uuid.ts'
import { defineNodeKind } from '../node-kind.ts'
import { nameOf } from './reference-config.ts'

interface SubPlaybookConfig {
  readonly playbookId: string
}

export const SUB_PLAYBOOK = defineNodeKind({
  kind: 'sub_playbook',
  title: 'Sub-Playbook',
  description:
    'Runs the active version of another playbook on the same case, with a copy of vars, and waits for its end. A child that fails or is cancelled takes the path error. Playbooks stand at most five deep.',
  config: Type.Object(
    {
      playbook: nameOf('playbook', {
        description: 'Id of the playbook. A document that is imported names it.',
      }),
    },
    { additionalProperties: false },
  ),
  read({ playbook }, { refuse }): SubPlaybookConfig | null {
    return isUuid(playbook)
      ? { playbookId: playbook.toLowerCase() }
      : refuse('playbook', 'must be the id of a playbook')
  },
  paths: () => ['next', 'error'],
  decide({ playbookId }, { chosenPath, memo }) {
    if (chosenPath === 'next') return { kind: 'leave', path: 'next', output: { ...memo } }
    if (chosenPath !== null) {
      return { kind: 'refused', reason: 'child_failed', output: { ...memo } }
    }
    // A person has resumed the run while its child was at work.
    if (memo !== null) return { kind: 'wait', waitsFor: null, timerAt: null, watchesCase: false }
    return { kind: 'start_child', playbookId }
  },
  example: { config: { playbook: '01900000-0000-7000-8000-000000000001' } },
})
