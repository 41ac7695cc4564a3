// A contract or resource of a customer: a new one, or a change of one.

import { Button, Group, Modal, Select, TextInput } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { type FormEvent, type ReactNode, useState } from 'react'
import { casework } from '../../data/client.ts'
import { noteFailure, queryClient } from '../../data/query-client.ts'
import { useText } from '../../messages/use-text.ts'
import { FormProblem, fieldProblem } from '../../parts/form-problem.tsx'
import { showToast } from '../../parts/toasts.ts'
import { type Contract, contractsQuery, type Resource, resourcesQuery } from './data.ts'
import { messages } from './messages.ts'

interface OwnedDialogProps {
  readonly customerId: string
  readonly onClose: () => void
}

// A resource may go to another customer, whose page shows it then.
const CUSTOMERS_KEY = ['customers']

function useSave(act: () => Promise<unknown>, onClose: () => void) {
  const t = useText(messages)
  return useMutation({
    mutationFn: act,
    onError: noteFailure,
    // Also after a refusal: somebody else may have changed it.
    onSettled: () => queryClient.invalidateQueries({ queryKey: CUSTOMERS_KEY }),
    onSuccess() {
      showToast({ kind: 'done', text: t('saved') })
      onClose()
    },
  })
}

interface FormProps {
  readonly title: string
  /** On the button that sends it. */
  readonly act: string
  readonly save: ReturnType<typeof useSave>
  readonly onClose: () => void
  readonly children: ReactNode
}

function OwnedForm({ title, act, save, onClose, children }: FormProps) {
  const t = useText(messages)
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    save.mutate()
  }
  return (
    <Modal opened onClose={onClose} title={title} closeButtonProps={{ 'aria-label': t('close') }}>
      <form onSubmit={submit} className="stack">
        {children}
        <FormProblem error={save.error} />
        <Group justify="flex-end" gap={8}>
          <Button variant="default" onClick={onClose}>
            {t('cancel')}
          </Button>
          <Button type="submit" loading={save.isPending}>
            {act}
          </Button>
        </Group>
      </form>
    </Modal>
  )
}

interface ValidityFieldsProps {
  readonly from: string
  readonly until: string
  readonly onFrom: (value: string) => void
  readonly onUntil: (value: string) => void
  readonly error: unknown
}

function ValidityFields({ from, until, onFrom, onUntil, error }: ValidityFieldsProps) {
  const t = useText(messages)
  return (
    <div className="two-fields">
      <TextInput
        type="date"
        label={t('valid_from')}
        value={from}
        onChange={(event) => onFrom(event.currentTarget.value)}
        error={fieldProblem(error, '/valid_from')}
      />
      <TextInput
        type="date"
        label={t('valid_until')}
        value={until}
        onChange={(event) => onUntil(event.currentTarget.value)}
        error={fieldProblem(error, '/valid_until')}
      />
    </div>
  )
}

export interface ContractDialogProps extends OwnedDialogProps {
  /** Null makes a new one. */
  readonly contract: Contract | null
}

export function ContractDialog({ contract: given, customerId, onClose }: ContractDialogProps) {
  const t = useText(messages)
  // As it was when the dialog opened: a change that somebody else makes meanwhile is refused.
  const [contract] = useState(given)
  const [id, setId] = useState(contract?.id ?? '')
  const [name, setName] = useState(contract?.name ?? '')
  const [from, setFrom] = useState(dayOf(contract?.valid_from))
  const [until, setUntil] = useState(dayOf(contract?.valid_until))
  const save = useSave(
    () =>
      contract === null
        ? casework.post('/beta/casework/contracts', {
            body: {
              id: id.trim(),
              customer_id: customerId,
              ...(name.trim() === '' ? {} : { name: name.trim() }),
              ...readValidity(from, until),
            },
          })
        : casework.patch('/beta/casework/contracts/{contractId}', {
            params: { path: { contractId: contract.id } },
            body: {
              version: contract.version,
              name: name.trim() === '' ? null : name.trim(),
              ...readNewValidity(contract, from, until),
            },
          }),
    onClose,
  )
  return (
    <OwnedForm
      title={contract === null ? t('add_contract') : t('edit_contract', { id: contract.id })}
      act={contract === null ? t('add_contract') : t('save')}
      save={save}
      onClose={onClose}
    >
      {contract === null && (
        <TextInput
          label={t('contract_id')}
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
        data-autofocus={contract === null ? undefined : true}
      />
      <ValidityFields
        from={from}
        until={until}
        onFrom={setFrom}
        onUntil={setUntil}
        error={save.error}
      />
    </OwnedForm>
  )
}

interface EditProps extends OwnedDialogProps {
  readonly id: string
}

/** Nothing for an id that the customer does not have. */
export function EditContract({ id, ...others }: EditProps) {
  const { data } = useQuery(contractsQuery(others.customerId))
  const contract = data?.items.find((one) => one.id === id)
  return contract === undefined ? null : <ContractDialog {...others} contract={contract} />
}

export function EditResource({ id, ...others }: EditProps) {
  const { data } = useQuery(resourcesQuery(others.customerId))
  const resource = data?.items.find((one) => one.id === id)
  return resource === undefined ? null : <ResourceDialog {...others} resource={resource} />
}

const KINDS = ['ip_range', 'domain', 'account'] as const

export interface ResourceDialogProps extends OwnedDialogProps {
  /** Null makes a new one. */
  readonly resource: Resource | null
}

/** Kind and value of a resource stay: another value is another resource. */
export function ResourceDialog({ resource: given, customerId, onClose }: ResourceDialogProps) {
  const t = useText(messages)
  const [resource] = useState(given)
  const [kind, setKind] = useState<(typeof KINDS)[number]>('ip_range')
  const [value, setValue] = useState('')
  const [owner, setOwner] = useState(customerId)
  const [contract, setContract] = useState(resource?.contract_id ?? '')
  const [from, setFrom] = useState(dayOf(resource?.valid_from))
  const [until, setUntil] = useState(dayOf(resource?.valid_until))
  const save = useSave(
    () =>
      resource === null
        ? casework.post('/beta/casework/resources', {
            body: {
              kind,
              value: value.trim(),
              customer_id: customerId,
              ...(contract.trim() === '' ? {} : { contract_id: contract.trim() }),
              ...readValidity(from, until),
            },
          })
        : casework.patch('/beta/casework/resources/{resourceId}', {
            params: { path: { resourceId: resource.id } },
            body: {
              version: resource.version,
              customer_id: owner.trim(),
              contract_id: contract.trim() === '' ? null : contract.trim(),
              ...readNewValidity(resource, from, until),
            },
          }),
    onClose,
  )
  return (
    <OwnedForm
      title={resource === null ? t('add_resource') : t('edit_resource', { value: resource.value })}
      act={resource === null ? t('add_resource') : t('save')}
      save={save}
      onClose={onClose}
    >
      {resource === null ? (
        <>
          <Select
            label={t('kind')}
            allowDeselect={false}
            data={KINDS.map((one) => ({ value: one, label: t(`kind_${one}`) }))}
            value={kind}
            onChange={(next) => setKind(KINDS.find((one) => one === next) ?? 'ip_range')}
          />
          <TextInput
            label={t('value')}
            description={t(`hint_${kind}`)}
            value={value}
            onChange={(event) => setValue(event.currentTarget.value)}
            error={fieldProblem(save.error, '/value')}
            required
            data-autofocus
            classNames={{ input: 'mono' }}
          />
        </>
      ) : (
        <TextInput
          label={t('owner')}
          description={t('owner_hint')}
          value={owner}
          onChange={(event) => setOwner(event.currentTarget.value)}
          error={fieldProblem(save.error, '/customer_id')}
          required
        />
      )}
      <TextInput
        label={t('contract_id')}
        value={contract}
        onChange={(event) => setContract(event.currentTarget.value)}
        error={fieldProblem(save.error, '/contract_id')}
        data-autofocus={resource === null ? undefined : true}
      />
      <ValidityFields
        from={from}
        until={until}
        onFrom={setFrom}
        onUntil={setUntil}
        error={save.error}
      />
    </OwnedForm>
  )
}

interface Validity {
  readonly valid_from?: string
  readonly valid_until?: string
}

function readValidity(from: string, until: string): { valid_from?: string; valid_until?: string } {
  return {
    ...(from === '' ? {} : { valid_from: from }),
    ...(until === '' ? {} : { valid_until: until }),
  }
}

/** The day in UTC, as a day that is sent is midnight UTC. */
function dayOf(time: string | undefined): string {
  return time?.slice(0, 10) ?? ''
}

/** Days that nobody changed are left out: a time of the day would be lost with them. */
function readNewValidity(
  { valid_from: oldFrom, valid_until: oldUntil }: Validity,
  from: string,
  until: string,
): { valid_from?: string | null; valid_until?: string | null } {
  return {
    ...(from === dayOf(oldFrom) ? {} : { valid_from: from === '' ? null : from }),
    ...(until === dayOf(oldUntil) ? {} : { valid_until: until === '' ? null : until }),
  }
}
