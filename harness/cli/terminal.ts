import path from 'node:path';
import { type Paint, paintFor } from './colours.ts';
import { exitCodeOf, type Terminal } from './failure.ts';

/** The terminal that this process runs in. */
export const terminal: Terminal = {
  print: (line) => void process.stdout.write(`${line}\n`),
  complain: (line) => void process.stderr.write(`${line}\n`),
};

/** Colours for what goes to stdout. */
export const paint: Paint = paintFor(process.stdout, process.env);

/** The workbook's folder. */
export const root: string = path.resolve(import.meta.dirname, '../..');

/** Runs a command as this process: what it returns or throws becomes the exit code. */
export async function main(command: () => Promise<void>): Promise<void> {
  // The reader of what we print may have read enough: `npm start | head`.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
  });
  process.exitCode = await exitCodeOf(command, terminal);
}
