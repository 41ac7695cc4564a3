// What acts say on any page.

import { defineMessages } from '../messages/define-messages.ts'

export const messages = defineMessages({
  en: {
    failed: 'That did not work, and nothing was changed.',
    undone: 'Undone.',
    not_undone: 'That could not be undone.',
  },
  de: {
    failed: 'Das hat nicht geklappt; geändert wurde nichts.',
    undone: 'Rückgängig gemacht.',
    not_undone: 'Das ließ sich nicht rückgängig machen.',
  },
})
