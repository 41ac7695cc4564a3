// Mails that name an address or a link of ours though nothing is wrong with it any more: answers of
// customers who mended it, tickets that are over, entries that were taken off a list. Patterns are
// matched against folded text.

import { isAnswer, known, type Refusal, type View } from './detect-view.ts'
import { GOES_ON, OUR_REPORT, PLEA } from './verdict-words.ts'

/** What somebody did about a notice of ours. */
const MENDED =
  /\b(?:(?:we|i)(?: have| had|'ve)?(?: now| already| just)? (?:removed|deleted|cleaned|fixed|reinstalled|patched|updated|closed|stopped|mended|repaired|changed (?:all |the )?passwords?)|is (?:clean|fine|safe) (?:now|again)|(?:have|has) been (?:cleaned|reinstalled|patched)|(?:haben|habe) .{0,80}?(?:entfernt|geloscht|bereinigt|behoben|neu aufgesetzt|neu installiert|aktualisiert)|(?:nous avons|j'ai) .{0,30}?(?:supprime|nettoye|corrige|reinstalle)|(?:hemos|he) (?:eliminado|limpiado|corregido|reinstalado|borrado)|(?:abbiamo|ho) (?:rimosso|pulito|corretto|reinstallato|eliminato)|(?:removemos|removi|limpamos|corrigimos|apagamos|apaguei)|(?:hebben|heb) .{0,60}?(?:verwijderd|opgeschoond|opgelost))|мы (?:удалили|исправили|очистили)|(?:я )?(?:удалил|исправил|почистил)|usunelismy|usunalem|naprawilismy|削除しました|対応しました|修正しました|삭제했습니다|조치했습니다|已删除|已修复|已处理/

/** What he wants in turn. */
const LET_GO =
  /\b(?:unblock|unlock|unsuspend|un-suspend|re-?enable|re-?activate|enable (?:it|the server|my server|our server) again|lift the (?:block|suspension|ban)|bring (?:it|the server|my server) back|remove the (?:block|suspension|null ?route)|entsperr|freischalt|reaktivier|wieder frei|debloquer|reactiver|desbloque|reactiv|sblocc|riattiv|deblokk|heractiv)|разблок|включите|odblok|解除して|再開して|차단 해제|해제해|解封|解除封/

/** Whom we told tells us what became of it. */
const DONE =
  /\b(?:we (?:have |had |'ve )?(?:now |already |today |since )?(?:resolved|removed|fixed|suspended|terminated|disabled|taken (?:the |appropriate |the necessary )?(?:action|measures|care)|took (?:action|care|the necessary)|dealt with)|(?:customer|client|account|user|server|site|page|content)(?: \S{1,20}){0,3} (?:was|were|has been|have been|is) (?:now |today |already )?(?:suspended|terminated|removed|disabled|taken down|taken offline|notified|cleaned)|wir haben .{0,60}?(?:gesperrt|entfernt|behoben|gekundigt|abgeschaltet)|der kunde wurde|nous avons (?:supprime|suspendu|resolu|desactive)|hemos (?:suspendido|eliminado|resuelto|desactivado)|abbiamo (?:sospeso|rimosso|risolto|disattivato)|suspendemos|removemos|wij hebben .{0,60}?(?:verwijderd|afgesloten|opgelost))|мы (?:заблокировали|удалили|отключили)|клиент (?:заблокирован|отключен)|zablokowalismy|停止しました|削除しました|차단하였습니다|삭제하였습니다|已暂停|已删除|已关闭/

/** A provider tells what became of its customer. */
const HANDLED =
  /(?<!\byour )\b(?:customer|client|subscriber|tenant|account|user|server)(?: \S{1,30}){0,4} (?:was|were|has been|have been|is|are)(?: \S{1,20}){0,2} (?:suspended|terminated|disabled|blocked|disconnected|warned|notified|informed|contacted)\b|\b(?:we|i)(?: have| had|'ve)?(?: now| already| today)? (?:suspended|terminated|disabled|blocked|disconnected|warned|notified|informed|contacted) (?:the|this|that|our) (?:\S{1,20} ){0,2}(?:customer|client|subscriber|tenant|account|user|server)\b|\bkunden?(?: \S{1,30}){0,5} (?:gesperrt|gekundigt|abgeschaltet|verwarnt|informiert|stangts av|sparrats|avstangd|suspenderet|spaerret|lukket)\b|\bclient(?: \S{1,30}){0,4} a ete (?:suspendu|averti|informe|resilie|desactive|bloque)|\bcliente?(?: \S{1,30}){0,4} (?:ha sido|fue|e stato|foi) (?:suspendid|bloquead|notificad|advertid|avisad|sospes|bloccat|avvisat|informat|disattivat|suspens)|\bklant(?: \S{1,30}){0,4} (?:afgesloten|geschorst|opgeschort|geblokkeerd|gewaarschuwd)|клиент(?: \S{1,30}){0,4} (?:заблокирован|отключен|приостановлен|предупрежден)|\bklient(?: \S{1,30}){0,4} zosta\S (?:zablokowan|zawieszon|ostrzezon)|\bzakaznik(?: \S{1,30}){0,4} byl (?:zablokovan|pozastaven|upozornen|odpojen)|\bmusteri\S*(?: \S{1,30}){0,4} askiya alin|顧客のアカウントを停止|お客様のアカウントを停止|고객(?:의)? (?:계정|서비스)(?:을|를)? (?:정지|차단)|客户(?:的)?(?:账户|服务)?已(?:被)?(?:暂停|停用|封停)/

/** And that it is done with the matter. */
const CLOSED =
  /\b(?:ticket|case|incident|matter|complaint|report|request|file)(?: \S{1,20}){0,2} (?:is|was|has been|have been|will be)(?: \S{1,15}){0,2} (?:closed|resolved|settled)\b|\b(?:closed|closing|close|resolved) (?:the|this|your|our) (?:ticket|case|incident|matter|complaint|report|request|file)\b|\b(?:ticket|vorgang|fall|meldung|beschwerde)(?: \S{1,20}){0,3} (?:geschlossen|abgeschlossen|erledigt)\b|\b(?:ticket|dossier|incident|signalement|plainte)(?: \S{1,20}){0,2} (?:est|a ete)(?: \S{1,15})? (?:clos|close|ferme|fermee|cloture)\b|\b(?:ticket|caso|incidente|expediente|reporte)(?: \S{1,20}){0,2} (?:esta|ha sido|queda|fue|e|e stato|foi)(?: \S{1,15})? (?:cerrad|resuelt|chius|risolt|fechad|encerrad|resolvid)|\b(?:ticket|melding|zaak|klacht)(?: \S{1,20}){0,3} (?:gesloten|afgehandeld)\b|(?:заявка|обращение|тикет|жалоба)(?: \S{1,20}){0,2} закрыт|\b(?:zgloszenie|sprawa)(?: \S{1,20}){0,2} (?:zamkniet|zakonczon)|\b(?:arendet|sagen|pripad|ticket)(?: \S{1,20}){0,3} (?:avslutat|avslutats|stangt|lukket|afsluttet|uzavren)|\b(?:talep|bilet|kayit)(?: \S{1,20}){0,2} kapatil|クローズ(?:しました|いたしました)|종료(?:하였|되었|했)습니다|(?:工单|案件|投诉)(?:现)?已(?:经)?(?:关闭|结案)/

/** What follows is no end. */
const YET =
  /\b(?:but|yet|however|as before|you (?:said|wrote|claimed)|aber|jedoch|trotzdem|dennoch|mais|pourtant|pero|sin embargo|tuttavia|maar|toch)\b|однако|しかし|하지만|但是|但/

/** An entry of a list is gone. */
const DELISTED =
  /\b(?:(?:has|have|was|were|is|are|been)(?: now| been| successfully)* (?:delisted|de-listed|unlisted|removed from (?:the|our|this) (?:black|block|deny)?list)|(?:is|are) no longer (?:listed|blocked|on our list)|(?:removal|delisting) request (?:was|has been) (?:accepted|approved|processed|granted)|wurde (?:aus|von) (?:der|unserer) (?:liste|sperrliste|blacklist|blockliste) (?:entfernt|gestrichen|geloscht)|ist nicht mehr gelistet|nicht mehr gelistet|n'est plus (?:liste|repertorie)|ha sido (?:eliminad[ao]|retirad[ao]) de (?:la|nuestra) lista|ya no esta en la lista|e stato rimosso dalla (?:lista|blacklist)|foi removid[oa] da (?:lista|nossa lista)|is (?:van de|uit de) lijst (?:gehaald|verwijderd))|(?:удален|исключен)\S{0,3} из (?:списка|черного списка|нашего списка)|больше не значится|リストから削除され|해제되었습니다|已从(?:列表|黑名单)(?:中)?(?:移除|删除)/

/** Here our own words are quoted. */
const OUR_WORDS =
  /(?:\byour (?:original )?(?:message|request|report|submission|complaint|enquiry|inquiry|ticket)(?: was| said| reads?| follows?| contents?| below)?\s{0,3}[-–—]*\s{0,3}:|-{2,} ?(?:your|original) (?:message|request|report|submission)|\bihre (?:nachricht|anfrage|meldung)\s?:|-{2,} ?ihre (?:nachricht|anfrage|meldung)|\bvotre (?:message|demande|signalement)\s?:|\bsu (?:mensaje|solicitud|denuncia)\s?:|\bil (?:suo|tuo) messaggio\s?:|\bsua mensagem\s?:|\buw (?:bericht|melding)\s?:|ваше (?:сообщение|обращение)\s?:|お問い合わせ内容|문의 내용|您的(?:留言|举报内容))/

const STILL =
  /\bstill (?:online|active|up|there|live|running|reachable|sending|attacking|available|hosted)\b|\b(?:immer noch|nach wie vor|toujours (?:en ligne|actif|active)|sigue (?:activ|en linea|online)|ancora (?:online|attiv)|ainda (?:esta|no ar)|nog steeds)\b|все еще|まだ|여전히|仍然|仍在/

/** Whatever it thanks for: something goes on. */
export function goesOn(start: string): boolean {
  return STILL.test(withoutOurWords(start))
}

// Below `Your message was:` the words are ours.
export function withoutOurWords(start: string): string {
  const at = start.search(OUR_WORDS)
  return at === -1 ? start : start.slice(0, at)
}

// An end is told at the beginning.
const END_LENGTH = 300

// A complaint of somebody else may come with such words; it does not close its own ticket.
function readHandled(own: string): Refusal | null {
  return CLOSED.test(own) ? known('a notice of an end', own.slice(0, END_LENGTH), HANDLED) : null
}

/** Whether what was closed goes on: `you closed the ticket, but …`. */
export function isContradicted(start: string): boolean {
  const own = withoutOurWords(start)
  return YET.test(own) && GOES_ON.test(own)
}

/**
 * Somebody tells that a matter is over, and names what it was about. Whoever says that it goes on
 * complains after all.
 */
export function readEnd({ mail, subject, start }: View): Refusal | null {
  const own = withoutOurWords(start)
  // `It is fine again`: here the word tells of no complaint.
  const mended = MENDED.test(own) ? known('an answer to a notice', own, LET_GO) : null
  if (mended !== null) return mended
  if (GOES_ON.test(own)) return null
  const gone = known('a notice of an end', `${subject} ${own.slice(0, END_LENGTH)}`, DELISTED)
  if (gone !== null) return gone
  const handled = PLEA.test(own) || YET.test(own) ? null : readHandled(own)
  if (handled !== null) return handled
  const isOurs = isAnswer(mail) || own.length < start.length || OUR_REPORT.test(own)
  if (!isOurs || PLEA.test(own) || YET.test(own)) return null
  return known('an answer to an earlier report', own.slice(0, END_LENGTH), DONE)
}
