/** What stands round every page: head, foot, the connection, reports, and what may go wrong. */

/** @type {Record<string, string>} */
export default {
  loading: "Lädt …",

  close: "Schließen",

  cancel: "Abbrechen",

  you: "Du",

  bot: "Bot",

  iron: "eisern",

  "nav.skip": "Zum Inhalt",
  "nav.home": "Ramparts, Startseite",
  "nav.label": "Hauptmenü",
  "nav.play": "Spielen",
  "nav.daily": "Täglich",
  "nav.boards": "Tafeln",
  "nav.games": "Spiele",
  "nav.settings": "Einstellungen",

  "foot.you": "Du bist {name}",
  "foot.about": "Über Ramparts",
  "foot.report": "Etwas melden",

  "link.waiting": "Die Verbindung ist weg. Deine Züge sind gemerkt; neuer Versuch …",
  "link.offline": "Du bist offline. Deine Züge sind gemerkt und werden später gesendet.",
  "link.closed": "Der Server hat die Verbindung beendet.",
  "link.again": "Neu verbinden",
  "link.taken": "Dieser Versuch geht in einem anderen Tab oder auf einem anderen Gerät weiter.",
  "link.here": "Hier weiterspielen",
  "link.upgrade": "Es gibt eine neuere Fassung dieser Seite.",
  "link.reload": "Laden",

  "live.waiting": "Du bist in einem Rennen, und die Uhr läuft.",
  "live.seat": "Du hast einen Platz in einem Rennen, das noch nicht begonnen hat.",
  "live.lobby": "Zum Rennen",
  "live.back": "Zurück zum Rennen",

  "report.title": "Etwas melden",
  "report.kind": "Worum geht es?",
  "report.bug": "Etwas Seltsames",
  "report.idea": "Eine Idee oder etwas anderes",
  "report.behaviour": "Jemandes Verhalten",
  "report.text": "In deinen Worten",
  "report.send": "Senden",
  "report.thanks": "Danke. Es ist für die Betreiber dieses Servers gespeichert.",
  "report.failed": "Es ließ sich nicht senden. Versuch es, wenn du verbunden bist.",

  "error.offline": "Der Server ist gerade nicht erreichbar.",
  "error.internal": "Bei uns ist etwas schiefgegangen. Versuch es noch einmal.",
  "error.race_unknown": "Dieses Rennen gibt es nicht. Prüf den Link; ein Rennen wird einige Zeit nach seinem Ende vergessen.",
  "error.not_found": "Unter diesem Namen gibt es nichts.",
  "error.busy": "Du bist in einem anderen Rennen, das noch läuft. Spiel es zu Ende oder gib es auf.",
  "error.full": "Alle Plätze sind besetzt.",
  "error.kicked": "Der Gastgeber hat dich aus diesem Rennen entfernt.",
  "error.already_started": "Das Rennen hat schon begonnen.",
  "error.closed": "Das Rennen ist beendet.",
  "error.day_over": "Dieser Tag nimmt keine Starts mehr an. Nimm den heutigen.",
  "error.day_not_open": "Dieser Tag ist noch nicht offen.",
  "error.bad_deal": "Das ist kein Code. Er lautet Spiel:Nummerierung:Nummer, etwa fortress:ms:11982.",
  "error.unknown_variant": "Dieses Spiel gibt es nicht.",
  "error.hidden_needs_secret": "Ein Spiel mit verdeckten Karten läuft im Rennen nur mit geheimen Karten.",
  "error.deal_live": "Mit diesen Karten läuft gerade ein Rennen. Versuch es, wenn es beendet ist.",
  "error.not_closed": "Das wird gezeigt, wenn das Rennen beendet ist.",
  "error.not_entered": "Du bist nicht in diesem Rennen.",
  "error.not_started": "Das Rennen hat noch nicht begonnen.",
  "error.not_enough_players": "Zum Start braucht es mindestens zwei.",
  "error.unauthorized": "Das ist für Spieler: öffne einmal die Startseite.",
  "error.token_unknown": "Der Spieler dieses Geräts ist nicht mehr bekannt.",
  "error.name_refused": "Dieser Name geht nicht. Nimm 2 bis 20 Buchstaben, Ziffern, - oder _ einer Schrift.",
  "error.name_taken": "Dieser Name, oder einer, der ihm gleicht, ist vergeben.",
  "error.name_claimed_already": "Du hast schon einen Namen.",
  "error.recovery_refused": "Name und Rückkehrcode passen nicht zusammen.",
  "error.too_many_messages": "Das war etwas viel auf einmal. Wart einen Augenblick.",
  "error.retry": "Der Server kann gerade nichts speichern. Versuch es noch einmal.",
  "error.bad_field": "Etwas darin stimmt nicht. Prüf, was du geschrieben hast.",
};
