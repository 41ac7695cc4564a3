// What is kept of a person: exported, erased, or held. The tab stands in the URL; the address of the
// person does not, for URLs are kept and sent around.

import { Tabs } from '@mantine/core'
import type { ReactNode } from 'react'
import { useSession } from '../../../data/session.ts'
import { useText } from '../../../messages/use-text.ts'
import { Section } from '../section.tsx'
import { roleWith } from '../sections.ts'
import { useAdmin } from '../use-admin.ts'
import { EraseTab } from './erase-tab.tsx'
import { ExportTab } from './export-tab.tsx'
import { HoldsTab } from './holds-tab.tsx'
import { messages } from './messages.ts'

const TABS = [
  ['erase', 'privacy:erase', EraseTab],
  ['export', 'privacy:export', ExportTab],
  ['holds', 'privacy:hold', HoldsTab],
] as const

export function PrivacySection() {
  const t = useText(messages)
  const { search, set } = useAdmin()
  const tab = TABS.find(([name]) => name === search.tab)?.[0] ?? 'erase'
  return (
    <Section id="privacy">
      <Tabs
        value={tab}
        onChange={(next) => set({ tab: next === 'erase' ? undefined : (next ?? undefined) }, true)}
        keepMounted={false}
      >
        <Tabs.List>
          {TABS.map(([name]) => (
            <Tabs.Tab key={name} value={name}>
              {t(`tab_${name}`)}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {TABS.map(([name, scope, Tab]) => (
          <Tabs.Panel key={name} value={name} pt={16}>
            <WithScope scope={scope}>
              <Tab />
            </WithScope>
          </Tabs.Panel>
        ))}
      </Tabs>
    </Section>
  )
}

function WithScope({ scope, children }: { readonly scope: string; readonly children: ReactNode }) {
  const t = useText(messages)
  const { scopes } = useSession()
  if (scopes.includes(scope)) return children
  return <p className="dim">{t('no_scope', { role: roleWith(scope), scope })}</p>
}
