// The page of notices: a tab for each matter.

import { Tabs } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { useText } from '../../messages/use-text.ts'
import { Page } from '../../parts/page.tsx'
import { LimitsTab } from './limits-tab.tsx'
import { messages } from './messages.ts'
import { NoticePanel } from './notice-panel.tsx'
import './notices.css'
import { Outbox } from './outbox.tsx'
import { noticesRoute, TABS } from './route.ts'
import { SuppressedTab } from './suppressed-tab.tsx'
import { TemplatesTab } from './templates-tab.tsx'

export function NoticesView() {
  const t = useText(messages)
  const { tab = 'outbox', open } = noticesRoute.useSearch()
  const navigate = useNavigate({ from: noticesRoute.fullPath })
  return (
    <Page
      title={t('title')}
      lede={t('lede')}
      isFull
      panel={
        tab === 'outbox' &&
        open !== undefined && (
          <NoticePanel
            key={open}
            noticeId={open}
            onClose={() => void navigate({ search: (former) => ({ ...former, open: undefined }) })}
          />
        )
      }
    >
      <Tabs
        className="notice-tabs"
        value={tab}
        keepMounted={false}
        onChange={(next) => {
          const found = TABS.find((one) => one === next)
          void navigate({ search: { tab: found === 'outbox' ? undefined : found } })
        }}
      >
        <Tabs.List>
          {TABS.map((one) => (
            <Tabs.Tab key={one} value={one}>
              {t(one)}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        <Tabs.Panel value="outbox" className="notice-tab">
          <Outbox />
        </Tabs.Panel>
        <Tabs.Panel value="suppressed" className="notice-tab">
          <SuppressedTab />
        </Tabs.Panel>
        <Tabs.Panel value="templates" className="notice-tab">
          <TemplatesTab />
        </Tabs.Panel>
        <Tabs.Panel value="limits" className="notice-tab">
          <LimitsTab />
        </Tabs.Panel>
      </Tabs>
    </Page>
  )
}
