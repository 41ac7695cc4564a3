// A mail to the customer, a reporter or somebody else, from a template. Beside the text stands the
// mail as it would go out: to whom, what it says, and what was removed from the evidence.

import {
  Button,
  Checkbox,
  Modal,
  SegmentedControl,
  Select,
  Textarea,
  TextInput,
} from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { Schemas } from 'casework/client'
import { type FormEvent, useState } from 'react'
import { casework } from '../../data/client.ts'
import { useMay } from '../../data/session.ts'
import { useAct } from '../../data/use-act.ts'
import { useText } from '../../messages/use-text.ts'
import { FormProblem } from '../../parts/form-problem.tsx'
import { messages as partMessages } from '../../parts/messages.ts'
import { useDraft } from '../../parts/use-draft.ts'
import { templatesQuery } from '../notices/data.ts'
import type { DialogProps } from './deadline-dialog.tsx'
import { MailPreview } from './mail-preview.tsx'
import { chooseTemplates, listReasons, showsText, type TemplateChoice } from './mail-templates.ts'
import { messages } from './messages.ts'
import { useLater } from './use-later.ts'

type NewNotice = Schemas['NewNotice']
export type Party = NewNotice['party']
const PARTIES = ['customer', 'reporter', 'other'] as const
// The template whose mail is the text of a person.
const OF_PERSON = 'answer'

export function MailDialog({ detail, onClose }: DialogProps) {
  const t = useText(messages)
  const tp = useText(partMessages)
  const mayListTemplates = useMay('playbooks:read')
  const [party, setParty] = useState<Party>('customer')
  const [address, setAddress] = useState('')
  const [reporter, setReporter] = useState<string | null>(null)
  const [chosenName, setName] = useState(OF_PERSON)
  const [chosenLanguage, setLanguage] = useState<string | null>(null)
  const [text, setText, forgetText] = useDraft(`mail ${detail.id}`)
  const [reasons, setReasons] = useState<Readonly<Record<string, string>>>({})
  const [hasEvidence, setEvidence] = useState(false)
  const list = useQuery({ ...templatesQuery, enabled: mayListTemplates })
  const choices = chooseTemplates(list.data?.items ?? [], party)
  // One that may not go to this party is not chosen for it, nor a language that it does not have.
  const template = choices.find((one) => one.name === chosenName)
  const name = template?.name ?? OF_PERSON
  const language = template?.languages.find((one) => one === chosenLanguage) ?? null
  const to = party === 'other' ? address.trim() : (reporter ?? '')
  const notice: NewNotice = {
    template: name,
    party,
    ...(party === 'customer' || to === '' ? {} : { address: to }),
    ...(language === null ? {} : { language }),
    ...(text.trim() === '' ? {} : { text }),
    ...(Object.keys(reasons).length === 0 ? {} : { reasons }),
    ...(hasEvidence ? { evidence: true } : {}),
  }
  const isAddressed = party !== 'other' || /^[^\s@]+@[^\s@.]+(?:\.[^\s@.]+)+$/.test(to)
  const later = useLater(notice)
  const preview = useQuery({
    queryKey: ['cases', detail.id, 'mail', later],
    queryFn: () =>
      casework.post('/beta/casework/cases/{caseId}/notices', {
        params: { path: { caseId: detail.id }, query: { preview: true } },
        body: later,
      }),
    enabled: isAddressed,
    placeholderData: (former) => former,
    gcTime: 0,
  })
  const act = useAct<NewNotice, unknown>({
    act: (given) =>
      casework.post('/beta/casework/cases/{caseId}/notices', {
        params: { path: { caseId: detail.id } },
        body: given,
      }),
    touches: () => [['cases', detail.id]],
    say: () => t('said_mailed'),
    onDone() {
      forgetText()
      onClose()
    },
  })
  const isEmpty = name === OF_PERSON && text.trim() === ''
  const describeText = (given: string, isShown: boolean): string | null => {
    if (!isShown) return t('text_not_shown')
    return given === '' ? null : t('draft_kept')
  }
  const shown = preview.error === null && isAddressed ? (preview.data ?? null) : null
  // The former preview stays in sight while the next one is on its way, with the former recipient.
  // The button waits for the next one: a mail goes to nobody else than the button says.
  const isFresh = !preview.isPlaceholderData && JSON.stringify(later) === JSON.stringify(notice)
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    act.mutate(notice)
  }
  return (
    <Modal
      opened
      onClose={onClose}
      title={t('mail_title')}
      size={960}
      yOffset="6vh"
      centered={false}
      closeButtonProps={{ 'aria-label': tp('close') }}
    >
      <form className="mail" onSubmit={submit}>
        <div className="stack mail-form">
          <SegmentedControl
            aria-label={t('mail_to')}
            value={party}
            onChange={(value) => setParty(PARTIES.find((one) => one === value) ?? party)}
            data={PARTIES.map((one) => ({ value: one, label: t(`party_${one}`) }))}
          />
          {party === 'reporter' && detail.event_reporters.length > 1 && (
            <Select
              label={t('party_reporter')}
              placeholder={t('newest_reporter')}
              clearable
              data={[...detail.event_reporters]}
              value={reporter}
              onChange={setReporter}
            />
          )}
          {party === 'other' && (
            <TextInput
              label={t('address')}
              type="email"
              required
              withAsterisk={false}
              value={address}
              onChange={(event) => setAddress(event.currentTarget.value)}
            />
          )}
          <TemplateFields
            choices={choices}
            name={name}
            onName={setName}
            language={language}
            onLanguage={setLanguage}
          />
          <Textarea
            label={t('mail_text')}
            description={describeText(text, showsText(template))}
            data-autofocus
            autosize
            minRows={6}
            maxRows={14}
            maxLength={10_000}
            value={text}
            onChange={(event) => setText(event.currentTarget.value)}
          />
          {listReasons(template).map((reason) => (
            <TextInput
              key={reason}
              label={reason.replaceAll('_', ' ')}
              value={reasons[reason] ?? ''}
              onChange={(event) => {
                const { value } = event.currentTarget
                setReasons((former) => ({ ...former, [reason]: value }))
              }}
            />
          ))}
          <Checkbox
            label={t('with_evidence')}
            description={t('with_evidence_why')}
            checked={hasEvidence}
            onChange={(event) => setEvidence(event.currentTarget.checked)}
          />
        </div>
        <MailPreview
          preview={shown}
          party={party}
          error={isAddressed ? preview.error : null}
          isAsking={preview.isFetching || !isFresh}
          needsAddress={!isAddressed}
          onRetry={() => void preview.refetch()}
        />
        <div className="mail-acts">
          <FormProblem error={act.error} />
          <span className="dim small mail-note">{t('mail_no_undo')}</span>
          <Button variant="default" onClick={onClose}>
            {tp('cancel')}
          </Button>
          <Button
            type="submit"
            disabled={shown === null || !isFresh || isEmpty}
            loading={act.isPending}
          >
            {shown === null ? t('send') : t('send_to', { recipient: shown.recipient })}
          </Button>
        </div>
      </form>
    </Modal>
  )
}

interface TemplateFieldsProps {
  readonly choices: readonly TemplateChoice[]
  readonly name: string
  readonly onName: (name: string) => void
  readonly language: string | null
  readonly onLanguage: (language: string | null) => void
}

function TemplateFields({ choices, name, onName, language, onLanguage }: TemplateFieldsProps) {
  const t = useText(messages)
  const languages = choices.find((one) => one.name === name)?.languages ?? []
  if (choices.length === 0) return <div className="dim small">{t('template_answer')}</div>
  return (
    <div className="split-filters">
      <Select
        label={t('template')}
        allowDeselect={false}
        data={choices.map((one) => one.name)}
        value={name}
        onChange={(value) => onName(value ?? name)}
      />
      <Select
        label={t('language')}
        placeholder={t('language_auto')}
        clearable
        data={[...languages]}
        value={language}
        onChange={onLanguage}
      />
    </div>
  )
}
