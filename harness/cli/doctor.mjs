import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { doctor } from './doctor/command.mjs';
import { thisMachine } from './doctor/this-machine.mjs';

/**
 * The workbook's folder. `npm run doctor` is plain JavaScript without packages, because it runs before `npm ci`, and
 * on a Node that is too old for the workbook.
 */
const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..');
// A reader may close the pipe early: npm run doctor | head.
process.stdout.on('error', () => process.exit(1));
process.exitCode = await doctor(thisMachine(root), process.argv.slice(2));
