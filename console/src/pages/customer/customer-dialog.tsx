// A new customer, or the name, reseller and contacts of one.

import { ActionIcon, Button, Group, Modal, Select, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { Plus, Trash2 } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import { casework } from '../../data/client.ts'
import { noteFailure, queryClient } from '../../data/query-client.ts'
import { useText } from '../../messages/use-text.ts'
import { FormProblem, fieldProblem } from '../../parts/form-problem.tsx'
import { showToast } from '../../parts/toasts.ts'
import type { Customer } from './data.ts'
import { messages } from './messages.ts'

export interface CustomerDialogProps {
  /** Null makes a new one. */
  readonly customer: Customer | null
  readonly onClose: () => void
  readonly onSaved: (customer: Customer) => void
}

interface ContactFields {
  readonly key: number
  readonly email: string
  readonly purpose: string
  readonly language: string
  readonly state: 'active' | 'bounced' | 'disabled'
}

const CONTACT_STATES = ['active', 'bounced', 'disabled'] as const
const CONTACTS_MAX = 20
const LANGUAGE_EXAMPLE = 'de'
let nextKey = 1

function newContact(): ContactFields {
  nextKey += 1
  return { key: nextKey, email: '', purpose: 'abuse', language: '', state: 'active' }
}

export function CustomerDialog({ customer: given, onClose, onSaved }: CustomerDialogProps) {
  const t = useText(messages)
  // As it was when the dialog opened: a change that somebody else makes meanwhile is refused.
  const [customer] = useState(given)
  const [id, setId] = useState(customer?.id ?? '')
  const [name, setName] = useState(customer?.name ?? '')
  const [parent, setParent] = useState(customer?.parent_customer_id ?? '')
  const [contacts, setContacts] = useState<readonly ContactFields[]>(() =>
    (customer?.contacts ?? []).map((one) => ({ ...newContact(), purpose: '', ...one })),
  )
  const save = useMutation({
    mutationFn: () => saveCustomer(customer, { id, name, parent, contacts }),
    onError: noteFailure,
    async onSuccess(saved) {
      await queryClient.invalidateQueries({ queryKey: ['customers'] })
      showToast({ kind: 'done', text: t('saved') })
      onClose()
      onSaved(saved)
    },
  })
  const set = (key: number, part: Partial<ContactFields>): void =>
    setContacts((all) => all.map((one) => (one.key === key ? { ...one, ...part } : one)))
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    save.mutate()
  }
  return (
    <Modal
      opened
      onClose={onClose}
      title={t(customer === null ? 'add_customer' : 'edit')}
      size="lg"
      closeButtonProps={{ 'aria-label': t('close') }}
    >
      <form onSubmit={submit} className="stack">
        {customer === null && (
          <TextInput
            label={t('id')}
            description={t('id_hint')}
            value={id}
            onChange={(event) => setId(event.currentTarget.value)}
            error={fieldProblem(save.error, '/id')}
            required
            data-autofocus
          />
        )}
        <TextInput
          label={t('name')}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
          error={fieldProblem(save.error, '/name')}
          maxLength={200}
          data-autofocus={customer === null ? undefined : true}
        />
        <TextInput
          label={t('parent')}
          description={t('parent_hint')}
          value={parent}
          onChange={(event) => setParent(event.currentTarget.value)}
          error={fieldProblem(save.error, '/parent_customer_id')}
        />
        <fieldset className="fields">
          <legend className="section-title">{t('contacts')}</legend>
          {contacts.map(({ key, email, purpose, language, state }, at) => (
            <div key={key} className="contact-fields">
              <TextInput
                label={t('email')}
                type="email"
                required
                value={email}
                onChange={(event) => set(key, { email: event.currentTarget.value })}
                error={fieldProblem(save.error, `/contacts/${at}/email`)}
              />
              <TextInput
                label={t('purpose')}
                value={purpose}
                onChange={(event) => set(key, { purpose: event.currentTarget.value })}
                error={fieldProblem(save.error, `/contacts/${at}/purpose`)}
              />
              <TextInput
                label={t('language')}
                placeholder={LANGUAGE_EXAMPLE}
                value={language}
                onChange={(event) => set(key, { language: event.currentTarget.value })}
                error={fieldProblem(save.error, `/contacts/${at}/language`)}
              />
              <Select
                label={t('state')}
                allowDeselect={false}
                data={CONTACT_STATES.map((value) => ({ value, label: t(`state_${value}`) }))}
                value={state}
                onChange={(value) =>
                  set(key, { state: CONTACT_STATES.find((one) => one === value) ?? 'active' })
                }
              />
              <ActionIcon
                aria-label={t('remove_contact', { email })}
                onClick={() => setContacts((all) => all.filter((one) => one.key !== key))}
                className="contact-remove"
              >
                <Trash2 size={16} aria-hidden />
              </ActionIcon>
            </div>
          ))}
          {contacts.length < CONTACTS_MAX && (
            <Button
              variant="subtle"
              leftSection={<Plus size={16} aria-hidden />}
              onClick={() => setContacts((all) => [...all, newContact()])}
              className="contact-add"
            >
              {t('add_contact')}
            </Button>
          )}
        </fieldset>
        <FormProblem error={save.error} />
        <Group justify="flex-end" gap={8}>
          <Button variant="default" onClick={onClose}>
            {t('cancel')}
          </Button>
          <Button type="submit" loading={save.isPending}>
            {t(customer === null ? 'add_customer' : 'save')}
          </Button>
        </Group>
      </form>
    </Modal>
  )
}

interface CustomerFields {
  readonly id: string
  readonly name: string
  readonly parent: string
  readonly contacts: readonly ContactFields[]
}

function saveCustomer(
  customer: Customer | null,
  { id, name, parent, contacts: given }: CustomerFields,
): Promise<Customer> {
  const contacts = given.map(({ email, purpose, language, state }) => ({
    email: email.trim(),
    ...(purpose.trim() === '' ? {} : { purpose: purpose.trim() }),
    ...(language.trim() === '' ? {} : { language: language.trim() }),
    state,
  }))
  if (customer === null) {
    return casework.post('/beta/casework/customers', {
      body: {
        id: id.trim(),
        ...(name.trim() === '' ? {} : { name: name.trim() }),
        ...(parent.trim() === '' ? {} : { parent_customer_id: parent.trim() }),
        contacts,
      },
    })
  }
  return casework.patch('/beta/casework/customers/{customerId}', {
    params: { path: { customerId: customer.id } },
    body: {
      version: customer.version,
      name: name.trim() === '' ? null : name.trim(),
      parent_customer_id: parent.trim() === '' ? null : parent.trim(),
      contacts,
    },
  })
}
