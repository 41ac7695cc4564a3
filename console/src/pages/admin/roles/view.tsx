// Who may do what, as a table of roles and scopes, and the tenant's own roles.

import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Check } from 'lucide-react'
import { useMay } from '../../../data/session.ts'
import { useText } from '../../../messages/use-text.ts'
import { type Role, rolesQuery } from '../data.ts'
import { SCOPE_NAMES, scopeWords } from '../scope-words.ts'
import { Answer, NewButton, Section } from '../section.tsx'
import { NEW, useAdmin } from '../use-admin.ts'
import { messages } from './messages.ts'
import { RoleForm } from './role-form.tsx'

export function RolesSection() {
  const t = useText(messages)
  const { search } = useAdmin()
  const mayChange = useMay('users:manage')
  const mayRead = useMay('tokens:manage') || mayChange
  const query = useQuery({ ...rolesQuery, enabled: mayRead })
  const shown = query.data?.find(
    ({ name, is_shipped: shipped }) => name === search.open && !shipped,
  )
  return (
    <Section
      id="roles"
      acts={mayChange && <NewButton title={t('create')} />}
      panel={
        <>
          {mayChange && search.open === NEW && <RoleForm />}
          {mayChange && shown !== undefined && <RoleForm key={shown.name} role={shown} />}
        </>
      }
    >
      <Answer query={query}>
        {(roles) => (
          <div className="stack">
            {!mayChange && <p className="dim">{t('read_only')}</p>}
            <OwnRoles roles={roles.filter((role) => !role.is_shipped)} />
            <Matrix roles={roles} />
          </div>
        )}
      </Answer>
    </Section>
  )
}

function OwnRoles({ roles }: { readonly roles: readonly Role[] }) {
  const t = useText(messages)
  const { open } = useAdmin()
  return (
    <section className="admin-narrow" aria-label={t('own')}>
      <h2 className="section-title">{t('own')}</h2>
      {roles.length === 0 && <p className="dim">{t('own_none')}</p>}
      <ul className="rows">
        {roles.map(({ name, description }) => (
          <li key={name}>
            <div className="rows-words">
              <div>{name}</div>
              <div className="dim small cut">{description}</div>
            </div>
            <Button variant="default" aria-label={t('open', { name })} onClick={() => open(name)}>
              {t('edit')}
            </Button>
          </li>
        ))}
      </ul>
    </section>
  )
}

function Matrix({ roles }: { readonly roles: readonly Role[] }) {
  const t = useText(messages)
  const say = useText(scopeWords)
  return (
    <section aria-label={t('matrix')}>
      <h2 className="section-title">{t('matrix')}</h2>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls needs the keyboard */}
      <div className="matrix" tabIndex={0} role="group" aria-label={t('matrix')}>
        <table className="plain-table">
          <thead>
            <tr>
              <th scope="col">{t('scope')}</th>
              {roles.map(({ name, description }) => (
                <th key={name} scope="col" title={description}>
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {SCOPE_NAMES.map((scope) => (
              <tr key={scope}>
                <th scope="row">
                  <span className="mono">{scope}</span>
                  <span className="dim small matrix-words">{say(scope)}</span>
                </th>
                {roles.map(({ name, scopes }) => (
                  <td key={name}>
                    {scopes.includes(scope) && <Check size={16} role="img" aria-label={t('yes')} />}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  )
}
