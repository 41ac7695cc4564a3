// Lines of logs that reporters quote as evidence: which service wrote them, and what kind of attack
// they show. The formats are syslog (RFC 3164), web server logs and packet filter logs.

export type AttackKind = 'login' | 'scan' | 'web' | 'spam'

export interface LogLine {
  /** From 1. */
  readonly line: number
  readonly text: string
  readonly kind: AttackKind | null
  /** The program: `sshd`, `postfix`, `apache`; null when the line does not tell. */
  readonly program: string | null
  /** Where the attack went, as packet filters log it. */
  readonly targetPort: number | null
  readonly protocol: string | null
}

// A longer line is no log line, or was made long on purpose.
const LINE_LENGTH_MAX = 4_000

const SYSLOG =
  /^(?:<\d{1,3}>)?(?:[A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d(?:\.\d{1,6})?|\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:[.,]\d{1,9})?(?:Z|[+-]\d\d:?\d\d)?) (\S{1,255}) ([\w./-]{1,64})(?:\[\d{1,10}\])?: /
const WEB =
  /^(?:\S{1,255}:\d{1,5} )?\S{3,255} \S{1,64} \S{1,64} \[\d{1,2}\/[A-Z][a-z]{2}\/\d{4}:\d\d:\d\d:\d\d [+-]\d{4}\] "/
const WEB_ERROR =
  /^\[?[A-Z][a-z]{2} [A-Z][a-z]{2} [ \d]\d .{0,40}\] .{0,80}\[client |\[error\] \d{1,10}#\d{1,10}: /
const PACKET = /\bSRC=\S{3,45} DST=\S{3,45}/
const FAIL2BAN = /fail2ban\.(?:actions|filter)\b.{0,60}\[([\w.-]{1,64})\] (?:Ban|Found) /

/** Null when the line is of no log we know. */
export function readLogLine(text: string, line: number): LogLine | null {
  if (text.length > LINE_LENGTH_MAX) return null
  // Quoted lines are indented or bear the mark of a quotation or the name of the file they come
  // from.
  const bare = text.replace(/^[>\s]{0,20}/, '').replace(/^\/[\w./-]{1,100}:(?=\S)/, '')
  const base = { line, text: text.trim(), targetPort: null, protocol: null }
  if (PACKET.test(bare)) return readPacket(bare, base)
  const jail = FAIL2BAN.exec(bare)?.[1]
  if (jail !== undefined) return { ...base, program: jail, kind: classifyService(jail) ?? 'login' }
  if (WEB.test(bare) || WEB_ERROR.test(bare)) {
    return { ...base, program: 'http', kind: LOGIN_PAGE.test(bare) ? 'login' : 'web' }
  }
  const syslog = SYSLOG.exec(bare)
  if (syslog === null) return null
  const program = nameProgram(syslog[2] ?? '')
  return { ...base, program, kind: judgeSyslog(program, bare) }
}

const LOGIN_PAGE = /"POST [^"]{0,200}(?:wp-login|xmlrpc|\/login|signin|administrator\/index)/i

function readPacket(
  text: string,
  base: Pick<LogLine, 'line' | 'text' | 'targetPort' | 'protocol'>,
): LogLine {
  const port = /\bDPT=(\d{1,5})\b/.exec(text)?.[1]
  const protocol = /\bPROTO=(\w{1,10})\b/.exec(text)?.[1]?.toLowerCase() ?? null
  return {
    ...base,
    program: 'firewall',
    kind: 'scan',
    targetPort: port === undefined ? null : Number(port),
    protocol,
  }
}

// `postfix/smtpd` and `dovecot: imap-login` are known by their first word.
function nameProgram(program: string): string {
  return (program.split('/')[0] ?? program).toLowerCase()
}

function judgeSyslog(program: string, text: string): AttackKind | null {
  if (/\brejected?: RCPT|blocked using|spam/i.test(text)) return 'spam'
  return classifyService(program)
}

const LOGIN_SERVICE =
  /ssh|dovecot|postfix|sasl|imap|pop3|exim|sendmail|smtp|ftp|auth|pam|vnc|rdp|telnet|mysql|mssql|postgres|asterisk|sip|recidive|courier|cyrus|roundcube|plesk|webmin|proxmox|wordpress|wp-?login|login|named-refused/i
const WEB_SERVICE =
  /apache|nginx|http|web|badbot|noscript|overflow|php|modsec|lighttpd|joomla|drupal|wp/i
const SCAN_SERVICE = /portscan|port-scan|scan|firewall|ufw|iptables|nftables|shorewall|psad|kernel/i

/**
 * The kind of attack on a service, by the name of the program, jail or list; null when the name
 * tells nothing.
 */
export function classifyService(service: string): AttackKind | null {
  // A web server's own passwords are asked for by an `-auth` jail.
  if (SCAN_SERVICE.test(service)) return 'scan'
  if (LOGIN_SERVICE.test(service)) return 'login'
  return WEB_SERVICE.test(service) ? 'web' : null
}

const EVENT_TYPES: Readonly<Record<AttackKind, string>> = {
  login: 'LoginAttack',
  scan: 'PortScan',
  web: 'WebHack',
  spam: 'Spam',
}

export function eventTypeOfAttack(kind: AttackKind): string {
  return EVENT_TYPES[kind]
}
