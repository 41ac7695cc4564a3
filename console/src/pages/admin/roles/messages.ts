// What the roles say.

import { defineMessages } from '../../../messages/define-messages.ts'

export const messages = defineMessages({
  en: {
    create: 'Create role',
    edit: 'Change role',
    matrix: 'Which role may do what',
    scope: 'May',
    yes: 'yes',
    own: 'Own roles',
    own_none:
      'This tenant has no roles of its own. Create one where the shipped roles allow too much or too little.',
    name: 'Name',
    name_help: 'Small letters, digits and hyphens, such as night-shift.',
    description: 'Who gets it',
    scopes: 'May',
    save: 'Save role',
    saved: 'The role {name} was saved.',
    open: 'Change role {name}',
    remove: 'Delete role',
    remove_title: 'Delete the role {name}?',
    remove_why: 'People who have it lose what it allows. A role that a live token names stays.',
    removed: 'The role {name} was deleted.',
    read_only: 'You need the role tenant-admin (users:manage) to change roles.',
  },
  de: {
    create: 'Rolle anlegen',
    edit: 'Rolle ändern',
    matrix: 'Welche Rolle was darf',
    scope: 'Darf',
    yes: 'ja',
    own: 'Eigene Rollen',
    own_none:
      'Dieser Mandant hat keine eigenen Rollen. Legen Sie eine an, wo die mitgelieferten zu viel oder zu wenig erlauben.',
    name: 'Name',
    name_help: 'Kleinbuchstaben, Ziffern und Bindestriche, etwa night-shift.',
    description: 'Wer sie bekommt',
    scopes: 'Darf',
    save: 'Rolle speichern',
    saved: 'Die Rolle {name} ist gespeichert.',
    open: 'Rolle ändern: {name}',
    remove: 'Rolle löschen',
    remove_title: 'Die Rolle {name} löschen?',
    remove_why:
      'Wer sie hat, verliert, was sie erlaubt. Eine Rolle, die ein gültiges Token nennt, bleibt.',
    removed: 'Die Rolle {name} ist gelöscht.',
    read_only: 'Zum Ändern brauchen Sie die Rolle tenant-admin (users:manage).',
  },
})
