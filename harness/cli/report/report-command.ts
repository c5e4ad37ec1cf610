import path from 'node:path';
import { writeWhole } from '../../workbook/whole-file.ts';
import type { Paint } from '../colours.ts';
import { Failure, type Terminal } from '../failure.ts';
import { asksForHelp } from '../help.ts';
import { findKata, readKatas } from '../katas.ts';
import type { Stops } from '../stops.ts';
import { junitOf } from './junit.ts';
import { type KataReport, type Report, reportOf } from './report.ts';
import { type PrintOptions, REPORT_USAGE, reportOptions } from './report-options.ts';
import { type RoomContext, runRoom } from './room-command.ts';
import { sendReport } from './send.ts';

/** The surroundings of `npm run kata -- report`. */
interface ReportContext extends Pick<RoomContext, 'size' | 'write'> {
  /** The workbook's folder. */
  readonly root: string;
  /** The folder that relative paths refer to. */
  readonly cwd: string;
  readonly terminal: Terminal;
  readonly paint: Paint;
  readonly stops: Stops;
  /** Returns the time, in ms since 1970. */
  readonly nowMs: () => number;
}

/**
 * Runs `npm run kata -- report`.
 *
 * @param words the options, as typed
 * @returns the exit code: 1 if a required kata is not done
 * @throws Failure when an option is wrong, a file cannot be written, or a room cannot be reached or opened
 */
export async function runReport(words: readonly string[], context: ReportContext): Promise<number> {
  const { root, cwd, terminal, nowMs } = context;
  if (asksForHelp(words)) {
    for (const line of REPORT_USAGE) terminal.print(line);
    return 0;
  }
  const options = reportOptions(words);
  if (options.kind === 'print') return printReport(options, context);
  const ending = endOf(context.stops);
  if (options.kind === 'send') {
    await sendReport(options, { root, terminal, fetch, nowMs, ...ending });
    return 0;
  }
  const folders = options.folders.map((folder) => path.resolve(cwd, folder));
  await runRoom({ ...options, folders }, { ...context, ...ending });
  return 0;
}

function printReport(
  { format, out, require }: PrintOptions,
  { root, cwd, terminal, nowMs }: ReportContext,
): number {
  const required = require.map((meant) => findKata(readKatas(root), meant).id);
  const report = reportOf(root, nowMs());
  if (format !== undefined) {
    const text = format === 'junit' ? junitOf(report) : `${JSON.stringify(report, undefined, 2)}\n`;
    if (out === undefined) terminal.print(text.trimEnd());
    else write(text, out, cwd);
  }
  const open = unmet(report, required);
  for (const line of open) terminal.complain(line);
  if (format === undefined && open.length === 0) terminal.print(`${required.join(', ')}: done.`);
  return open.length > 0 ? 1 : 0;
}

/** @throws Failure when the file cannot be written */
function write(text: string, out: string, cwd: string): void {
  try {
    writeWhole(path.resolve(cwd, out), text);
  } catch (error) {
    throw new Failure(`write ${out}`, (error as Error).message, 'Name a file that you can write.');
  }
}

/** Returns a sentence for each required kata that is not done. */
function unmet({ katas }: Report, required: readonly string[]): readonly string[] {
  const met = ({ state, stale }: KataReport): boolean => state === 'done' && !stale;
  return katas
    .filter((kata) => required.includes(kata.id) && !met(kata))
    .map(({ id, text, stale }) =>
      stale
        ? `${id} has changed since its last run (${text}). Run npx vitest run katas/${id} first.`
        : `${id} is not done: ${text}.`,
    );
}

/** Returns waits that end early when the user asks the command to end. */
function endOf(stops: Stops): Pick<RoomContext, 'sleep' | 'isOver'> {
  let over = false;
  const stopped = stops.next().then(() => {
    over = true;
  });
  return {
    isOver: () => over,
    sleep: async (ms) => {
      let timer: NodeJS.Timeout | undefined;
      const passed = new Promise<void>((resolve) => {
        timer = setTimeout(resolve, ms);
      });
      await Promise.race([passed, stopped]);
      clearTimeout(timer);
    },
  };
}
