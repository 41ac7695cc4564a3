// What the service accounts say.

import { defineMessages } from '../../../messages/define-messages.ts'

export const messages = defineMessages({
  en: {
    create: 'Create service account',
    edit: 'Rename',
    id: 'Id',
    id_help: 'Small letters, digits and hyphens, such as mail-gateway. It stays.',
    name: 'Name',
    tokens: 'Live tokens',
    created: 'Created',
    empty: 'No service accounts yet',
    empty_why: 'Make one for each program, and give it tokens under Tokens.',
    save: 'Save',
    saved: '{name} was saved.',
    remove: 'Delete service account',
    remove_title: 'Delete {name}?',
    remove_why:
      '{count, plural, =0 {It has no live tokens.} one {Its live token is revoked within a second, and whatever uses it stops.} other {Its # live tokens are revoked within a second, and whatever uses them stops.}}',
    removed: '{name} was deleted.',
  },
  de: {
    create: 'Dienstkonto anlegen',
    edit: 'Umbenennen',
    id: 'Kennung',
    id_help: 'Kleinbuchstaben, Ziffern und Bindestriche, etwa mail-gateway. Sie bleibt.',
    name: 'Name',
    tokens: 'Gültige Tokens',
    created: 'Angelegt',
    empty: 'Noch keine Dienstkonten',
    empty_why: 'Legen Sie je Programm eines an und geben Sie ihm unter Tokens seine Tokens.',
    save: 'Speichern',
    saved: '{name} ist gespeichert.',
    remove: 'Dienstkonto löschen',
    remove_title: '{name} löschen?',
    remove_why:
      '{count, plural, =0 {Es hat keine gültigen Tokens.} one {Sein gültiges Token wird binnen einer Sekunde widerrufen; was es benutzt, steht.} other {Seine # gültigen Tokens werden binnen einer Sekunde widerrufen; was sie benutzt, steht.}}',
    removed: '{name} ist gelöscht.',
  },
})
