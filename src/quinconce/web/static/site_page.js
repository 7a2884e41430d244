/** What a page in the folder does beside what every page does: links, versions, the first page. */

import "./site_links.js";
import { watchVersions } from "./offline_copy.js";

watchVersions();
// What is touched will be asked about soon.
document.addEventListener("pointerdown", ({ target }) => {
  if (target instanceof Element && target.closest("game-board")) prepare();
});
const prepare = async () => (await import("./device.js")).prepareDevice();
