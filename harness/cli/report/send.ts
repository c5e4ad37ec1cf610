import { Failure, type Terminal } from '../failure.ts';
import { fingerprintOf } from './fingerprint.ts';
import { participantOf } from './participant.ts';
import { type GroupReport, type Report, reportOf } from './report.ts';
import type { SendOptions } from './report-options.ts';
import { REPORTS } from './room-server.ts';
import { shownText } from './text.ts';
import type { Upload } from './upload.ts';

/** The means of sending. */
interface SendContext {
  /** The workbook's folder. */
  readonly root: string;
  readonly terminal: Terminal;
  readonly fetch: typeof fetch;
  /** Returns the time, in ms since 1970. */
  readonly nowMs: () => number;
  /** Waits, in ms; rejects or never resolves when the command ends. */
  readonly sleep: (ms: number) => Promise<void>;
  /** Whether the user has asked the command to end. */
  readonly isOver: () => boolean;
}

/** How often the watch looks for a new result, in ms. */
const LOOK_MS = 2_000;

/** How long a room may take to answer, in ms. */
const ANSWER_MS = 15_000;

/**
 * Sends the report of this workbook to a room: once, or with `watch` after each save and each run. While it watches, it
 * survives a room that does not answer: it sends the report again until the room takes it.
 *
 * @throws Failure when the room cannot be reached or rejects the report, without `watch`
 */
export async function sendReport(options: SendOptions, context: SendContext): Promise<void> {
  const { to, name, watch } = options;
  const { root, terminal, nowMs, sleep, isOver } = context;
  const participant = participantOf(root, name);
  const send = (): Promise<void> =>
    post(to, { participant, report: withoutTests(reportOf(root, nowMs())) }, context.fetch);
  if (!watch) {
    await send();
    terminal.print(`Reported to ${to.origin}.`);
    return;
  }
  let sent: string | undefined;
  let failed: string | undefined;
  while (!isOver()) {
    const now = fingerprintOf(root);
    if (now !== sent) {
      try {
        await send();
        if (sent === undefined || failed !== undefined)
          terminal.print(`Reporting to ${to.origin} after each run, until Ctrl-C.`);
        [sent, failed] = [now, undefined];
      } catch (error) {
        if (!(error instanceof Failure)) throw error;
        if (error.message !== failed) terminal.complain(`${error.message} The next try follows.`);
        failed = error.message;
      }
    }
    await sleep(LOOK_MS);
  }
}

/** Leaves out the single tests, because a room shows only their numbers. */
function withoutTests({ katas, ...report }: Report): Report {
  const counts = (groups: readonly GroupReport[]): readonly GroupReport[] =>
    groups.map((group) => ({ ...group, tests: [] }));
  return {
    ...report,
    katas: katas.map((kata) => ({ ...kata, levels: counts(kata.levels), laws: counts(kata.laws) })),
  };
}

/** @throws Failure when the room cannot be reached or rejects the report */
async function post(to: URL, upload: Upload, request: typeof fetch): Promise<void> {
  const what = `report to ${to.origin}`;
  const response = await request(new URL(REPORTS, to), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(upload),
    signal: AbortSignal.timeout(ANSWER_MS),
  }).catch((error: Error & { readonly cause?: { readonly code?: string } }) => {
    const why = error.cause?.code ?? (error.name === 'TimeoutError' ? 'no answer' : error.message);
    throw new Failure(
      what,
      `the room cannot be reached (${why})`,
      "Compare the address with the leader's screen.",
    );
  });
  const text = shownText(await response.text(), 300);
  if (!response.ok)
    throw new Failure(what, `the room answered ${response.status}`, text || 'Is this the address of a room?');
}
