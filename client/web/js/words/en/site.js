/** What stands round every page: head, foot, the connection, reports, and what may go wrong. */

/** @type {Record<string, string>} */
export default {
  loading: "Loading …",

  close: "Close",

  cancel: "Cancel",

  you: "You",

  bot: "bot",

  iron: "iron",

  "nav.skip": "Skip to the page",
  "nav.home": "Ramparts, home",
  "nav.label": "Main",
  "nav.play": "Play",
  "nav.daily": "Daily",
  "nav.boards": "Boards",
  "nav.games": "Games",
  "nav.settings": "Settings",

  "foot.you": "You are {name}",
  "foot.about": "About",
  "foot.report": "Report something",

  "link.waiting": "The connection is gone. Your moves are kept; trying again …",
  "link.offline": "You are offline. Your moves are kept and sent when you are back.",
  "link.closed": "The server has closed this connection.",
  "link.again": "Connect again",
  "link.taken": "This attempt goes on in another tab or on another device.",
  "link.here": "Go on here",
  "link.upgrade": "There is a newer version of this page.",
  "link.reload": "Load it",

  "live.waiting": "You are in a race, and its clock runs.",
  "live.seat": "You have a seat in a race that has not started.",
  "live.lobby": "To the race",
  "live.back": "Back to the race",

  "report.title": "Report something",
  "report.kind": "What is it?",
  "report.bug": "Something odd",
  "report.idea": "An idea, or anything else",
  "report.behaviour": "Somebody’s behaviour",
  "report.text": "In your words",
  "report.send": "Send",
  "report.thanks": "Thank you. It has been stored for those who run this server.",
  "report.failed": "It could not be sent. Try again when you are connected.",

  "error.offline": "The server can’t be reached just now.",
  "error.internal": "Something went wrong on our side. Try again.",
  "error.race_unknown": "There is no such race. Check the link; a race is forgotten some time after it closed.",
  "error.not_found": "There is nothing here under this name.",
  "error.busy": "You are in another race that is being played. Finish or resign it first.",
  "error.full": "All seats are taken.",
  "error.kicked": "The host has removed you from this race.",
  "error.already_started": "The race has started already.",
  "error.closed": "The race is closed.",
  "error.day_over": "This daily takes no more starts. Open today’s.",
  "error.day_not_open": "This daily has not opened yet.",
  "error.bad_deal": "This is no deal code. It reads game:numbering:number, such as fortress:ms:11982.",
  "error.unknown_variant": "There is no such game.",
  "error.hidden_needs_secret": "A game with hidden cards is raced on a secret deal only.",
  "error.deal_live": "This deal is being raced now. Try it when that race has closed.",
  "error.not_closed": "This is opened when the race has closed.",
  "error.not_entered": "You are not in this race.",
  "error.not_started": "The race has not started yet.",
  "error.not_enough_players": "At least two players are needed to start.",
  "error.unauthorized": "This is for players: open the home page once.",
  "error.token_unknown": "This device’s player is not known any more.",
  "error.name_refused": "This name can’t be used. Take 2 to 20 letters, digits, - or _ of one script.",
  "error.name_taken": "This name, or one that looks like it, is taken.",
  "error.name_claimed_already": "You have a name already.",
  "error.recovery_refused": "Name and recovery code do not match.",
  "error.too_many_messages": "That was a bit much at once. Wait a moment.",
  "error.retry": "The server can’t store anything just now. Try again.",
  "error.bad_field": "Something in there isn’t right. Check what you typed.",
};
