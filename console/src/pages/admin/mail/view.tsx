// How mail leaves and comes in, and whose it is.

import { Button, Checkbox, NativeSelect, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { casework } from '../../../data/client.ts'
import { useMay, useSession } from '../../../data/session.ts'
import { useAct } from '../../../data/use-act.ts'
import { useText } from '../../../messages/use-text.ts'
import { Badge } from '../../../parts/badges.tsx'
import { fieldProblem } from '../../../parts/form-problem.tsx'
import { CHECK_STATES } from '../check-states.ts'
import { useCheckWords } from '../check-words.ts'
import { readinessQuery, reportAddressesQuery, tenantsQuery } from '../data.ts'
import { PanelForm, useSend } from '../form.tsx'
import { Answer, Section } from '../section.tsx'
import { messages } from './messages.ts'
import { TestMail } from './test-mail.tsx'

// The names of checks that speak of mail.
const OF_MAIL = /relay|smtp|lmtp|mail/i

export function MailSection() {
  return (
    <Section id="mail">
      <div className="stack admin-narrow">
        <Ways />
        <TestMail />
        <ReportAddresses />
      </div>
    </Section>
  )
}

function Ways() {
  const t = useText(messages)
  const sayCheck = useCheckWords()
  const query = useQuery(readinessQuery)
  return (
    <section aria-label={t('state')}>
      <h2 className="section-title">{t('state')}</h2>
      <Answer query={query}>
        {({ checks }) =>
          checks === undefined ? (
            <p className="dim">{t('no_checks')}</p>
          ) : (
            <ul className="rows">
              {checks
                .filter(({ name }) => OF_MAIL.test(name))
                .map(({ name, state, detail }) => {
                  const [tone, icon] = CHECK_STATES[state]
                  return (
                    <li key={name}>
                      <div className="rows-words">
                        <div title={name}>{sayCheck(name).title}</div>
                        <div className="dim small">{detail}</div>
                      </div>
                      <Badge tone={tone} icon={icon}>
                        {t(`state_${state}`)}
                      </Badge>
                    </li>
                  )
                })}
            </ul>
          )
        }
      </Answer>
    </section>
  )
}

function putAddress(address: string, tenantId: string, trap: boolean) {
  return casework.put('/beta/admin/report-addresses/{address}', {
    params: { path: { address } },
    body: { tenant_id: tenantId, trap },
  })
}

function ReportAddresses() {
  const t = useText(messages)
  const may = useMay('instance:admin')
  const query = useQuery({ ...reportAddressesQuery, enabled: may })
  const remove = useAct({
    act: ({ address }: { address: string; tenant_id: string; trap: boolean }) =>
      casework.delete('/beta/admin/report-addresses/{address}', { params: { path: { address } } }),
    touches: () => [reportAddressesQuery.queryKey],
    say: ({ address }) => t('removed', { address }),
    undo:
      ({ address, tenant_id: tenantId, trap }) =>
      () =>
        putAddress(address, tenantId, trap),
  })
  return (
    <section className="stack" aria-label={t('addresses')}>
      <div>
        <h2 className="section-title">{t('addresses')}</h2>
        <div className="dim">{may ? t('addresses_why') : t('addresses_role')}</div>
      </div>
      {may && (
        <Answer query={query}>
          {(addresses) => (
            <>
              {addresses.length === 0 && <div>{t('addresses_none')}</div>}
              <ul className="rows">
                {addresses.map((one) => (
                  <li key={one.address}>
                    <div className="rows-words">
                      <div className="cut">{one.address}</div>
                      <div className="dim small">
                        {one.tenant_id}
                        {one.trap && ` · ${t('is_trap')}`}
                      </div>
                    </div>
                    <Button
                      variant="subtle"
                      color="gray"
                      aria-label={t('remove_named', { address: one.address })}
                      loading={remove.isPending && remove.variables.address === one.address}
                      onClick={() => remove.mutate(one)}
                    >
                      {t('remove')}
                    </Button>
                  </li>
                ))}
              </ul>
              <AddAddress />
            </>
          )}
        </Answer>
      )}
    </section>
  )
}

function AddAddress() {
  const t = useText(messages)
  const { tenant_id: own } = useSession()
  const tenants = useQuery(tenantsQuery)
  const [address, setAddress] = useState('')
  const [tenantId, setTenantId] = useState(own)
  const [isTrap, setTrap] = useState(false)
  const add = useSend({
    send: () => putAddress(address, tenantId, isTrap),
    touches: [reportAddressesQuery.queryKey],
    say: t('added', { address }),
    onDone: () => setAddress(''),
  })
  return (
    <PanelForm
      label={t('add')}
      act={t('add')}
      isPending={add.isPending}
      error={add.error}
      onSend={() => add.mutate(undefined)}
    >
      <TextInput
        type="email"
        label={t('address')}
        value={address}
        error={fieldProblem(add.error, '/address')}
        onChange={({ currentTarget: { value } }) => setAddress(value)}
        required
        withAsterisk={false}
      />
      <NativeSelect
        label={t('tenant')}
        value={tenantId}
        data={(tenants.data ?? []).map(({ id, name }) => ({ value: id, label: name }))}
        onChange={({ currentTarget: { value } }) => setTenantId(value)}
      />
      <Checkbox
        label={t('trap')}
        checked={isTrap}
        onChange={({ currentTarget: { checked } }) => setTrap(checked)}
      />
    </PanelForm>
  )
}
