// What a log tells of its own: the lines of mail servers, databases, shells, telephone exchanges,
// web servers, packet filters and intrusion systems, by their build. A log decides where the prose
// around it names nothing more precise.

export interface LinePattern {
  readonly pattern: RegExp
  readonly eventType: string
  readonly weight: number
  readonly what: string
}

// A log that names what was tried outweighs two strong words of an opening (20), not a subject and
// an opening that agree (25).
const DECIDES = 22

/** Sorted by weight. One line of a log counts as much as many lines of the same kind. */
export const LOG_PATTERNS: readonly LinePattern[] = [
  {
    pattern:
      /\bsshd(?:-session)?\[\d+\]:|\bsshd: |\b(?:Failed password for|Invalid user \S+ from|Failed none for|maximum authentication attempts|Received disconnect from|Disconnected from (?:invalid|authenticating) user|Did not receive identification string|kex_exchange_identification)/,
    eventType: 'LoginAttack',
    weight: DECIDES,
    what: 'log lines of failed SSH logins',
  },
  {
    pattern:
      /auth(?:entication)? fail(?:ed|ure)|failed to (?:log|sign) ?in (?:via|to|on|from)\b|authori[sz]ation failure|authenticator failed for|Incorrect authentication data|SASL (?:LOGIN|PLAIN|CRAM-MD5|NTLM) authentication failed|imap-login: |pop3-login: |submission-login: |managesieve-login: |pam_unix\(\w+:auth\)|no auth attempts|\bauth(?:-worker)?\(.{0,120}(?:unknown user|[Pp]assword mismatch)|\bbadlogin: |LOGIN FAILED|535[ -]5\.7\.[38]|AUTH failure/i,
    eventType: 'LoginAttack',
    weight: DECIDES,
    what: 'log lines of failed logins to mailboxes',
  },
  {
    pattern:
      /Login failed(?: for user)?\b|Access denied for user '[^']{0,80}'@|password authentication failed for user|no pg_hba\.conf entry|FAIL LOGIN: Client|no such user found from|\(Login failed\)|Login authentication failed|530 (?:Login|User cannot|Login or password) |Wrong password|Invalid password|login failure for user|%SEC_LOGIN-\d-LOGIN_FAILED|AAA user authentication Rejected|cowrie\.login|login attempt \[|[Uu]ser denied: |Invalid login as |Failed login for/i,
    eventType: 'LoginAttack',
    weight: DECIDES,
    what: 'log lines of failed logins to a database, a file or another server',
  },
  {
    pattern:
      /Registration from '[^']{0,200}' failed for|Request '(?:REGISTER|INVITE)' from|No matching endpoint found|Failed to authenticate (?:user|device)|chan_sip\.c|res_pjsip|\bSIP\/2\.0\b.{0,80}\b40[137]\b|friendly-scanner|sipvicious|pplsip/i,
    eventType: 'LoginAttack',
    weight: DECIDES,
    what: 'log lines of a telephone exchange',
  },
  {
    pattern:
      /Event ?ID.{0,20}\b4625\b|\bStatus:\s{0,20}0xC00000(?:6[4D]|7[12]|234)|\bLogon Type:\s{0,20}\d|Audit Failure.{0,80}\b4625\b|TermDD|RemoteDesktopServices-RdpCoreTS.{0,200}\b140\b/i,
    eventType: 'LoginAttack',
    weight: DECIDES,
    what: 'events of failed logons of Windows',
  },
  {
    pattern:
      /POST \/{1,2}(?:[\w-]{1,40}\/){0,3}(?:wp-login\.php|xmlrpc\.php|administrator\/index\.php|user\/login|admin\/login)\b|Authentication failure for \S+ from|Blocked user enumeration/i,
    eventType: 'LoginAttack',
    weight: 16,
    what: 'requests to a login page',
  },
  {
    pattern:
      /"?(?:GET|POST|HEAD|PUT|CONNECT|PROPFIND) \S{0,400}(?:\.\.\/|%2e%2e|union(?:\+|%20|\s)+(?:all(?:\+|%20|\s)+)?select|\/etc\/passwd|\/\.env|\/\.git\/|\/\.aws\/|\/\.ssh\/|\/\.vscode|phpunit|eval-stdin|wp-config|phpmyadmin|\/pma\/|cgi-bin|\/shell|<script|%3cscript|jndi:|sleep\(|\/boaform|\/setup\.cgi|\/HNAP1|wlwmanifest|\/actuator|\/solr\/|\/manager\/html|\/owa\/auth|\/ecp\/|autodiscover\.json|invokefunction|think\\?app|XDEBUG_SESSION|\/GponForm|\/telescope|\/vendor\/|\/wp-content\/(?:plugins|uploads)\/\S{0,80}\.php|\/_ignition|\/remote\/login|\/dana-na|backup\.(?:zip|sql|tar)|\.(?:sql|bak)\b|allow_url_include|auto_prepend_file|\bselect(?:\+|%20)|%27|0x[0-9a-f]{8}|\/level\/15|[?&]author=\d)/i,
    eventType: 'WebHack',
    weight: DECIDES,
    what: 'requests of a web log that probe or inject',
  },
  {
    pattern:
      /\[client [\d.:a-f]{3,45}\].{0,40}(?:File does not exist|script '|client denied|AH0\d{4}|ModSecurity|Invalid URI|request failed)|ModSecurity: |\b(?:GET|POST) \S{0,200}(?:\.\.%c0|cmd\.exe|root\.exe|\/etc\/passwd)|open\(\) "[^"]{1,300}" failed|access forbidden by rule|Primary script unknown|PHP (?:Fatal|Warning|Notice).{0,200}(?:eval\(\)|base64)|Remote File Inclusion|Wordfence|\[id "9\d{5}"\]/i,
    eventType: 'WebHack',
    weight: 20,
    what: 'errors of a web server that was probed',
  },
  {
    pattern:
      /\bRelay(?:ing)? (?:access )?denied\b|relay not permitted|\bblocked using \S{3,80}|Blocked SPAM\b|spamd: result: Y|identified spam|message is spam|\(reject\).{0,60}\[\d|550[ -].{0,80}\bspam|rejected by (?:dnsbl|rbl|spam)/i,
    eventType: 'Spam',
    weight: DECIDES,
    what: 'log lines of mail that was refused',
  },
  {
    pattern: /NOQUEUE: reject|\bF=<[^>]{0,100}> rejected (?:RCPT|after DATA)|rejected RCPT </,
    eventType: 'Spam',
    weight: 12,
    what: 'log lines of a mail server that refuses',
  },
  {
    // The rule that fired is named between the marks; its class behind it is a coarse one.
    pattern: /\[\*\*\][^*]{0,60}\bSCAN\b[^*]{0,200}\[\*\*\]|\bET SCAN\b/,
    eventType: 'PortScan',
    weight: 12,
    what: 'alerts of a rule for scans',
  },
  {
    pattern:
      /\bsubtype="?ips"?\s.{0,400}\battack="|\b(?:ET|GPL) (?:EXPLOIT|WEB_SPECIFIC_APPS|WEB_SERVER|ATTACK_RESPONSE)\b|SERVER-(?:WEBAPP|APACHE|OTHER)\b/,
    eventType: 'Exploit',
    weight: 12,
    what: 'alerts of a rule for exploits',
  },
  {
    pattern: /\bET (?:TROJAN|MALWARE|CNC|BOTCC)\b|MALWARE-CNC\b/,
    eventType: 'Bot',
    weight: 12,
    what: 'alerts of a rule for malware that speaks to its controller',
  },
  {
    pattern:
      /\bSRC=\S{3,45}\s.{0,200}\bDPT=\d{1,5}|\bDROP\b.{0,60}\bproto(?:col)?[= ]|\bSYN_(?:SENT|RECV)\b|Flags \[S\]|%(?:ASA|PIX|FTD)-\d-(?:106\d{3}|710003|733100)|\[UFW BLOCK\]|RT_FLOW_SESSION_DENY|\baction="?(?:deny|drop|block)|\bfilterlog|\sTCP\s.{0,80}\.{3,4}S\.{1,2}\s|firewall,info|\bDeny (?:tcp|udp|icmp)\b|list \S{1,40} denied (?:tcp|udp)|\(SYN\)/i,
    eventType: 'PortScan',
    weight: 7,
    what: 'lines of a packet filter',
  },
  {
    pattern:
      /#Fields: .{0,200}\bcs-uri-stem\b|"(?:GET|POST|HEAD|OPTIONS|PUT|CONNECT) [^"]{1,400} HTTP\/[\d.]{1,3}" [345]\d\d/,
    eventType: 'WebHack',
    weight: 2,
    what: 'requests of a web log',
  },
]
