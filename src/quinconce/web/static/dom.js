/** Finds and creates elements of the page, and listens to them. */

/**
 * The data that the server has put into the page as JSON, in the element with this id.
 * @param {string} id
 * @returns {any}
 */
export function pageData(id) {
  const text = document.getElementById(id)?.textContent;
  return text ? JSON.parse(text) : null;
}

/**
 * The element with an id; it is an error if the page has none.
 * @param {string} id
 * @returns {HTMLElement}
 */
export function byId(id) {
  const found = document.getElementById(id);
  if (!found) throw new Error(`the page has no ${id}`);
  return found;
}

/**
 * The input with an id.
 * @param {string} id
 * @returns {HTMLInputElement}
 */
export function inputById(id) {
  return /** @type {HTMLInputElement} */ (byId(id));
}

/**
 * A new element.
 * @param {string} name
 * @param {Record<string, string>} [attributes]
 * @param {(Node | string)[]} children
 * @returns {HTMLElement}
 */
export function element(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...children);
  return made;
}

/**
 * A new button.
 * @param {string} text
 * @param {() => unknown} onClick
 * @param {string} [kind] its CSS class
 */
export function button(text, onClick, kind = "") {
  const made = element("button", { type: "button", class: kind }, text);
  made.addEventListener("click", onClick);
  return made;
}

/**
 * The elements of a drawing. It must come from the server: text that people typed is never SVG.
 * @param {string} svg
 * @returns {DocumentFragment}
 */
export function parseSvg(svg) {
  const holder = document.createElement("template");
  holder.innerHTML = svg;
  return holder.content;
}

/**
 * Call a function with the detail of every custom event of this name.
 * @param {EventTarget} target
 * @param {string} name
 * @param {(detail: any) => unknown} handler
 */
export function onCustomEvent(target, name, handler) {
  target.addEventListener(name, (event) => handler(/** @type {CustomEvent} */ (event).detail));
}

/**
 * Call a function when a form is submitted, instead of leaving the page.
 * @param {string} id
 * @param {() => unknown} handler
 */
export function onSubmit(id, handler) {
  const form = byId(id);
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    handler();
  });
  // Its note stays from then on: if it went, what is below would move away under a click.
  form.addEventListener("focusin", () => form.classList.add("used"), { once: true });
}

/**
 * Whether the reader says yes; the page has the question in a template `sure-QUESTION`.
 * @param {string} question
 * @returns {Promise<boolean>}
 */
export function askToConfirm(question) {
  const dialog = /** @type {HTMLDialogElement} */ (byId("sure"));
  const text = /** @type {HTMLTemplateElement} */ (byId(`sure-${question}`));
  byId("sure-text").textContent = text.content.textContent;
  dialog.returnValue = "no";
  dialog.showModal();
  return new Promise((resolve) => {
    dialog.addEventListener("close", () => resolve(dialog.returnValue === "yes"), { once: true });
  });
}

/**
 * Say what there is to say of the move on show; the same again is not read out again.
 * @param {string} text
 * @param {string} [kind] its CSS class
 */
export function sayVerdict(text, kind = "") {
  const line = byId("verdict");
  line.className = `verdict ${kind}`;
  if (line.textContent !== text) line.textContent = text;
}
