// What was asked of other systems or people, and whether it is in force.

import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { casework } from '../../data/client.ts'
import { useMay } from '../../data/session.ts'
import { useAct } from '../../data/use-act.ts'
import { useText } from '../../messages/use-text.ts'
import { Badge, type Tone } from '../../parts/badges.tsx'
import { Confirm } from '../../parts/confirm.tsx'
import { FirstPageOnly } from '../../parts/first-only.tsx'
import { ItemLink } from '../../parts/item-link.tsx'
import { Since } from '../../parts/since.tsx'
import { type Mitigation, mitigationsQuery } from './data.ts'
import { messages } from './messages.ts'
import { PanelSection } from './panel-section.tsx'
import { nameKind } from './timeline-lines.tsx'

const TONES = {
  pending: 'amber',
  active: 'violet',
  failed: 'red',
  removing: 'amber',
  removed: 'grey',
} as const satisfies Record<Mitigation['state'], Tone>

/** Nothing at all while the case has none. */
export function MitigationsPanel({ caseId }: { readonly caseId: string }) {
  const t = useText(messages)
  const query = useQuery(mitigationsQuery(caseId))
  const items = query.data?.items ?? []
  if (query.isSuccess && items.length === 0) return null
  return (
    <PanelSection title={t('mitigations')} query={query}>
      <ul className="intel-items">
        {items.map((one) => (
          <MitigationRow key={one.id} mitigation={one} />
        ))}
      </ul>
      <FirstPageOnly page={query.data} />
    </PanelSection>
  )
}

type Word = 'undo' | 'execute' | 'result'

function MitigationRow({ mitigation }: { readonly mitigation: Mitigation }) {
  const t = useText(messages)
  const { id, case_id: caseId, kind, target, target_type: targetType, state, adapter } = mitigation
  const mayExecute = useMay('mitigations:execute')
  const mayUndo = useMay('mitigations:undo')
  const [isAsking, setAsking] = useState(false)
  const act = useAct<Word, unknown>({
    act: (word) => send(id, word),
    touches: () => [['cases', caseId]],
    say: (word) => t(`said_mitigation_${word}`),
    onDone: () => setAsking(false),
  })
  const isOpen = state === 'pending' || state === 'removing'
  const name = `${nameKind(kind, t)} ${target}`
  return (
    <li className="intel-item">
      <div className="row-of">
        <span>{nameKind(kind, t)}</span>
        {targetType === 'ip' || targetType === 'domain' ? (
          <ItemLink item={target} />
        ) : (
          <span className="mono cut">{target}</span>
        )}
        <span className="intel-badge">
          <Badge tone={TONES[state]}>{t(`mitigation_${state}`)}</Badge>
        </span>
      </div>
      <div className="dim small intel-facts">
        <span>{adapter}</span>
        <span>
          <Since at={mitigation.changed_at} />
        </span>
        {mitigation.expires_at !== undefined && (
          <span>
            {t('ends')} <Since at={mitigation.expires_at} />
          </span>
        )}
        {mitigation.is_stuck && <span>{t('stuck')}</span>}
      </div>
      {mitigation.note !== '' && <div className="small mitigation-note">{mitigation.note}</div>}
      <div className="row-of side-acts">
        {isOpen && adapter === 'manual' && mayExecute && (
          <Button variant="default" loading={act.isPending} onClick={() => act.mutate('result')}>
            {t('mitigation_done')}
          </Button>
        )}
        {(state === 'failed' || state === 'pending') && adapter !== 'manual' && mayExecute && (
          <Button variant="default" loading={act.isPending} onClick={() => act.mutate('execute')}>
            {t('retry')}
          </Button>
        )}
        {state === 'active' && mayUndo && (
          <Button variant="default" onClick={() => setAsking(true)}>
            {t('undo_mitigation')}
          </Button>
        )}
      </div>
      <Confirm
        isOpen={isAsking}
        onClose={() => setAsking(false)}
        title={t('undo_mitigation_title', { name })}
        act={t('undo_mitigation')}
        onAct={() => act.mutate('undo')}
        isPending={act.isPending}
      >
        {t('undo_mitigation_why')}
      </Confirm>
    </li>
  )
}

function send(mitigationId: string, word: Word): Promise<unknown> {
  const at = { params: { path: { mitigationId } } }
  switch (word) {
    case 'undo':
      return casework.post('/beta/casework/mitigations/{mitigationId}/undo', at)
    case 'execute':
      return casework.post('/beta/casework/mitigations/{mitigationId}/execute', at)
    case 'result':
      return casework.post('/beta/casework/mitigations/{mitigationId}/result', {
        ...at,
        body: { result: 'done' },
      })
  }
}
