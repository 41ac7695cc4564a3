// Words that speak for infringed rights: copyright, trademarks, names. See evidence-words.ts.

import type { EventWords } from './evidence-words.ts'

export const RIGHTS_WORDS: readonly EventWords[] = [
  {
    eventType: 'Copyright',
    strong: `dmca|digital millennium copyright|copyright infring*|copyright violation*|copyright complaint*|copyright claim*|copyright notice*|
      infringement of copyright*|notice of claimed infringement|notice of infringement|claimed infringement|infringing material*|infringing content|infringes copyright|copyrighted work*|copyrighted material*|copyright owner*|
      copyright holder*|unauthorized distribution|unauthorised distribution|unauthorized copies|17 u.s.c|acns|pirated|piracy|
      urheberrecht*|urheberverletzung*|leistungsschutzrecht*|droit d'auteur|droits d'auteur|contrefaçon d'œuvre*|violation du droit d'auteur|propriété littéraire|
      derechos de autor|infracción de derechos|contenido protegido|obra protegida|obras protegidas|contenu protégé|œuvre protégée|œuvres protégées|opera protetta|obra protegida por|geschützte werke|geschütztes werk|unerlaubt verbreitet|propiedad intelectual|diritto d'autore|diritti d'autore|violazione del copyright|direitos autorais|
      direitos de autor|violação de direitos|auteursrecht*|auteursrechtelijk*|inbreuk op het auteur*|inbreuk op auteur*|авторск* прав*|авторских прав|нарушени* авторск*|praw* autorsk*|naruszeni* praw autor*|
      upphovsrätt*|ophavsret*|autorsk* práv*|porušení autorsk*|telif hakk*|telif hakkı ihlali|著作権*|저작권*|版权*|版權*|著作权*|著作權*`,
    plain: `copyright|copyrights|infringing|infringement*|infringer*|infringed|bittorrent|torrent|torrents|peer-to-peer|p2p|file sharing|file-sharing|filesharing|
      good faith belief|under penalty of perjury|rights holder*|rightsholder*|right holder*|exclusive right*|illegal stream*|unauthorized stream*|iptv|
      live stream*|rechteinhaber*|ayants droit|ayant droit|titular de los derechos|titolare dei diritti|правообладател*|rechthebbende*|właściciel* praw|
      rättighetshavare*|権利者|권리자|权利人|權利人|takedown notice|take down notice|info hash|infohash|warez|usenet|unlicensed copies`,
    hint: `takedown|take-down|movie|film|music|album|episode|ebook|software license`,
  },
  {
    eventType: 'Trademark',
    strong: `trademark*|trade mark*|counterfeit*|brand infring*|brand abuse|brand protection|lanham act|passing off|replica goods|markenrecht*|markenschutz*|kennzeichenrecht*|
      markenverletzung*|markenrechtsverletzung*|markeninhaber*|produktfälschung*|plagiat*|marque déposée|atteinte à la marque|atteinte à notre marque|droits de marque|marques déposées|contrefait*|contrefaçons|
      droit des marques|marca registrada|infracción de marca|uso no autorizado de la marca|uso indebido de marca|derechos de marca|violação de marca|uso indevido de marca|violazione di marchio|diritti di marchio|marchi contraffatti|marcas registradas|falsificacion*|falsificado*|marchio registrato|marchi registrati|contraffa*|violazione del marchio|
      marca registada|contrafa*|merkinbreuk*|merkrecht*|inbreuk op merk*|handelsmerk*|merkhouder*|merkenrecht*|namaak*|товарн* знак*|контрафакт*|znak* towarow*|podróbk*|podrabian*|varumärk*|varemærk*|
      ochrann* známk*|padělk*|padělan*|marka hakk*|marka ihlal*|taklit|sahte ürün*|商標*|偽ブランド|模倣品|상표*|위조*|商标*|假货|仿品`,
    plain: `contrefaçon|brand owner*|brand name*|registered mark*|intellectual property|cybersquat*|typosquat*|domain name dispute|udrp|unauthorized use of|
      unauthorised use of|logo|geistiges eigentum|propriété intellectuelle|proprietà intellettuale|propriedade intelectual|интеллектуальн* собственност*|
      知的財産|지식재산|知识产权|智慧財產|impersonating our brand`,
    hint: `brand|brands|marque|marca|marke`,
  },
]
