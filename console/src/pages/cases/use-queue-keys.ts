// The keys of the queue. Those of the rows (`j`, `k`, `x`, `Enter`) belong to the table.

import { useMay } from '../../data/session.ts'
import { type Key, useKeys } from '../../keys/keys.ts'
import { useText } from '../../messages/use-text.ts'
import { messages } from './messages.ts'
import type { QueueAct } from './queue-dialogs.tsx'
import { PRESETS, type Preset } from './view-presets.ts'

export interface QueueKeys {
  readonly start: (kind: QueueAct['kind']) => void
  readonly pickPreset: (preset: Preset) => void
  readonly loadNew: () => void
}

export function useQueueKeys({ start, pickPreset, loadNew }: QueueKeys): void {
  const t = useText(messages)
  const mayWrite = useMay('cases:write')
  const mayMove = useMay('cases:transition')
  const mayTrigger = useMay('playbooks:trigger')
  const mayMerge = useMay('cases:merge')
  const key = (keys: string, title: string, kind: QueueAct['kind']): Key => ({
    keys,
    title,
    run: () => start(kind),
  })
  useKeys(t('keys'), [
    ...(mayWrite ? [key('a', t('key_assign'), 'assign')] : []),
    ...(mayWrite && mayMove ? [key('s', t('key_state'), 'state')] : []),
    ...(mayWrite ? [key('c', t('key_comment'), 'comment')] : []),
    ...(mayTrigger ? [key('t', t('key_trigger'), 'trigger')] : []),
    ...(mayMerge ? [key('m', t('key_merge'), 'merge')] : []),
    ...(mayWrite && mayMove ? [key('e', t('key_close'), 'close')] : []),
    { keys: 'n', title: t('key_new'), run: loadNew },
    ...PRESETS.map((preset, index) => ({
      keys: `g ${index + 1}`,
      title: t('key_view', { name: t(preset.title) }),
      run: () => pickPreset(preset),
    })),
  ])
}
