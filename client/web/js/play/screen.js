/**
 * The table with everything on it that plays: it joins an attempt, the table's input, controls, keys, reasons of
 * refusals, the blocked notice and the offer to finish. What race it is in, and who else is, stands around it.
 */

import { html, nothing } from "../lit.js";
import { canRedo, canUndo } from "../line.js";
import { fullCollect, isWon, parseMove, pileOf, progress, safeCollect } from "../rules.js";
import { Choice } from "../table/choice.js";
import { KeyControl } from "../table/keys.js";
import { PointerControl } from "../table/pointer.js";
import { Table } from "../table/table.js";
import { openReport } from "../report.js";
import { deckOf } from "../settings.js";
import { t } from "../words.js";
import { cardWords, pileLabel, pileWords, refusalWords, shortCard } from "./cardwords.js";
import { bestTarget, canDraw, canRedeal, liftable, moveAction, targetsOf } from "./game.js";
import { hasKeys } from "./help.js";
import { Hints, hintWords, knownHint } from "./hints.js";
import { icon } from "./icons.js";
import { Outlook } from "./outlook.js";
import { Pulled } from "./pulled.js";
import { play as playSound } from "./sounds.js";

const REASON_MS = 3200;
/** A note's distance from the pile and from the edges of the table. */
const APART = 6;
const HINT_MS = 6000;

export class PlayScreen {
  /**
   * @param {App} app
   * @param {object} play
   * @param {string} play.key of the attempt
   * @param {(action: Action) => void} play.act
   * @param {() => Attempt|null} play.attempt
   * @param {(() => void)|null} [play.askAgain] where there are hints: has the last answer told again
   */
  constructor(app, { key, act, attempt, askAgain = null }) {
    this.app = app;
    this.send = act;
    this.attempt = attempt;
    this.root = document.createElement("div");
    this.root.className = "table";
    this.table = new Table(this.root, this.game());
    this.choice = new Choice(this.table, (source, count) => bestTarget(this.position(), source, count));
    this.pointer = new PointerControl(this.table, { choice: this.choice, isOneTap: () => app.settings.oneTap });
    this.keys = new KeyControl(this.table, { choice: this.choice, act: (action) => this.command(action) });
    this.isLocked = false;
    this.outlook = new Outlook((word) => {
      if (word) app.say(t(`play.${word}.say`));
      app.refresh();
    });
    this.hints = askAgain && new Hints({
      attempt,
      ask: () => this.act({ type: "hint" }),
      askAgain,
      show: (hint, wish) => this.showHint(hint, wish),
      say: (words, ms) => this.reason("", words, words, ms),
    });
    this.pulled = new Pulled(key);
    this.mayAutoplay = false;
    this.refusedSerial = 0;
    this.menuOpen = false;
    /** @type {ReturnType<typeof setTimeout>|undefined} */
    this.reasonTimer = undefined;
    /** @type {Position|null} */
    this.seen = null;
    /** What is said for a moment. @type {HTMLElement|null} */
    this.note = null;
    // Where a note belongs is another place once the cards lie elsewhere.
    this.observer = new ResizeObserver(() => this.note?.remove());
    this.observer.observe(this.root);
    this.onKey = (/** @type {KeyboardEvent} */ event) => this.key(event);
    addEventListener("keydown", this.onKey);
    this.applySettings();
  }

  close() {
    removeEventListener("keydown", this.onKey);
    this.observer.disconnect();
    clearTimeout(this.reasonTimer);
    this.outlook.close();
    this.hints?.close();
    this.table.close();
  }

  position() {
    const attempt = this.attempt();
    if (!attempt) throw new Error("there is no attempt to play");
    return attempt.shown.position;
  }

  /** What the table asks and tells. @returns {Game} */
  game() {
    return {
      targets: (source, count) => (this.isLocked ? [] : targetsOf(this.position(), source, count)),
      counts: (source) => (this.isLocked ? [] : liftable(this.position(), source)),
      play: (move) => this.act(moveAction(move)),
      draw: () => this.command("draw"),
      refuseLift: (source, depth) => this.refuseLift(source, depth),
      refuseHome: (source) => this.reason(source, t("refusal.no_foundation", { card: shortCard(pileOf(this.position(), source).at(-1) ?? -1) })),
      pileLabel: (name, cards, hidden) => pileLabel(this.position().variant, name, cards, hidden),
      cardLabel: (name, depth) => cardWords(pileOf(this.position(), name)[depth] ?? -1),
      chosenText: (card, targets) =>
        targets.length
          ? t("say.chosen", { card, targets: targets.map((name) => pileWords(this.position().variant, name)).join(", ") })
          : t("say.chosen.none", { card }),
      say: (text) => this.app.say(text),
    };
  }

  applySettings() {
    const { settings } = this.app;
    this.table.wish({ form: settings.form, isMirrored: settings.leftHanded, isLarge: settings.index === "large", deck: deckOf(settings) });
  }

  /** Shows the attempt as it is now. */
  update() {
    const attempt = this.attempt();
    if (!attempt) return;
    const { position } = attempt.shown;
    const refused = attempt.refused;
    this.isLocked = attempt.end !== null;
    if (this.isLocked) this.outlook.watch(null);
    this.table.surface.classList.toggle("is-won", attempt.end === "finished");
    if (!knownHint(attempt)) this.table.markHint(null);
    if (position !== this.seen) {
      const before = this.seen;
      this.seen = position;
      this.table.show(position);
      if (this.choice.source !== null) this.choice.clear();
      setTimeout(() => this.look(position), 0);
      if (before && this.app.settings.sounds) playSound(progress(position) > progress(before) ? "home" : "card");
    }
    if (refused && refused.serial !== this.refusedSerial) {
      this.refusedSerial = refused.serial;
      this.showRefusal(refused);
    }
    this.hints?.update();
  }

  /** What takes longer than a frame may: is anything left to do; may something be collected by itself. @param {Position} position */
  look(position) {
    if (this.seen !== position) return;
    const attempt = this.attempt();
    this.outlook.watch(attempt?.end === null && !attempt.shown.isBlind ? position : null);
    if (attempt && this.app.settings.autoplay && attempt.end === null && this.mayAutoplay) this.autoplay(position);
  }

  /** Sends up what is safe, but what the player has taken back: as one collect, or card by card where one must stay. @param {Position} position */
  autoplay(position) {
    const moves = safeCollect(position, this.pulled.cards);
    if (moves.length === safeCollect(position).length) {
      if (moves.length) this.act({ type: "collect", scope: "safe" });
    } else for (const move of moves) this.act(moveAction(move));
  }

  /** @param {{code: string, message: string, action: Action|null}} refused */
  showRefusal({ code, message, action }) {
    const position = this.position();
    const move = action?.type === "move" ? action : null;
    const words = refusalWords(position, code, move, message);
    this.reason(move?.target ?? "", words);
  }

  /** @param {string} source @param {number} depth */
  refuseLift(source, depth) {
    if (this.isLocked) return;
    const position = this.position();
    const number = position.variant.index[source] ?? -1;
    const isDown = depth < (position.down[number] ?? 0);
    const key = source[0] === "f" ? "refusal.from_foundation" : isDown ? "refusal.face_down" : position.variant.tableau.liftsRuns ? "refusal.not_a_run" : "refusal.not_available";
    this.reason(source, t(key));
  }

  /** The move that the solver proposes, or what it says of the position. @param {HintEvent} hint @param {import("./hints.js").Wish} wish */
  showHint(hint, wish) {
    const position = this.position();
    const move = wish === "move" && hint.move ? parseMove(hint.move) : null;
    const { seen, heard } = hintWords(position, hint, wish, this.attempt()?.shown.iron ?? false);
    this.table.markHint(move);
    this.reason(move && move.target in this.table.piles ? move.target : "", seen, heard, HINT_MS);
    this.app.refresh();
  }

  /** Says why, in one line under the pile, or in the bar where cards lie there. @param {string} pile @param {string} words @param {string} heard @param {number} ms */
  reason(pile, words, heard = words, ms = REASON_MS) {
    this.app.say(heard);
    this.note?.remove();
    const note = document.createElement("div");
    note.className = "reason";
    note.textContent = words;
    this.table.surface.append(note);
    const place = pile ? this.placeUnder(pile, note) : null;
    if (place) Object.assign(note.style, place);
    else {
      note.classList.add("is-apart");
      this.root.append(note);
    }
    this.note = note;
    clearTimeout(this.reasonTimer);
    this.reasonTimer = setTimeout(() => note.remove(), ms);
  }

  /** Where a note covers no card under a pile; null where there is no such place. @param {string} pile @param {HTMLElement} note */
  placeUnder(pile, { offsetWidth: width, offsetHeight: height }) {
    const { root, table } = this;
    const box = table.pileBox(pile);
    const left = Math.max(APART, Math.min(box.x + (box.width - width) / 2, root.clientWidth - width - APART));
    const top = box.y + box.height + APART;
    const isCovering = Object.keys(table.piles).some((name) => {
      const { x, y, width: across, height: along } = table.pileBox(name);
      return x < left + width && left < x + across && y < top + height && top < y + along;
    });
    return isCovering || top + height > root.clientHeight ? null : { left: `${left}px`, top: `${top}px` };
  }

  /** @param {Action} action */
  act(action) {
    const attempt = this.attempt();
    if (!attempt || this.isLocked) return;
    this.note?.remove();
    const before = attempt.shown.position;
    if (action.type === "move") {
      const card = pileOf(before, action.source).at(-action.count) ?? -1;
      this.pulled.note(card, action);
    }
    // Nothing goes up by itself after an undo: it would only undo the undo.
    this.mayAutoplay = action.type === "move" || action.type === "draw" || action.type === "collect";
    this.send(action);
    this.update();
    const after = this.attempt()?.shown.position;
    if (after && after !== before) this.tell(action, before);
  }

  /** Marks the last move, and says it. @param {Action} action @param {Position} before */
  tell(action, before) {
    if (action.type === "move") {
      this.table.markLast(action.target, action.count);
      const card = cardWords(pileOf(before, action.source).at(-action.count) ?? -1);
      this.app.say(t("say.moved", { card, place: pileWords(before.variant, action.target) }));
      return;
    }
    this.table.markLast(null, 0);
    if (action.type === "draw") {
      const top = pileOf(this.position(), "w").at(-1);
      this.app.say(top === undefined ? t("say.turned_over") : t("say.drawn", { card: cardWords(top) }));
      if (top !== undefined) this.table.markLast("w", 1);
    } else this.app.say(t(`say.${action.type}`));
  }

  /** A command of a key or button. @param {string} name */
  command(name) {
    const attempt = this.attempt();
    if (!attempt || this.isLocked) return;
    this.menuOpen = false;
    switch (name) {
      case "collect":
        return this.act({ type: "collect", scope: "safe" });
      case "collect_all":
        return this.act({ type: "collect", scope: "all" });
      case "draw":
        if (attempt.shown.position.variant.stock >= 0) this.act({ type: "draw" });
        return undefined;
      case "redeal":
        if (attempt.shown.position.variant.redeal) this.act({ type: "redeal" });
        return undefined;
      case "undo":
      case "redo":
      case "restart":
        return this.act({ type: name });
      case "hint":
        return this.hints?.want("move");
      case "verdict":
        return this.hints?.want("verdict");
      default:
        return undefined;
    }
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    const target = /** @type {HTMLElement} */ (event.target);
    if (target.closest("input, textarea, select, dialog, [role=menu]") || document.querySelector("dialog[open]")) return;
    const isOther = target.closest("a, button") && !target.closest(".pile");
    if (isOther && (event.key === "Enter" || event.key === " ")) return;
    if (event.key === "Escape" && this.menuOpen) {
      this.menuOpen = false;
      this.app.refresh();
      event.preventDefault();
    } else if (this.keys.press(event)) event.preventDefault();
  }

  /** @returns {boolean} */
  canFinish() {
    const attempt = this.attempt();
    if (!attempt || attempt.end !== null) return false;
    const { position } = attempt.shown;
    if (isWon(position)) return false;
    const left = fullCollect(position).length;
    return left > 1 && left === position.variant.cards - progress(position);
  }

  /** The buttons at the thumb. @param {{isRace: boolean, onResign: (() => void)|null, onHelp: (isIron: boolean) => void}} more */
  controls({ isRace, onResign, onHelp }) {
    const attempt = this.attempt();
    if (!attempt) return nothing;
    const { shown } = attempt;
    const { position } = shown;
    const toggle = () => {
      this.menuOpen = !this.menuOpen;
      this.app.refresh();
    };
    const item = (/** @type {string} */ label, /** @type {() => void} */ run, disabled = false) =>
      html`<button class="button is-plain" type="button" ?disabled=${disabled} @click=${() => {
        this.menuOpen = false;
        run();
        this.app.refresh();
      }}>${label}</button>`;
    return html`
      ${this.outlook.word ? html`<p class="blocked" role="status">${t(`play.${this.outlook.word}${canUndo(shown) ? "" : ".final"}${isRace ? "" : ".alone"}`)}</p>` : nothing}
      <div class="controls" role="toolbar" aria-label=${t("play.controls")}>
        ${shown.iron
          ? nothing
          : html`<button class="button" type="button" ?disabled=${!canUndo(shown)} @click=${() => this.command("undo")}>${icon("undo")}<span>${t("play.undo")}</span></button>
              <button class="button is-wide-only" type="button" ?disabled=${!canRedo(shown)} @click=${() => this.command("redo")}>${icon("redo")}<span>${t("play.redo")}</span></button>`}
        ${position.variant.redeal
          ? html`<button class="button" type="button" ?disabled=${!canRedeal(position)} @click=${() => this.command("redeal")}>${icon("redeal")}<span>${t("play.redeal")}</span></button>`
          : nothing}
        ${position.variant.stock >= 0
          ? html`<button class="button" type="button" ?disabled=${!canDraw(position)} @click=${() => this.command("draw")}>${icon("draw")}<span>${t("play.draw")}</span></button>`
          : nothing}
        ${this.hints
          ? html`<button class="button" type="button" aria-disabled=${this.hints.isWaiting ? "true" : "false"} @click=${() => this.command("hint")}>${icon("hint")}<span>${t("play.hint")}</span></button>`
          : nothing}
        ${this.canFinish()
          ? html`<button class="button is-main" type="button" @click=${() => this.command("collect_all")}>${icon("collect")}<span>${t("play.finish")}</span></button>`
          : html`<button class="button" type="button" @click=${() => this.command("collect")}>${icon("collect")}<span>${t("play.collect")}</span></button>`}
        <button class="button" type="button" aria-haspopup="true" aria-expanded=${this.menuOpen ? "true" : "false"} @click=${toggle}>${icon("more")}<span>${t("play.more")}</span></button>
      </div>
      ${this.menuOpen
        ? html`<div class="menu" role="group" aria-label=${t("play.more")}>
            ${shown.iron ? nothing : item(t("play.redo"), () => this.command("redo"), !canRedo(shown))}
            ${this.hints ? item(t("play.verdict"), () => this.command("verdict")) : nothing}
            ${item(t("play.collect_all"), () => this.command("collect_all"))}
            ${shown.iron ? nothing : item(t("play.restart"), () => this.command("restart"))}
            ${item(t(hasKeys() ? "play.help" : "play.rules"), () => onHelp(shown.iron))} ${item(t("report.title"), () => openReport(this.app))} ${onResign ? item(t(isRace ? "play.resign" : "play.end"), onResign) : nothing}
          </div>`
        : nothing}
    `;
  }
}
