/**
 * Starts Python, imports modules of its own library, and writes its memory into a file.
 *
 *     node snapshot.mjs FOLDER FILE MODULE…
 *
 * FOLDER has Pyodide's files. A name that is no module is passed over. Modules that come from
 * elsewhere may not be in a snapshot if they are compiled; and it has to fit into the memory that
 * Pyodide begins with.
 */

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const [folder, file, ...names] = process.argv.slice(2);
const { loadPyodide } = await import(pathToFileURL(join(folder, "pyodide.mjs")).href);
const python = await loadPyodide({ indexURL: folder, _makeSnapshot: true });
const room = python._module.HEAP8.length;
python.runPython(`
for name in ${JSON.stringify(names)}:
    try:
        __import__(name)
    except ImportError:
        pass
del name
`);
if (python._module.HEAP8.length > room) throw new Error("these modules need more memory");
writeFileSync(file, python.makeMemorySnapshot());
process.exit(0); // Pyodide waits for events
