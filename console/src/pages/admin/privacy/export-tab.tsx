// Gathers what is kept of a person, part by part, and gives it as a file.

import { Button, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import type { Schemas } from 'casework/client'
import { Download } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import { casework } from '../../../data/client.ts'
import { noteFailure } from '../../../data/query-client.ts'
import { useText } from '../../../messages/use-text.ts'
import { saveFile } from '../../../parts/csv.ts'
import { FormProblem, fieldProblem } from '../../../parts/form-problem.tsx'
import { JsonView } from '../../../parts/json-view.tsx'
import { Counts } from './counts.tsx'
import { messages } from './messages.ts'

type Item = Schemas['PrivacyExportItem']

// Shown to look at; the file has all of them.
const SHOWN_MAX = 20

async function gather(
  address: string,
  name: string,
  onCount: (count: number) => void,
): Promise<readonly Item[]> {
  const items: Item[] = []
  let cursor = ''
  do {
    const page = await casework.post('/beta/casework/privacy-exports', {
      body: {
        address,
        ...(name === '' ? {} : { name }),
        ...(cursor === '' ? {} : { cursor }),
      },
    })
    items.push(...page.items)
    onCount(items.length)
    cursor = page.next_cursor
  } while (cursor !== '')
  return items
}

export function ExportTab() {
  const t = useText(messages)
  const [address, setAddress] = useState('')
  const [name, setName] = useState('')
  const [count, setCount] = useState(0)
  const run = useMutation({
    mutationFn: () => gather(address, name, setCount),
    onMutate: () => setCount(0),
    onError: noteFailure,
  })
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    run.mutate()
  }
  return (
    <div className="stack admin-narrow">
      <p className="dim" style={{ margin: 0 }}>
        {t('export_lede')}
      </p>
      <form className="stack" aria-label={t('gather')} onSubmit={submit}>
        <TextInput
          type="email"
          label={t('address')}
          value={address}
          error={fieldProblem(run.error, '/address')}
          onChange={({ currentTarget: { value } }) => {
            setAddress(value)
            // What is shown, or on its way, belongs to the person before.
            run.reset()
          }}
          required
          withAsterisk={false}
          autoComplete="off"
        />
        <TextInput
          label={t('name')}
          description={t('name_help')}
          value={name}
          error={fieldProblem(run.error, '/name')}
          onChange={({ currentTarget: { value } }) => {
            setName(value)
            run.reset()
          }}
          autoComplete="off"
        />
        <FormProblem error={run.error} />
        <div className="row-of">
          <Button type="submit" loading={run.isPending}>
            {t('gather')}
          </Button>
          {run.isPending && <span role="status">{t('gathering', { count })}</span>}
        </div>
      </form>
      {run.data !== undefined && <Gathered items={run.data} />}
    </div>
  )
}

function Gathered({ items }: { readonly items: readonly Item[] }) {
  const t = useText(messages)
  const title = t('gathered', { count: items.length })
  const counts: Record<string, number> = {}
  for (const { table } of items) counts[table] = (counts[table] ?? 0) + 1
  return (
    <section className="preview stack" aria-label={title}>
      <h2 className="section-title">{title}</h2>
      {items.length > 0 && (
        <>
          <Counts counts={counts} />
          <div>
            <Button
              leftSection={<Download size={14} aria-hidden />}
              onClick={() =>
                saveFile('personal-data.json', 'application/json', JSON.stringify(items, null, 2))
              }
            >
              {t('download')}
            </Button>
          </div>
          <JsonView label={title} value={items.slice(0, SHOWN_MAX)} />
        </>
      )}
    </section>
  )
}
