import path from 'node:path';
import type { Paint } from './colours.ts';
import { exitCodeOf, type Terminal } from './failure.ts';
import { paintFor } from './terminal-colours.ts';

/** The terminal that this process runs in. */
export const terminal: Terminal = {
  print: (line) => void process.stdout.write(`${line}\n`),
  complain: (line) => void process.stderr.write(`${line}\n`),
};

/** Colours for stdout. */
export const paint: Paint = paintFor(process.stdout, process.env);

/** The workbook's folder. */
export const root: string = path.resolve(import.meta.dirname, '../..');

/** Runs a command as this process, and sets the exit code from its result. */
export async function main(command: () => Promise<void>): Promise<void> {
  for (const stream of [process.stdout, process.stderr]) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      // The reader of a pipe may close it early: `npm start | head`. EIO: the terminal was closed.
      if (error.code !== 'EPIPE' && error.code !== 'EIO') throw error;
    });
  }
  process.exitCode = await exitCodeOf(command, terminal);
}
