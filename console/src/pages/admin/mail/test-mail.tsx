// Sends a test mail through the relay, and says what each step of the conversation came to.

import { TextInput } from '@mantine/core'
import { useState } from 'react'
import { casework } from '../../../data/client.ts'
import { useMay, useSession } from '../../../data/session.ts'
import { useText } from '../../../messages/use-text.ts'
import { Badge } from '../../../parts/badges.tsx'
import { fieldProblem } from '../../../parts/form-problem.tsx'
import { CHECK_STATES } from '../check-states.ts'
import { readinessQuery } from '../data.ts'
import { PanelForm, useSend } from '../form.tsx'
import { messages } from './messages.ts'

const TEST_COMMAND = 'npx casework notice test --to you@example.org'

export function TestMail() {
  const t = useText(messages)
  const may = useMay('instance:admin')
  return (
    <section className="stack" aria-label={t('test')}>
      <div>
        <h2 className="section-title">{t('test')}</h2>
        <div className="dim">{may ? t('test_why') : t('test_role')}</div>
      </div>
      {may && <TestForm />}
      <p className="dim">
        {t('test_command')} <code className="mono">{TEST_COMMAND}</code>
      </p>
    </section>
  )
}

function TestForm() {
  const t = useText(messages)
  const { user } = useSession()
  const [to, setTo] = useState(user.email)
  const test = useSend({
    send: () => casework.post('/beta/admin/test-mails', { body: { to } }),
    touches: [readinessQuery.queryKey],
  })
  const { data } = test
  return (
    <>
      <PanelForm
        label={t('test')}
        act={t('test_act')}
        isPending={test.isPending}
        error={test.error}
        onSend={() => test.mutate(undefined)}
      >
        <TextInput
          type="email"
          label={t('test_to')}
          value={to}
          error={fieldProblem(test.error, '/to')}
          onChange={({ currentTarget: { value } }) => {
            setTo(value)
            test.reset()
          }}
          required
          withAsterisk={false}
        />
      </PanelForm>
      {data !== undefined && (
        <div className="stack">
          <div className="note" data-tone={data.ok ? 'green' : 'red'} role="status">
            {t(data.ok ? 'test_done' : 'test_failed', { to })}
          </div>
          <ul className="rows" aria-label={t('test_steps')}>
            {data.steps.map(({ step, state, detail }) => {
              const [tone, icon] = CHECK_STATES[state]
              return (
                <li key={step}>
                  <div className="rows-words">
                    <div>{t(`step_${step}`)}</div>
                    <div className="dim small">{detail}</div>
                  </div>
                  <Badge tone={tone} icon={icon}>
                    {t(`state_${state}`)}
                  </Badge>
                </li>
              )
            })}
          </ul>
        </div>
      )}
    </>
  )
}
