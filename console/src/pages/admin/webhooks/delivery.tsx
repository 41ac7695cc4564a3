// One delivery: the message as it was signed, every attempt, and sending it again.

import { Button } from '@mantine/core'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { ArrowLeft } from 'lucide-react'
import { casework } from '../../../data/client.ts'
import { useAct } from '../../../data/use-act.ts'
import { useText } from '../../../messages/use-text.ts'
import { JsonView } from '../../../parts/json-view.tsx'
import { Since } from '../../../parts/since.tsx'
import { Block, Facts } from '../form.tsx'
import { Answer } from '../section.tsx'
import { useAdmin } from '../use-admin.ts'
import { DeliveryBadge } from './deliveries.tsx'
import { messages } from './messages.ts'

interface DeliveryProps {
  readonly webhookId: string
  readonly deliveryId: string
}

function deliveryQuery({ webhookId, deliveryId }: DeliveryProps) {
  return queryOptions({
    queryKey: ['webhooks', webhookId, 'deliveries', 'one', deliveryId],
    queryFn: () =>
      casework.get('/beta/webhooks/{webhookId}/deliveries/{deliveryId}', {
        params: { path: { webhookId, deliveryId } },
      }),
  })
}

export function DeliveryView(props: DeliveryProps) {
  const t = useText(messages)
  const { set } = useAdmin()
  const query = useQuery(deliveryQuery(props))
  const replay = useAct({
    act: () =>
      casework.post('/beta/webhooks/{webhookId}/deliveries/{deliveryId}/replay', {
        params: { path: { ...props } },
      }),
    touches: () => [['webhooks', props.webhookId, 'deliveries']],
    say: () => t('replayed'),
  })
  return (
    <div className="stack">
      <div className="panel-buttons">
        <Button
          variant="default"
          leftSection={<ArrowLeft size={14} aria-hidden />}
          onClick={() => set({ delivery: undefined })}
        >
          {t('back')}
        </Button>
        <Button loading={replay.isPending} onClick={() => replay.mutate(undefined)}>
          {t('replay')}
        </Button>
      </div>
      <Answer query={query}>
        {({ type, state, created_at: at, next_at: next, body, attempt_list: attempts }) => (
          <>
            <Facts
              facts={[
                { title: t('types'), value: <span className="mono">{type}</span> },
                { title: t('state'), value: <DeliveryBadge state={state} /> },
                { title: t('created'), value: <Since at={at} /> },
                next !== undefined && { title: t('next'), value: <Since at={next} /> },
              ]}
            />
            <Block title={t('attempt_list')}>
              <ul className="rows">
                {attempts.map(
                  ({ attempt, started_at: started, duration_ms: ms, status, failure = '' }) => (
                    <li key={attempt}>
                      <div className="rows-words">
                        <div>
                          {status === undefined
                            ? t('failed', { failure, ms })
                            : t('answered', { status, ms })}
                        </div>
                        <div className="dim small">
                          {t('attempt', { number: attempt })} · <Since at={started} />
                        </div>
                      </div>
                    </li>
                  ),
                )}
              </ul>
            </Block>
            <Block title={t('message')}>
              <JsonView label={t('message')} value={readBody(body)} />
            </Block>
          </>
        )}
      </Answer>
    </div>
  )
}

/** As JSON where it is some, which it always should be. */
function readBody(body: string): unknown {
  try {
    return JSON.parse(body)
  } catch {
    return body
  }
}
