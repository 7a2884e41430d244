/** The page of a lesson's step: lets the server judge a move, shows the reply, and goes on. */

import "./board.js";
import { here, pageAddress } from "./address.js";
import { ApiError, get, post } from "./api.js";
import { byId, inputById, onCustomEvent, onSubmit, pageData } from "./dom.js";
import { phrase } from "./i18n.js";
import { doneSteps, markDone, markLinks } from "./lesson_progress.js";
import { narrow } from "./rule_questions.js";
import { playMoveSound } from "./notify.js";
import { mustPass } from "./status.js";

/** @typedef {import("./api.js").Scene} Scene */
/**
 * @typedef {object} Step
 * @property {string} id
 * @property {string} game
 * @property {Record<string, string>} options
 * @property {string} lesson
 * @property {number} number
 * @property {number} of
 * @property {string} title
 * @property {string} text
 * @property {string} task
 * @property {string} answer
 * @property {boolean} only_answer whether no other move does the task
 * @property {string | null} previous
 * @property {string | null} next
 * @property {Scene} scene
 */

const REPLY_DELAY = 900; // milliseconds in which one sees one's own move before the reply
const board = /** @type {import("./board.js").GameBoard} */ (byId("board"));
const still = matchMedia("(prefers-reduced-motion: reduce)");

class LessonPage {
  constructor() {
    /** @type {Step} */
    this.step = pageData("step");
    this.done = false;
    this.requests = 0; // an answer counts only if no request has followed its own
  }

  open() {
    this.addListeners();
    this.show(this.step);
  }

  /**
   * Show a step from its start.
   * @param {Step} step
   */
  show(step) {
    this.step = step;
    this.done = false;
    this.requests++;
    const { lesson, number, of } = step;
    byId("place").textContent = phrase("lesson_place", { lesson, number, of });
    byId("step-title").textContent = step.title;
    byId("text").textContent = step.text;
    byId("task").textContent = step.task;
    byId("status").textContent = phrase("your_turn_now");
    byId("status").classList.remove("mine");
    this.say("", "");
    board.show(step.scene.svg, step.scene);
    this.link("previous").setAttribute("href", this.address(step.previous));
    this.link("next").setAttribute("href", this.address(step.next));
    this.link("pass").hidden = !mustPass(step.scene);
    this.showDone();
    this.updateList();
  }

  /** @param {string | null} id */
  address(id) {
    return `/learn/${this.step.game}${id ? `/${id}` : ""}`;
  }

  /** Show whether the step is done: then the way leads on. */
  showDone() {
    const { done, step } = this;
    const next = this.link("next");
    next.textContent = phrase(!done ? "lesson_skip" : step.next ? "lesson_next" : "lesson_end");
    this.link("answer").hidden = done || mustPass(step.scene);
    this.link("retry").hidden = !done;
    this.showFirstGame();
  }

  /** After the last step of a lesson, offer a game in its form; after the first lesson, above all. */
  showFirstGame() {
    const { done, step } = this;
    const offer = byId("first-game");
    offer.hidden = !done || step.number < step.of;
    const button = /** @type {HTMLElement} */ (offer.querySelector("[data-first-game]"));
    const first = document.querySelector(".grade")?.querySelector(`[data-step="${step.id}"]`);
    button.classList.toggle("main", first !== null);
    this.link("next").classList.toggle("main", done && (offer.hidden || !first));
    button.dataset.options = JSON.stringify(step.options);
    button.dataset.seats = String(step.scene.tallies.length);
  }

  updateList() {
    const done = doneSteps(this.step.game);
    markLinks(done);
    for (const link of document.querySelectorAll(".steps a")) {
      if (link.getAttribute("data-step") === this.step.id) {
        link.setAttribute("aria-current", "step");
        const lesson = link.closest("details");
        if (lesson) lesson.open = true;
      } else link.removeAttribute("aria-current");
    }
    for (const lesson of document.querySelectorAll(".grade")) {
      const of = lesson.querySelectorAll(".steps a").length;
      const n = lesson.querySelectorAll(".steps .done").length;
      const tally = lesson.querySelector(".tally");
      if (tally) tally.textContent = `${n} / ${of}`;
    }
    const n = document.querySelectorAll(".steps .done").length;
    const of = document.querySelectorAll(".steps a").length;
    byId("progress").textContent = phrase("lesson_progress", { n, of });
  }

  /**
   * Open another step in this page.
   * @param {string} id
   * @param {boolean} [back] whether the browser has gone back or on by itself
   */
  async openStep(id, back = false) {
    const answer = await this.ask(() => get(`/api/lessons/${this.step.game}/${id}`));
    if (!answer) return;
    if (!back) history.pushState({ step: id }, "", pageAddress(this.address(id)));
    document.title = document.title.replace(this.step.title, answer.title);
    this.show(answer);
    board.at(board.focused)?.focus({ preventScroll: true });
    if (!back) scrollTo(0, 0);
  }

  /**
   * Send a request; the answer is null if the server refuses, or if another request has followed.
   * @param {() => Promise<any>} request
   */
  async ask(request) {
    const number = ++this.requests;
    try {
      const answer = await request();
      return number === this.requests ? answer : null;
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      if (number === this.requests) this.say("", error.message);
      return null;
    }
  }

  /** @param {string} move */
  async tryMove(move) {
    const { step } = this;
    if (this.done) return false;
    this.say("", "");
    const path = `/api/lessons/${step.game}/${step.id}/moves`;
    const answer = await this.ask(() => post(path, { move }));
    if (answer?.right) {
      await this.finish(answer);
      return true;
    }
    if (answer) this.say("", answer.words);
    board.show(step.scene.svg, step.scene);
    return false;
  }

  /**
   * Show a right move, the reply, and what has happened.
   * @param {{words: string, scenes: Scene[]}} answer
   */
  async finish({ words, scenes }) {
    const { step } = this;
    this.done = true;
    markDone(step.game, step.id);
    this.link("pass").hidden = true;
    const number = this.requests;
    for (const [ply, scene] of scenes.entries()) {
      if (ply && !still.matches) await new Promise((resolve) => setTimeout(resolve, REPLY_DELAY));
      if (number !== this.requests) return; // somebody has gone on meanwhile
      playMoveSound();
      board.show(scene.svg, null);
    }
    this.showDone();
    this.updateList();
    this.say("", "");
    byId("status").textContent = words;
    byId("status").classList.add("mine");
    const choices = document.querySelectorAll(".needed .main");
    const choice = [...choices].find((each) => each.checkVisibility()); // what to do next
    if (choice instanceof HTMLElement) choice.focus({ preventScroll: true });
  }

  /**
   * @param {string} whisper
   * @param {string} wrong
   */
  say(whisper, wrong) {
    byId("whisper").textContent = whisper;
    byId("wrong").textContent = wrong;
  }

  /**
   * @param {string} action
   * @returns {HTMLElement}
   */
  link(action) {
    return /** @type {HTMLElement} */ (document.querySelector(`[data-act=${action}]`));
  }

  addListeners() {
    onCustomEvent(board, "play", (move) => this.tryMove(move));
    onCustomEvent(board, "illegal", (text) => this.tryMove(text));
    onCustomEvent(board, "announce", (text) => this.say(text, ""));
    onCustomEvent(board, "narrow", (touched) => {
      const { game, options, scene } = this.step;
      const line = { game, options, start: scene.position, moves: [] };
      narrow(board, line, touched, (error) => this.say("", error.message));
    });
    for (const action of ["previous", "next"]) {
      this.link(action).addEventListener("click", (event) => {
        const id = action === "next" ? this.step.next : this.step.previous;
        if (!id || event.ctrlKey || event.metaKey || event.shiftKey) return; // a link like others
        event.preventDefault();
        this.openStep(id);
      });
    }
    this.link("retry").addEventListener("click", () => this.show(this.step));
    this.link("answer").addEventListener("click", () => {
      board.hint(this.step.answer);
      const words = this.step.only_answer ? "lesson_only_answer" : "lesson_answer";
      this.say(phrase(words, { move: this.step.answer }), "");
    });
    this.link("pass").addEventListener("click", () => this.tryMove("pass"));
    addEventListener("popstate", () => this.openStep(here().pathname.split("/")[3] ?? "", true));
    // Enter goes on wherever the focus is, unless it means something there.
    addEventListener("keydown", (event) => {
      const busy = event.target instanceof Element && event.target.closest("a, button, input");
      if (event.key === "Enter" && this.done && !busy) this.link("next").click();
    });
    onSubmit("typed", async () => {
      const field = inputById("typed-move");
      if (field.value.trim() && (await this.tryMove(field.value))) field.value = "";
    });
  }
}

new LessonPage().open();
