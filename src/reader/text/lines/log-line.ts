// Distinguishes log lines from lines that a person wrote, by the formats of logs.

const CLF = /\[\d{1,2}\/[A-Z][a-z]{2}\/\d{4}:\d{2}:\d{2}:\d{2}/
const SYSLOG = /^[\s>|]{0,8}[A-Z][a-z]{2} [ \d]\d \d{2}:\d{2}:\d{2} /
const STAMPED =
  /^[\s>|[(]{0,8}(?:\d{4}[-/.]\d{2}[-/.]\d{2}|\d{2}[/.-](?:\d{2}|[A-Z][a-z]{2})[/.-]\d{4})[T ,]{1,2}\d{2}:\d{2}(?::\d{2})?/
// `2026-11-02 20:11 UTC. If you …`: the rest of a sentence that was wrapped before its time.
const END_OF_SENTENCE =
  /^[^\p{L}]{16,30}(?: ?[A-Z]{3,4}| ?\p{Lu}?)[.!?)]{1,2} \p{Lu}\p{Ll}* \p{Ll}/u
const EPOCH = /^[\s>|[(]{0,8}1\d{9}(?:\.\d{1,6})?[\s,;|]/
const KEY_VALUE =
  /\b(?:src|dst|srcip|dstip|src_ip|dst_ip|srcaddr|dstaddr|spt|dpt|proto|rhost|srcport|dstport|sport|dport)=/i
const DAEMON =
  /\b(?:sshd|dovecot|postfix\/\w+|exim|proftpd|vsftpd|pure-ftpd|sasl|named|kernel|fail2ban[\w.]*|nginx|httpd|asterisk|imapd?|pop3d?|smtpd|auth)(?:\[\d+\])?:/i
const ARROW = /\d(?::\d{1,5}|\.\d{1,5})?\s{0,4}(?:->|=>|-->|→|>)\s{0,4}\[?[\da-f]{1,4}[.:]/i
const REQUEST = /"(?:GET|POST|HEAD|PUT|CONNECT|OPTIONS|DELETE|PROPFIND) [^"]{1,2000}(?:"|$)/

// Each format above holds one of these.
const MAYBE_LOG = /[[:=>→"]|1\d{9}/

export function isLogLine(line: string): boolean {
  const text = line.slice(0, 600)
  if (!MAYBE_LOG.test(text)) return false
  return (
    CLF.test(text) ||
    SYSLOG.test(text) ||
    (STAMPED.test(text) && text.trim().length > 24 && !END_OF_SENTENCE.test(text)) ||
    EPOCH.test(text) ||
    KEY_VALUE.test(text) ||
    DAEMON.test(text) ||
    (/[>→]/.test(text) && ARROW.test(text)) ||
    (text.includes('"') && REQUEST.test(text))
  )
}

/** True for the access log of a web server: the first column is who asked. */
export function isAccessLog(line: string): boolean {
  return CLF.test(line.slice(0, 600)) || REQUEST.test(line)
}
