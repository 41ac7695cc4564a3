// The keys of the page of a case: the same letters as on the queue, and n and p through it. The
// acts stand in the palette too.

import { useMay } from '../../data/session.ts'
import { useActs } from '../../keys/acts.ts'
import { type Key, useKeys } from '../../keys/keys.ts'
import { useText } from '../../messages/use-text.ts'
import type { CaseDetail } from './data.ts'
import { messages } from './messages.ts'
import { type CaseActKind, useMenuActs } from './more-menu.tsx'
import type { Neighbours } from './use-neighbours.ts'

export interface CaseKeys {
  readonly detail: CaseDetail
  readonly start: (kind: CaseActKind) => void
  readonly neighbours: Neighbours | null
}

export function useCaseKeys({ detail, start, neighbours }: CaseKeys): void {
  const t = useText(messages)
  const mayWrite = useMay('cases:write')
  const mayTrigger = useMay('playbooks:trigger')
  const maySend = useMay('notices:send')
  const menu = useMenuActs(detail).flat()
  const key = (keys: string, kind: CaseActKind): Key => ({
    keys,
    title: t(`act_${kind}`),
    run: () => start(kind),
  })
  useKeys(t('keys'), [
    ...(mayWrite ? [key('a', 'assign'), key('c', 'comment')] : []),
    ...menu.flatMap(({ kind, keys }) => (keys === undefined ? [] : [key(keys, kind)])),
    ...(mayTrigger ? [key('t', 'trigger')] : []),
    ...(maySend ? [key('r', 'mail')] : []),
    ...(neighbours === null
      ? []
      : [
          { keys: 'n', title: t('case_behind'), run: () => neighbours.goOn?.() },
          { keys: 'p', title: t('case_before'), run: () => neighbours.goBack?.() },
        ]),
  ])
  useActs([
    ...(mayWrite
      ? [{ id: 'case assign', title: t('act_assign'), keys: 'a', run: () => start('assign') }]
      : []),
    ...(maySend
      ? [{ id: 'case mail', title: t('act_mail'), keys: 'r', run: () => start('mail') }]
      : []),
    ...menu.map(({ kind, keys }) => ({
      id: `case ${kind}`,
      title: t(`act_${kind}`),
      ...(keys === undefined ? {} : { keys }),
      run: () => start(kind),
    })),
  ])
}
