// The commands for people: who works for a tenant, with which roles, and where they are signed in.

import type { CommandSpec } from './command.ts'

const USER = 'usr_01a207e44f46700e8c829bfbe06026d6'
const GROUP = 'grp_01a207e44f46700e8c829bfbe06026d6'
const SESSION = 'ses_01a207e44f46700e8c829bfbe06026d6'
const COLUMNS = ['id', 'email', 'name', 'state', 'last_sign_in_at']

export const PEOPLE_COMMANDS: readonly CommandSpec[] = [
  {
    name: 'user list',
    operation: 'listUsers',
    about: 'List the people who work for your tenant.',
    examples: ['user list', 'user list --all -o json'],
    columns: COLUMNS,
  },
  {
    name: 'user show',
    operation: 'getUser',
    about: 'Show a user.',
    examples: [`user show ${USER}`],
    arguments: ['user'],
  },
  {
    name: 'user invite',
    operation: 'inviteUser',
    about: 'Invite a person; shows the link once.',
    examples: ['user invite --email ana@desk.example --name Ana --role agent'],
    flags: { roles: 'role' },
  },
  {
    name: 'user roles',
    operation: 'changeUser',
    about: 'Give a user other roles in a tenant.',
    examples: [`user roles ${USER} --role agent,lead`],
    flags: { roles: 'role' },
    arguments: ['user'],
    without: ['disabled', 'name'],
    required: ['roles'],
  },
  {
    name: 'user rename',
    operation: 'changeUser',
    about: 'Change the name of a user.',
    examples: [`user rename ${USER} --name "Ana Ito"`],
    arguments: ['user'],
    without: ['disabled', 'roles', 'tenant_id'],
    required: ['name'],
  },
  {
    name: 'user disable',
    operation: 'changeUser',
    about: 'End the sessions of a user and let nobody sign in as them.',
    examples: [`user disable ${USER}`],
    arguments: ['user'],
    fixed: { disabled: true },
    without: ['disabled', 'roles', 'tenant_id', 'name'],
    question: 'Disable the user? Their sessions end.',
  },
  {
    name: 'user enable',
    operation: 'changeUser',
    about: 'Let a disabled user sign in again.',
    examples: [`user enable ${USER}`],
    arguments: ['user'],
    fixed: { disabled: false },
    without: ['disabled', 'roles', 'tenant_id', 'name'],
  },
  {
    name: 'user remove',
    operation: 'removeUser',
    about: 'Take a user out of a tenant.',
    examples: [`user remove ${USER}`, `user remove ${USER} --tenant-id north --yes`],
    arguments: ['user'],
    question: 'Take the user out of the tenant?',
  },
  {
    name: 'user sessions',
    operation: 'listUserSessions',
    about: 'List where a user is signed in.',
    examples: [`user sessions ${USER}`],
    arguments: ['user'],
    columns: ['id', 'tenant_id', 'address', 'user_agent', 'last_used_at'],
  },
  {
    name: 'user sign-out',
    operation: 'endUserSessions',
    about: 'End the sessions of a user, or one of them.',
    examples: [`user sign-out ${USER}`, `user sign-out ${USER} --session-id ${SESSION}`],
    arguments: ['user'],
  },
  {
    name: 'group list',
    operation: 'listUserGroups',
    about: 'List the groups of users.',
    examples: ['group list'],
  },
  {
    name: 'group show',
    operation: 'getUserGroup',
    about: 'Show a group and its users.',
    examples: [`group show ${GROUP}`],
    arguments: ['group'],
  },
  {
    name: 'group add',
    operation: 'createUserGroup',
    about: 'Add a group of users.',
    examples: [`group add --name "Night desk" --user-ids ${USER}`],
  },
  {
    name: 'group change',
    operation: 'changeUserGroup',
    about: 'Change the name or the users of a group.',
    examples: [`group change ${GROUP} --name "Late desk"`],
    arguments: ['group'],
  },
  {
    name: 'group delete',
    operation: 'deleteUserGroup',
    about: 'Delete a group; its users stay.',
    examples: [`group delete ${GROUP}`],
    arguments: ['group'],
    question: 'Delete the group?',
  },
  {
    name: 'case assignees',
    operation: 'listAssignees',
    about: 'List the users and groups to whom cases can be assigned.',
    examples: ['case assignees'],
  },
]
