// What the groups say.

import { defineMessages } from '../../../messages/define-messages.ts'

export const messages = defineMessages({
  en: {
    create: 'Create group',
    edit: 'Change group',
    name: 'Name',
    people: 'People',
    created: 'Created',
    count: '{count, plural, =0 {Nobody} one {# person} other {# people}}',
    empty: 'No groups yet',
    empty_why: 'Assign a case to a group, and whoever of it is free takes the case.',
    save: 'Save group',
    saved: 'The group {name} was saved.',
    remove: 'Delete group',
    remove_title: 'Delete the group {name}?',
    remove_why: 'Cases that are assigned to it become unassigned for people. The people stay.',
    removed: 'The group {name} was deleted.',
  },
  de: {
    create: 'Gruppe anlegen',
    edit: 'Gruppe ändern',
    name: 'Name',
    people: 'Personen',
    created: 'Angelegt',
    count: '{count, plural, =0 {Niemand} one {# Person} other {# Personen}}',
    empty: 'Noch keine Gruppen',
    empty_why: 'Weisen Sie einen Fall einer Gruppe zu; wer von ihr frei ist, nimmt ihn.',
    save: 'Gruppe speichern',
    saved: 'Die Gruppe {name} ist gespeichert.',
    remove: 'Gruppe löschen',
    remove_title: 'Die Gruppe {name} löschen?',
    remove_why: 'Ihr zugewiesene Fälle gehören danach niemandem. Die Personen bleiben.',
    removed: 'Die Gruppe {name} ist gelöscht.',
  },
})
