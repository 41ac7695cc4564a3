// What each scope allows, for people.

import { defineMessages } from '../../messages/define-messages.ts'

export const scopeWords = defineMessages({
  en: {
    'intel:read': 'look up addresses, tags, sources and changes',
    'intel:write': 'push sightings, listings and taggings',
    'sources:manage': 'create, change, fetch and delete sources',
    'events:read': 'read events and reports',
    'events:ingest': 'send reports and events',
    'events:raw': 'download reports as they arrived',
    'cases:read': 'read cases with all that is on them',
    'cases:write': 'change cases, comment',
    'cases:transition': 'move cases to another state',
    'cases:merge': 'merge, unmerge and split cases',
    'customers:read': 'read customers, contracts and resources',
    'customers:write': 'change customers, contracts and resources',
    'playbooks:read': 'read playbooks and runs',
    'playbooks:write': 'write playbooks and their versions',
    'playbooks:activate': 'put versions into use, migrate runs',
    'playbooks:simulate': 'try playbooks on past cases',
    'playbooks:trigger': 'trigger, start, cancel, pause and resume runs',
    'mitigations:execute': 'ask for and confirm mitigations',
    'mitigations:undo': 'take mitigations back',
    'rules:write': 'change case groups and mute rules',
    'notices:send': 'send, repeat and cancel notices',
    'webhooks:manage': 'keep webhooks and see their deliveries',
    'ops:read': 'read any event by its id, for operations',
    'users:manage': 'manage people, groups and roles',
    'tokens:manage': 'manage tokens and service accounts',
    'tenant:admin': 'change the settings of the tenant',
    'audit:read': 'read the audit log',
    'privacy:erase': 'erase the records of a person',
    'privacy:export': 'export the records of a person',
    'privacy:hold': 'place and lift legal holds',
    'instance:admin': 'administer the installation and all tenants',
  },
  de: {
    'intel:read': 'Adressen, Tags, Quellen und Änderungen nachschlagen',
    'intel:write': 'Sichtungen, Listungen und Tags schreiben',
    'sources:manage': 'Quellen anlegen, ändern, abrufen und löschen',
    'events:read': 'Ereignisse und Meldungen lesen',
    'events:ingest': 'Meldungen und Ereignisse senden',
    'events:raw': 'Meldungen im Original herunterladen',
    'cases:read': 'Fälle mit allem lesen',
    'cases:write': 'Fälle ändern und kommentieren',
    'cases:transition': 'den Zustand von Fällen ändern',
    'cases:merge': 'Fälle zusammenführen, trennen und teilen',
    'customers:read': 'Kunden, Verträge und Ressourcen lesen',
    'customers:write': 'Kunden, Verträge und Ressourcen ändern',
    'playbooks:read': 'Playbooks und Läufe lesen',
    'playbooks:write': 'Playbooks und ihre Versionen schreiben',
    'playbooks:activate': 'Versionen in Gebrauch nehmen, Läufe umziehen',
    'playbooks:simulate': 'Playbooks an früheren Fällen proben',
    'playbooks:trigger': 'Läufe auslösen, starten, abbrechen und anhalten',
    'mitigations:execute': 'Abwehr verlangen und bestätigen',
    'mitigations:undo': 'Abwehr zurücknehmen',
    'rules:write': 'Fallgruppen und Stummschaltungen ändern',
    'notices:send': 'Mitteilungen senden, wiederholen und abbrechen',
    'webhooks:manage': 'Webhooks pflegen und ihre Zustellungen sehen',
    'ops:read': 'jedes Ereignis nach seiner Kennung lesen',
    'users:manage': 'Personen, Gruppen und Rollen verwalten',
    'tokens:manage': 'Tokens und Dienstkonten verwalten',
    'tenant:admin': 'Einstellungen des Mandanten ändern',
    'audit:read': 'das Protokoll lesen',
    'privacy:erase': 'Daten einer Person löschen',
    'privacy:export': 'Daten einer Person ausgeben',
    'privacy:hold': 'Löschsperren setzen und aufheben',
    'instance:admin': 'die Installation und alle Mandanten verwalten',
  },
})

export type ScopeName = keyof (typeof scopeWords)['en']

export const SCOPE_NAMES = Object.keys(scopeWords.en).filter(isScopeName)

export function isScopeName(text: string): text is ScopeName {
  return Object.hasOwn(scopeWords.en, text)
}
