// The three ways to a new playbook: from nothing, from one that ships with the program, from a file.

import { Button, FileButton, Group, Modal, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { CircleAlert, FileUp, TriangleAlert } from 'lucide-react'
import { useState } from 'react'
import { casework } from '../../data/client.ts'
import { useAct } from '../../data/use-act.ts'
import { useText } from '../../messages/use-text.ts'
import { CodeEditor } from '../../parts/code-editor.tsx'
import { CodeText } from '../../parts/code-text.tsx'
import { FormProblem } from '../../parts/form-problem.tsx'
import { Loading } from '../../parts/loading.tsx'
import { Problem } from '../../parts/problem.tsx'
import {
  type ImportResult,
  importTemplate,
  importText,
  playbooksQuery,
  templatesQuery,
} from './data.ts'
import { messages } from './messages.ts'
import type { NEW_WAYS } from './route.ts'

const TOUCHES = () => [['playbooks']]

interface WayProps {
  readonly onClose: () => void
}

export function NewPlaybook({
  way,
  onClose,
}: WayProps & { readonly way: (typeof NEW_WAYS)[number] | undefined }) {
  const t = useText(messages)
  return (
    <Modal
      opened={way !== undefined}
      onClose={onClose}
      title={way === undefined ? '' : t(`new_${way}`)}
      size={way === 'empty' ? 'md' : 'lg'}
      closeButtonProps={{ 'aria-label': t('close') }}
    >
      {way === 'empty' && <FromNothing onClose={onClose} />}
      {way === 'shipped' && <FromShipped />}
      {way === 'file' && <FromFile onClose={onClose} />}
    </Modal>
  )
}

function useOpenEditor() {
  const navigate = useNavigate()
  return (playbookId: string): void =>
    void navigate({ to: '/playbooks/$playbookId/edit', params: { playbookId } })
}

function FromNothing({ onClose }: WayProps) {
  const t = useText(messages)
  const open = useOpenEditor()
  const [name, setName] = useState('')
  const create = useAct({
    act: (given: string) =>
      casework.post('/beta/casework/playbooks', {
        body: {
          name: given,
          nodes: [
            { id: 'begin', kind: 'start', paths: { next: 'done' } },
            { id: 'done', kind: 'end' },
          ],
        },
      }),
    touches: TOUCHES,
    onDone: ({ id }) => open(id),
  })
  return (
    <form
      className="stack"
      onSubmit={(event) => {
        event.preventDefault()
        if (name.trim() !== '') create.mutate(name.trim())
      }}
    >
      <TextInput
        label={t('name')}
        description={t('new_empty_why')}
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
        maxLength={200}
        required
        data-autofocus
      />
      <FormProblem error={create.error} />
      <Group justify="flex-end" gap={8}>
        <Button variant="default" onClick={onClose}>
          {t('cancel')}
        </Button>
        <Button type="submit" loading={create.isPending}>
          {t('create')}
        </Button>
      </Group>
    </form>
  )
}

function FromShipped() {
  const t = useText(messages)
  const templates = useQuery(templatesQuery)
  const playbooks = useQuery(playbooksQuery)
  const navigate = useNavigate()
  const copy = useAct({
    act: ({ name, title }: { readonly name: string; readonly title: string }) =>
      importTemplate(name, title),
    touches: TOUCHES,
    say: ({ title }) => t('imported', { name: title }),
    onDone: ({ id }) => {
      if (id !== undefined) {
        void navigate({ to: '/playbooks/$playbookId', params: { playbookId: id } })
      }
    },
  })
  // Without the names that are taken, a copy might become a version of another playbook.
  if (templates.data === undefined || playbooks.data === undefined) {
    const error = templates.error ?? playbooks.error
    if (error === null) return <Loading />
    const retry = (): void => {
      void templates.refetch()
      void playbooks.refetch()
    }
    return <Problem error={error} onRetry={retry} />
  }
  const names = new Set(playbooks.data.map(({ name }) => name))
  return (
    <div className="stack">
      <p className="dim" style={{ margin: 0 }}>
        {t('new_shipped_why')}
      </p>
      <ul className="template-list">
        {templates.data.map((template) => {
          const name = freeName(template.title, names)
          return (
            <li key={template.name} className="template">
              <div className="template-words">
                <div className="template-name">{template.title}</div>
                <div className="small">
                  <CodeText text={template.description} />
                </div>
                <div className="dim small">
                  {t('template_nodes', { count: template.node_count })}
                  {template.secrets.length > 0 &&
                    ` · ${t('template_secrets', { names: template.secrets.join(', ') })}`}
                </div>
              </div>
              <Button
                variant="default"
                aria-label={t('copy_named', { name: template.title })}
                loading={copy.isPending && copy.variables.name === template.name}
                onClick={() => copy.mutate({ name: template.name, title: name })}
              >
                {t('copy')}
              </Button>
            </li>
          )
        })}
      </ul>
      <FormProblem error={copy.error} />
    </div>
  )
}

/** An import under a name that is there would add a version to that playbook. */
function freeName(title: string, taken: ReadonlySet<string>): string {
  if (!taken.has(title)) return title
  let number = 2
  while (taken.has(`${title} ${number}`)) number += 1
  return `${title} ${number}`
}

function FromFile({ onClose }: WayProps) {
  const t = useText(messages)
  const navigate = useNavigate()
  const [text, setText] = useState('')
  const [checked, setChecked] = useState<{ readonly text: string; readonly result: ImportResult }>()
  const check = useAct({
    act: (given: string) => importText(given, true),
    touches: () => [],
    onDone: (result, given) => setChecked({ text: given, result }),
  })
  const take = useAct({
    act: (given: string) => importText(given),
    touches: TOUCHES,
    say: (_given, { name }) => t('imported', { name }),
    onDone: ({ id }) => {
      if (id !== undefined) {
        void navigate({ to: '/playbooks/$playbookId', params: { playbookId: id } })
      }
    },
  })
  const read = async (file: File | null): Promise<void> => {
    if (file !== null) setText(await file.text())
  }
  // The answer may come when the text is another one already.
  const tried = checked?.text === text ? checked.result : undefined
  const isFit = tried !== undefined && tried.problems.length === 0
  return (
    <div className="stack">
      <Group justify="space-between" gap={8}>
        <span className="dim">{t('new_file_why')}</span>
        <FileButton onChange={(file) => void read(file)} accept=".yaml,.yml,.json">
          {(props) => (
            <Button {...props} variant="default" leftSection={<FileUp size={16} aria-hidden />}>
              {t('choose_file')}
            </Button>
          )}
        </FileButton>
      </Group>
      <CodeEditor label={t('document')} value={text} onChange={setText} />
      {tried !== undefined && <Tried result={tried} />}
      <FormProblem error={check.error ?? take.error} />
      <Group justify="flex-end" gap={8}>
        <Button variant="default" onClick={onClose}>
          {t('cancel')}
        </Button>
        {isFit ? (
          <Button onClick={() => take.mutate(text)} loading={take.isPending}>
            {t('import')}
          </Button>
        ) : (
          <Button
            onClick={() => check.mutate(text)}
            loading={check.isPending}
            disabled={text.trim() === ''}
          >
            {t('check')}
          </Button>
        )}
      </Group>
    </div>
  )
}

/** What a dry run said. */
function Tried({ result }: { readonly result: ImportResult }) {
  const t = useText(messages)
  const { problems, warnings, outcome, name } = result
  return (
    <div className="stack" role="status">
      {problems.length === 0 && <div>{t(`outcome_${outcome}`, { name })}</div>}
      <ul className="finding-list">
        {problems.map((one) => (
          <Finding key={`${one.path} ${one.reason}`} isProblem {...one} />
        ))}
        {warnings.map((one) => (
          <Finding key={`${one.path} ${one.reason}`} {...one} />
        ))}
      </ul>
    </div>
  )
}

interface FindingProps {
  readonly path: string
  readonly reason: string
  readonly line?: number
  readonly isProblem?: boolean
}

function Finding({ path, reason, line, isProblem = false }: FindingProps) {
  const t = useText(messages)
  const Icon = isProblem ? CircleAlert : TriangleAlert
  return (
    <li className="finding" data-tone={isProblem ? 'red' : 'amber'}>
      <Icon size={14} role="img" aria-label={t(isProblem ? 'problem' : 'warning')} />
      <span>
        {line !== undefined && <span className="dim">{t('line', { line })} </span>}
        <span className="mono">{path}</span> {reason}
      </span>
    </li>
  )
}
