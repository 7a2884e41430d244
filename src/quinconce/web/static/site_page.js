/** What a page in the folder does beside what every page does: links, versions, the first page. */

import "./site_links.js";
import { watchVersions } from "./offline_copy.js";

watchVersions();
