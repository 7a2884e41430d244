/** Small help with the elements of a page. */

/**
 * What stands in a block of data of the page.
 * @param {string} id
 * @returns {any}
 */
export function data(id) {
  const text = document.getElementById(id)?.textContent;
  return text ? JSON.parse(text) : null;
}

/**
 * The element with an id, which the page is known to have.
 * @param {string} id
 * @returns {HTMLElement}
 */
export function part(id) {
  const found = document.getElementById(id);
  if (!found) throw new Error(`the page has no ${id}`);
  return found;
}

/**
 * The input with an id.
 * @param {string} id
 * @returns {HTMLInputElement}
 */
export function input(id) {
  return /** @type {HTMLInputElement} */ (part(id));
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
 * A button that does something.
 * @param {string} text
 * @param {() => unknown} act
 * @param {string} [kind]
 */
export function button(text, act, kind = "") {
  const made = element("button", { type: "button", class: kind }, text);
  made.addEventListener("click", act);
  return made;
}

/**
 * Drawings of this house, put where they belong; nothing that people have typed comes this way.
 * @param {string} svg
 * @returns {DocumentFragment}
 */
export function drawing(svg) {
  const holder = document.createElement("template");
  holder.innerHTML = svg;
  return holder.content;
}

/**
 * Do something with what an element or a part of the page tells.
 * @param {EventTarget} teller
 * @param {string} name
 * @param {(detail: any) => unknown} act
 */
export function heard(teller, name, act) {
  teller.addEventListener(name, (event) => act(/** @type {CustomEvent} */ (event).detail));
}

/**
 * Do something when a form is sent, instead of leaving the page.
 * @param {string} id
 * @param {() => unknown} act
 */
export function sent(id, act) {
  part(id).addEventListener("submit", (event) => {
    event.preventDefault();
    act();
  });
}
