import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { doctor } from './doctor/command.mjs';
import { thisMachine } from './doctor/this-machine.mjs';

/**
 * The workbook's folder. `npm run doctor` is plain JavaScript without packages, because it runs before `npm ci`, and
 * on a Node that is too old for the workbook.
 */
const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..');
process.exitCode = await doctor(thisMachine(root), process.argv.slice(2));
