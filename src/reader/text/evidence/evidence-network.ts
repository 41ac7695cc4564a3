// Words that speak for attacks over the network and for what is wrong with a host: see
// evidence-words.ts.

import type { EventWords } from './evidence-words.ts'

export const NETWORK_WORDS: readonly EventWords[] = [
  {
    eventType: 'LoginAttack',
    strong: `brute force*|brute-force*|bruteforce*|brutforce*|failed login*|failed password*|failed ssh*|login attempt*|login attack*|login-attack*|
      login failure*|log in attempt*|logon attempt*|authentication failure*|authentication attempt*|failed authentication*|password guess*|password attack*|password spray*|
      dictionary attack*|credential stuffing|ssh attack*|ssh-attack*|ssh login*|ssh brute*|rdp attack*|rdp brute*|sip attack*|sip brute*|imap attack*|
      smtp auth*|sasl login*|ftp attack*|fail2ban|unauthorized login*|unauthorised login*|anmeldeversuch*|loginversuch*|login-versuch*|einlogversuch*|
      einloggversuch*|passwort-angriff*|fehlgeschlagene anmeld*|tentative* de connexion|tentatives d'authentification|attaque par force brute|force brute|
      fuerza bruta|intento* de acceso|intento* de inicio|intentos de conexión|forza bruta|tentativ* di accesso|tentativi di login|tentativ* di autenticazione|força bruta|tentativa* de login|tentativa* de acesso|
      inlogpoging*|aanmeldpoging*|mislukte aanmeld*|подбор* парол*|перебор* парол*|підбір парол*|підбор* парол*|перебір парол*|спроб* входу|попытк* входа|попытк* авторизации|попыт* подбора|неудачн* попыт* входа|брутфорс*|prób* logowania|atak siłowy|łamani* haseł|
      inloggningsförsök*|loginforsøg|pokus* o přihlášení|neúspěšn* přihlášen*|hrubou silou|prolomení hes*|prolamování hes*|lámání hes*|gissa lösenord|gætte adgangskode*|adivinar contraseña*|deviner le* mot*|zgadywani* hase*|parola deneme*|şifre deneme*|kaba kuvvet|oturum açma deneme*|giriş deneme*|
      ブルートフォース|総当たり攻撃|総当り攻撃|不正ログイン|무차별 대입|로그인 시도|暴力破解|登录尝试|登入嘗試|爆破`,
    plain: `ssh scan*|unauthorized access*|unauthorised access*|unberechtigte zugriff*|unbefugte* zugriff*|zugriffsversuch*|accès non autorisé*|acceso no autorizado|accesso non autorizzato|
      acesso não autorizado|ongeautoriseerde toegang|несанкционированн* доступ*|nieautoryzowan* dostęp*|obehörig åtkomst|uautoriseret adgang|neoprávněn* přístup*|
      yetkisiz erişim*|不正アクセス|비인가 접근|未授权访问|未授權|sshd|ssh|rdp|telnet|ftp|imap|pop3|sasl|postfix-sasl|dovecot|invalid user|hacking attempt*|break-in attempt*|wp-login*|xmlrpc*`,
    hint: `password|passwort|login|banned|mot de passe|contraseña*|senha*|wachtwoord*|парол*|hasł*|lösenord|adgangskode|hesl*|şifre*|パスワード|비밀번호|密码`,
  },
  {
    eventType: 'PortScan',
    strong: `port scan*|port-scan*|portscan*|network scan*|host scan*|syn scan|nmap|masscan|zmap|scanning port*|scanned port*|port sweep*|portsweep*|
      scan de port*|balayage de port*|balayage des ports|escaneo de puerto*|escaneos de puerto*|scansion* di port*|scansion* delle porte|varredura de porta*|poortscan*|
      сканирован* порт*|сканування порт*|skanowani* port*|portskanning*|portscanning|skenování port*|port tarama*|ポートスキャン|포트 스캔|포트스캔|端口扫描|連接埠掃描|扫描端口`,
    plain: `scan from|scans from|scanning|scans|scanned|scanner|probing|probes|reconnaissance|netscan|horizontal scan|vertical scan|firewall drop*|blocked by firewall|
      сканирован*|skanowani*|escaneo*|scansione|varredura*|スキャン|스캔|扫描|掃描|abtasten|psad|portsentry`,
    hint: `ports|scan|iptables|firewall|dpt`,
  },
  {
    eventType: 'DDos',
    strong: `ddos|d-dos|dos attack*|dos-attack*|dos-angriff*|dos angriff*|denial of service|denial-of-service|syn flood*|udp flood*|http flood*|layer 7 flood*|icmp flood*|packet flood*|
      volumetric attack*|überlastungsangriff*|déni de service|denegación de servicio|negazione del servizio|negação de serviço|dienstweigering|отказ в обслуживании|
      ддос|odmow* usługi|överbelastningsattack*|odepření služby|hizmet engelleme|hizmet reddi|відмов* в обслуговуванні|サービス拒否|서비스 거부|디도스|拒绝服务|拒絕服務|dos攻击|ddos攻击`,
    plain: `flood|flooding|floods|packets per second|pps|gbps|mbps attack*|netscan|attack traffic|angriffsverkehr|botnet attack`,
    hint: `packets|bandwidth|traffic|null route*|nullroute*|blackhol*`,
  },
  {
    eventType: 'DDosAmplification',
    strong: `amplification attack*|amplification ddos|reflection attack*|reflection ddos|reflected ddos|drdos|dns amplification|ntp amplification|reflector attack*|amplified attack*|
      reflektionsangriff*|amplification dns|amplificación dns|amplificazione dns|amplificação dns|отражённ* атак*|アンプ攻撃|リフレクション攻撃|증폭 공격|反射攻击|放大攻击|反射放大`,
    plain: `amplification|amplifier*|reflector*|reflection|amplified|monlist`,
    hint: '',
  },
  {
    eventType: 'Open',
    strong: `open resolver*|open recursive*|open dns resolver*|openresolver*|open relay*|open proxy|open proxies|open service*|open memcached|open ntp|open snmp|open ldap|
      publicly reachable|reachable from the internet|open to the internet|open to everybody|open to the world|unprotected service*|unprotected database*|unsecured database*|open database*|unauthenticated access|öffentlich zugänglich*|offene* ldap*|
      offene* datenbank*|base de données ouverte|base de datos abierta|database espost*|banco de dados exposto|открыт* баз* данных|open portmapper|open rpcbind|open mongodb|open redis|open elasticsearch|open telnet|open rdp|open ssdp|open netbios|openly accessible|publicly accessible|publicly exposed|
      exposed to the internet|exposed service*|exposed database*|accessible from the internet|accessible from anywhere|accessible rdp|misconfigured dns|offene* resolver*|
      offene dns*|offene* dienst*|offen erreichbar*|öffentlich erreichbar*|aus dem internet erreichbar*|resolver* abierto*|servicio* expuesto*|expuesto* a internet|résolveur* ouvert*|
      service* ouvert*|exposé* sur internet|accessible* depuis internet|servizi* espost*|espost* su internet|serviço* expost*|open staande|publiekelijk toegankelijk|
      открыт* резолвер*|доступ* из интернета|otwart* resolver*|otwart* usług*|publicznie dostępn*|öppen resolver|öppna dns*|åben resolver|otevřen* resolver*|açık çözümleyici*|
      オープンリゾルバ*|オープンリレー|오픈 리졸버|开放解析器|開放式解析|暴露在互联网|quic exposed`,
    plain: `memcached|portmapper|rpcbind|chargen|netbios|ssdp|snmp|mdns|qotd|cldap|misconfigur*|exposed|fehlkonfigur*|mal configuré*|mal configurad*|mal configurat*`,
    hint: `accessible|reachable|erreichbar|resolver|no password|without password|without authentication|ohne passwort|sans mot de passe|sin contraseña|senza password|sem senha|zonder wachtwoord|без пароля|bez hasła|utan lösenord|uden adgangskode|bez hesla`,
  },
  {
    eventType: 'CVE',
    strong: `vulnerable to cve*|vulnerable server*|vulnerable host*|vulnerable service*|vulnerable version*|vulnerable system*|unpatched|outdated version*|security vulnerabilit*|
      verwundbare*|verwundbarkeit|sicherheitslücke*|schwachstelle*|vulnérable à|vulnérabilité*|serveur* vulnérable*|vulnerabilidad*|servidor* vulnerable*|vulnerabilità|
      vulnerabilidade*|kwetsbaarhe*|kwetsbare*|уязвим*|podatnoś*|podatn*|sårbarhe*|sårbar*|zranitelnos*|zraniteln*|güvenlik açığı*|zafiyet*|脆弱性*|취약점*|취약한|漏洞*|弱點`,
    plain: `vulnerable|vulnerability|vulnerabilities|cve|heartbleed|log4shell|log4j|patch|end of life|end-of-life`,
    hint: `update|upgrade|version`,
  },
  { eventType: 'SSLPoodle', strong: `poodle|ssl-poodle|sslv3|ssl 3.0`, plain: '', hint: '' },
  {
    eventType: 'SSLFreak',
    strong: `freak vulnerab*|ssl-freak|ssl freak|freak attack*|rsa_export|export ciphers`,
    plain: '',
    hint: '',
  },
  {
    eventType: 'OutdatedDNSSEC',
    strong: `outdated dnssec|dnssec key*|dnssec algorithm*`,
    plain: `dnssec`,
    hint: '',
  },
  {
    eventType: 'RogueDNS',
    strong: `rogue dns|dns hijack*|dnschanger|malicious dns server*`,
    plain: '',
    hint: '',
  },
  {
    eventType: 'DNSProblems',
    strong: `lame delegation*|dns misconfiguration|broken delegation*|dns zone problem*`,
    plain: '',
    hint: '',
  },
  {
    eventType: 'Exploit',
    strong: `exploit attempt*|exploitation attempt*|exploit-versuch*|exploiting vulnerabilit*|attempted exploit*|vulnerability scan*|remote code execution|shellshock|exploit traffic|
      tentative* d'exploitation|intento* de explotación|tentativ* di sfruttamento|tentativa* de exploração|попытк* эксплуатации|prób* wykorzystani* podatn*|
      エクスプロイト|脆弱性スキャン|익스플로잇|취약점 공격|漏洞利用|漏洞扫描|漏洞攻击`,
    plain: `ids alert*|intrusion attempt*|intrusion detection|einbruchsversuch*|tentative* d'intrusion|intento* de intrusión|tentativ* di intrusione|tentativa* de invasão|
      попытк* взлома|prób* włamani*|intrångsförsök*|pokus* o průnik|침입 시도|침해 시도|入侵尝试|exploit|exploits|exploited|exploitation|rce|payload|suricata|snort|ips signature|zero-day|buffer overflow`,
    hint: `intrusion|honeypot`,
  },
  {
    eventType: 'WebHack',
    strong: `sql injection*|sql-injection*|sqli|sqlmap|cross site script*|cross-site script*|xss|web attack*|webattack*|web application attack*|directory traversal|path traversal|
      modsecurity|mod_security|web hack*|webhack*|web scan*|bad bot*|badbot*|web exploit*|apache attack*|wordpress attack*|wordpress hack*|form spam|comment spam|http attack*|web-angriff*|webserver-angriff*|
      injection sql|inyección sql|injeção de sql|sql-injectie*|sql-инъекц*|wstrzykiwani* sql|sql injektion|sql注入|sqlインジェクション|sql 인젝션|웹 공격|ウェブ攻撃|web攻击|
      attaque* web|ataque* web|attacchi web|атак* на сайт|ataki na stron*`,
    plain: `union select|wp-config|phpmyadmin|phpunit|waf|web application firewall|access.log|access log*|access_log|web server attack*|webserver`,
    hint: `http requests|user-agent|404`,
  },
  {
    eventType: 'WebCrawler',
    strong: `web crawler*|webcrawler*|crawler*|crawling|web scraping|webscraping|scraper*|scraping|content scraping|ignoring robots.txt|robots.txt|
      aspiration de contenu|rastreador web|raspado web|веб-скрап*|парсинг сайта|クローラー*|スクレイピング|크롤러|크롤링|爬虫|爬蟲|harvesting|harvester*|email harvest*|address harvest*`,
    plain: `excessive requests|aggressive bot*|bot traffic|spider`,
    hint: '',
  },
  {
    eventType: 'IpSpoof',
    strong: `ip spoof*|ip-spoof*|spoofed ip*|spoofed source*|source address spoof*|spoofed packet*|bcp38|bcp 38|caida spoofer`,
    plain: `spoofed traffic`,
    hint: '',
  },
]
