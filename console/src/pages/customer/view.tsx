// One customer: contacts, contracts and resources; the cases; the notices.

import { Button, Tabs } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { Pencil } from 'lucide-react'
import { useMay } from '../../data/session.ts'
import { useKeys } from '../../keys/keys.ts'
import { useText } from '../../messages/use-text.ts'
import { Loading } from '../../parts/loading.tsx'
import { Page } from '../../parts/page.tsx'
import { PathLink } from '../../parts/path-link.tsx'
import { Problem } from '../../parts/problem.tsx'
import { CustomerCases } from './customer-cases.tsx'
import { CustomerDialog } from './customer-dialog.tsx'
import { CustomerNotices } from './customer-notices.tsx'
import './customer.css'
import { countersQuery, customerQuery } from './data.ts'
import { messages } from './messages.ts'
import { Overview } from './overview.tsx'
import { ContractDialog, EditContract, EditResource, ResourceDialog } from './owned-dialogs.tsx'
import { CUSTOMER_TABS, type CustomerSearch, customerRoute } from './route.ts'

export function CustomerView() {
  const t = useText(messages)
  const { customerId } = customerRoute.useParams()
  const { tab = 'overview', add, edit, contract, resource } = customerRoute.useSearch()
  const navigate = useNavigate({ from: customerRoute.fullPath })
  const change = (part: Partial<CustomerSearch>): void =>
    void navigate({ search: (former) => ({ ...former, ...part }), replace: true })
  const mayWrite = useMay('customers:write')
  const customer = useQuery(customerQuery(customerId))
  // Also of a customer without a record; 404 says that there is nothing of this id at all.
  const counters = useQuery(countersQuery(customerId))
  const { data } = customer
  const failure = customer.error ?? (data === null ? counters.error : null)
  useKeys(
    t('customer'),
    mayWrite && data !== null && data !== undefined
      ? [{ keys: 'e', title: t('edit'), run: () => change({ edit: 'customer' }) }]
      : [],
  )
  const recent = counters.data?.counters[0]
  return (
    <Page
      title={data?.name ?? customerId}
      lede={
        <span className="row-of customer-lede">
          <PathLink path="/customers" className="plain-link">
            {t('all')}
          </PathLink>
          <span className="mono">{customerId}</span>
          {recent !== undefined && (
            <span>
              {t('recent', { cases: recent.cases, events: recent.events, days: recent.days })}
            </span>
          )}
        </span>
      }
      acts={
        mayWrite &&
        data !== undefined &&
        data !== null && (
          <Button
            variant="default"
            leftSection={<Pencil size={16} aria-hidden />}
            onClick={() => change({ edit: 'customer' })}
          >
            {t('edit')}
          </Button>
        )
      }
    >
      {failure !== null && (
        <Problem
          error={failure}
          onRetry={() => void Promise.all([customer.refetch(), counters.refetch()])}
        />
      )}
      {failure === null && data === undefined && <Loading lines={10} />}
      {failure === null && data !== undefined && (
        <Tabs
          value={tab}
          keepMounted={false}
          onChange={(next) => {
            const found = CUSTOMER_TABS.find((one) => one === next)
            change({ tab: found === 'overview' ? undefined : found })
          }}
        >
          <Tabs.List aria-label={t('customer')}>
            {CUSTOMER_TABS.map((one) => (
              <Tabs.Tab key={one} value={one}>
                {t(`tab_${one}`)}
              </Tabs.Tab>
            ))}
          </Tabs.List>
          <Tabs.Panel value="overview" pt={16}>
            <Overview
              customerId={customerId}
              customer={data}
              onAdd={mayWrite && data !== null ? (what) => change({ add: what }) : undefined}
              onEdit={change}
            />
          </Tabs.Panel>
          <Tabs.Panel value="cases" pt={16}>
            <CustomerCases customerId={customerId} />
          </Tabs.Panel>
          <Tabs.Panel value="notices" pt={16}>
            <CustomerNotices customerId={customerId} />
          </Tabs.Panel>
        </Tabs>
      )}
      {edit !== undefined && mayWrite && data !== undefined && data !== null && (
        <CustomerDialog
          customer={data}
          onClose={() => change({ edit: undefined })}
          onSaved={() => undefined}
        />
      )}
      {add === 'contract' && mayWrite && (
        <ContractDialog
          contract={null}
          customerId={customerId}
          onClose={() => change({ add: undefined })}
        />
      )}
      {add === 'resource' && mayWrite && (
        <ResourceDialog
          resource={null}
          customerId={customerId}
          onClose={() => change({ add: undefined })}
        />
      )}
      {contract !== undefined && mayWrite && (
        <EditContract
          customerId={customerId}
          id={contract}
          onClose={() => change({ contract: undefined })}
        />
      )}
      {resource !== undefined && mayWrite && (
        <EditResource
          customerId={customerId}
          id={resource}
          onClose={() => change({ resource: undefined })}
        />
      )}
    </Page>
  )
}
