// One webhook: deliveries first, settings under a tab.

import { Button, Tabs } from '@mantine/core'
import { useState } from 'react'
import { casework } from '../../../data/client.ts'
import { sendChanged } from '../../../data/pick-changed.ts'
import { useText } from '../../../messages/use-text.ts'
import { SidePanel } from '../../../parts/side-panel.tsx'
import { type Webhook, webhooksQuery } from '../data.ts'
import { DeleteRecord } from '../delete-record.tsx'
import { Block, Facts, PanelForm, SecretOnce, useSend } from '../form.tsx'
import { useAdmin } from '../use-admin.ts'
import { Deliveries } from './deliveries.tsx'
import { DeliveryView } from './delivery.tsx'
import { messages } from './messages.ts'
import { buildBody, WebhookFields, type WebhookGiven } from './webhook-form.tsx'
import { WebhookState } from './webhook-state.tsx'

interface OfWebhook {
  readonly webhook: Webhook
}

export function WebhookPanel({ webhook }: OfWebhook) {
  const t = useText(messages)
  const { search, set, close } = useAdmin()
  const tab = search.tab === 'edit' ? 'edit' : 'deliveries'
  const reason = webhook.disabled_reason
  return (
    <SidePanel
      title={<span className="mono">{webhook.url}</span>}
      onClose={close}
      acts={<DeleteWebhook webhook={webhook} />}
    >
      <div className="stack">
        <Facts
          facts={[
            { title: t('state'), value: <WebhookState webhook={webhook} /> },
            webhook.description !== '' && {
              title: t('description'),
              value: webhook.description,
            },
          ]}
        />
        {reason !== undefined && <div className="dim">{t('disabled_why', { reason })}</div>}
        <Tabs
          value={tab}
          onChange={(next) => set({ tab: next === 'edit' ? 'edit' : undefined }, true)}
          keepMounted={false}
        >
          <Tabs.List>
            <Tabs.Tab value="deliveries">{t('deliveries')}</Tabs.Tab>
            <Tabs.Tab value="edit">{t('edit')}</Tabs.Tab>
          </Tabs.List>
          <Tabs.Panel value="deliveries" pt={16}>
            {search.delivery === undefined ? (
              <Deliveries webhookId={webhook.id} />
            ) : (
              <DeliveryView webhookId={webhook.id} deliveryId={search.delivery} />
            )}
          </Tabs.Panel>
          <Tabs.Panel value="edit" pt={16}>
            <Settings webhook={webhook} />
          </Tabs.Panel>
        </Tabs>
      </div>
    </SidePanel>
  )
}

function Settings({ webhook }: OfWebhook) {
  const t = useText(messages)
  const { url, description, types, enabled } = webhook
  const [given, setGiven] = useState<WebhookGiven>({ url, description, types, enabled })
  const [former, setFormer] = useState(given)
  const params = { path: { webhookId: webhook.id } }
  const save = useSend({
    // A webhook that the program has switched off meanwhile is not switched on by a new description.
    send: async () => {
      await sendChanged(buildBody(former), buildBody(given), (body) =>
        casework.patch('/beta/webhooks/{webhookId}', { params, body }),
      )
      setFormer(given)
    },
    touches: [webhooksQuery.queryKey],
    say: t('saved'),
  })
  const rotate = useSend({
    send: () => casework.post('/beta/webhooks/{webhookId}/rotate-secret', { params }),
    touches: [],
  })
  return (
    <div className="stack">
      <PanelForm
        label={t('edit')}
        act={t('save')}
        isPending={save.isPending}
        error={save.error}
        onSend={() => save.mutate(undefined)}
      >
        <WebhookFields given={given} error={save.error} onChange={setGiven} />
      </PanelForm>
      <Block title={t('secret')}>
        <div className="dim small">{t('rotate_help')}</div>
        {rotate.data !== undefined && <SecretOnce label={t('secret')} text={rotate.data.secret} />}
        <div>
          <Button
            variant="default"
            loading={rotate.isPending}
            onClick={() => rotate.mutate(undefined)}
          >
            {t('rotate')}
          </Button>
        </div>
      </Block>
    </div>
  )
}

function DeleteWebhook({ webhook: { id, url } }: OfWebhook) {
  const t = useText(messages)
  const params = { path: { webhookId: id } }
  return (
    <DeleteRecord
      send={() => casework.delete('/beta/webhooks/{webhookId}', { params })}
      touches={[webhooksQuery.queryKey]}
      act={t('remove')}
      title={t('remove_title')}
      why={t('remove_why', { url })}
      done={t('removed')}
    />
  )
}
