// The examples in the help of each command.

import { OPERATION_COMMANDS } from './operations/all-commands.ts'

const EXAMPLES = new Map<string, readonly string[]>(
  Object.entries({
    '': [
      'login https://casework.example',
      'case list --state NEW,IN_PROGRESS --assignee me',
      'search 198.51.100.23',
      'lookup 192.0.2.1',
      'check items.txt -o csv',
      'serve',
    ],
    api: [
      'api --list',
      'api getCase C-01a207e4-4f46-700e-8c82-9bfbe06026d6',
      'api GET /beta/casework/cases -f state=NEW',
      'api putCalendar office --body office.json',
    ],
    login: [
      'login https://casework.example --name work',
      'login https://casework.example --by browser',
      'login https://casework.example --token-file - < token.txt',
    ],
    logout: ['logout', 'logout work'],
    mcp: ['mcp', 'mcp --profile work --allow-writes', 'mcp --http 8090'],
    'profile list': ['profile list'],
    'profile use': ['profile use work'],
    completion: ['completion bash > /etc/bash_completion.d/casework'],
    man: ['man | man -l -'],
    serve: ['serve --port 8181 --data-dir /var/lib/casework-data', 'serve --roles api --threads 4'],
    migrate: ['migrate'],
    config: ['config', 'config -o json'],
    examples: ['examples my-examples'],
    lookup: ['lookup 192.0.2.1 example.com', 'lookup 2001:db8::1 -o json'],
    check: ['check items.txt -o csv > answers.csv', 'check -o jsonl < items.txt'],
    analyze: ['analyze access.log', 'analyze access.log -o csv > items.csv'],
    filter: [
      'filter --malicious --listed access.log',
      'filter --listed --invert < mail.log > rest.log',
    ],
    explain: ['explain 192.0.2.1'],
    search: ['search 198.51.100.23', 'search wallet login -o jsonl --kind event'],
    watch: ['watch', 'watch --kinds case --what open,move -o jsonl'],
    'report explain': ['report explain complaint.eml', 'report explain -o json < complaint.eml'],
    'report correct': [
      'report correct 01a207e4-4f46-700e-8c82-9bfbe06026d6 --type Phishing --link https://login.example.com/in --reason "Not the bank"',
      'report correct 01a207e4-4f46-700e-8c82-9bfbe06026d6 --withdraw --reason "A ticket that was closed"',
      'report correct 01a207e4-4f46-700e-8c82-9bfbe06026d6 --add --type PortScan --ip 192.0.2.1',
    ],
    'report take-as-answer': [
      'report take-as-answer 01a207e4-4f46-700e-8c82-9bfbe06026d6 --party customer --take-path',
    ],
    'report regression-case': [
      'report regression-case 01a207e4-4f46-700e-8c82-9bfbe06026d6 --anonymise > case.txt',
    ],
    'user setup-link': ['user setup-link'],
    'user reset': ['user reset ana@desk.example'],
    'token create': [
      'token create --role agent --name "Ana, abuse desk"',
      'token create --scopes intel:read --expires-in 365 --name lists',
    ],
    'token list': ['token list'],
    'token rotate': ['token rotate tok_0193f6c2a1b27c3d8e4f5a6b7c8d9e0f --overlap 24'],
    'token revoke': ['token revoke tok_0193f6c2a1b27c3d8e4f5a6b7c8d9e0f'],
    'secret list': ['secret list'],
    'secret set': ['secret set crm < crm-key.txt'],
    'secret delete': ['secret delete crm --yes'],
    'secret rotate-key': ['secret rotate-key'],
    'playbook list': ['playbook list'],
    'playbook show': ['playbook show "Decide by hand"'],
    'playbook export': ['playbook export "Decide by hand" > decide-by-hand.yaml'],
    'playbook import': [
      'playbook import decide-by-hand.yaml --dry-run',
      'playbook import --template decide-by-hand',
    ],
    'playbook validate': ['playbook validate decide-by-hand.yaml'],
    'playbook simulate': [
      'playbook simulate decide-by-hand.yaml --last 20 --assume decide=handled',
      'playbook simulate "Decide by hand" 2 --group default',
    ],
    'playbook activate': ['playbook activate "Decide by hand"'],
    'playbook templates': ['playbook templates'],
    'notice list': ['notice list --state failed', 'notice list --recipient abuse@customer.example'],
    'notice show': ['notice show 01a207e4-4f46-700e-8c82-9bfbe06026d6'],
    'notice resend': ['notice resend 01a207e4-4f46-700e-8c82-9bfbe06026d6'],
    'notice cancel': ['notice cancel 01a207e4-4f46-700e-8c82-9bfbe06026d6'],
    'notice preview': [
      'notice preview reminder C-01a207e4-4f46-700e-8c82-9bfbe06026d6 --language de',
    ],
    'notice test': ['notice test --to ops@provider.example'],
    'suppression list': ['suppression list -o json'],
    'suppression add': [
      'suppression add stop@customer.example --note "asked us by phone"',
      'suppression add --file addresses.txt',
    ],
    'suppression remove': ['suppression remove stop@customer.example'],
    'source list': ['source list -o json'],
    'source presets': ['source presets'],
    'source add': [
      'source add spamhaus-drop --enable',
      'source add mail-blocklist/our-list --list-url https://lists.example.org/our-list.txt --every 3600',
    ],
    'source fetch': ['source fetch mail-blocklist/our-list'],
    'source entries': [
      'source entries mail-blocklist/our-list > our-list.txt',
      'source entries mail-blocklist/our-list -o jsonl',
    ],
    'source delist': ['source delist mail-blocklist/our-list 198.51.100.7'],
    'source remove': ['source remove mail-blocklist/our-list --yes'],
    import: [
      'import plain blocklist.txt --list my-list --replace',
      'import cowrie cowrie.json',
      'import mail archive.mbox --dry-run',
      'import customers customers.csv',
    ],
    'audit verify': [
      'audit verify',
      `audit verify --chain default --expect-head 1042:${'0'.repeat(64)}`,
    ],
    'demo fill': ['demo fill'],
    'demo remove': ['demo remove', 'demo remove --yes'],
    doctor: ['doctor', 'doctor --recount'],
    backup: ['backup casework.backup'],
    restore: ['restore casework.backup --data-dir ./restored --erasure-log ./data/erasures.jsonl'],
    'privacy erase': [
      'privacy erase ana@example.org --preview',
      'privacy erase --file addresses.txt',
    ],
    'privacy erase-again': ['privacy erase-again ./data/erasures.jsonl'],
    'privacy export': ['privacy export ana@example.org > ana.json'],
    'privacy hold': [
      'privacy hold C-01937B5E-6C1A-7F3B-9E51-2A7C1D0E4B11 --reason "Request 12/34"',
    ],
    'privacy lift': ['privacy lift C-01937B5E-6C1A-7F3B-9E51-2A7C1D0E4B11 --reason "Answered"'],
    'privacy holds': ['privacy holds'],
  }),
)

for (const { name, examples } of OPERATION_COMMANDS) EXAMPLES.set(name, examples)

/** The command lines that the help of a command begins with; none for a group. */
export function listExamples(path: string): readonly string[] {
  return (EXAMPLES.get(path) ?? []).map((line) => `npx casework ${line}`)
}
