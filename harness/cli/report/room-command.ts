import { networkInterfaces } from 'node:os';
import type { Paint } from '../colours.ts';
import { Failure } from '../failure.ts';
import { Folders } from './folders.ts';
import type { RoomOptions } from './report-options.ts';
import { Room, type Row } from './room.ts';
import { roomLines, rowLine } from './room-screen.ts';
import { portOf, serveRoom } from './room-server.ts';

/** The screen of a room, and its time. */
export interface RoomContext {
  readonly paint: Paint;
  /** The terminal to draw on; undefined for plain lines. */
  readonly size: () => { readonly columns: number; readonly lines: number } | undefined;
  /** Writes text to stdout. */
  readonly write: (text: string) => void;
  /** Returns the time, in ms since 1970. */
  readonly nowMs: () => number;
  /** Waits, in ms; resolves early when the user asks the command to end. */
  readonly sleep: (ms: number) => Promise<void>;
  readonly isOver: () => boolean;
}

/** How often the folders are read, and the minutes are drawn again, in ms. */
const LOOK_MS = 2_000;

/** The time for requests between two folders, in ms. */
const BREATH_MS = 20;

/**
 * Shows the participants of a workshop until the user ends it: on a terminal as a screen that is drawn again after each
 * change, otherwise as a line for each change. Serves the same as a page.
 *
 * @param folders absolute
 * @throws Failure when a folder is not a workbook, or the port cannot be used
 */
export async function runRoom({ folders, host, port }: RoomOptions, context: RoomContext): Promise<void> {
  const { nowMs, sleep, isOver } = context;
  const room = new Room();
  const clones = new Folders(folders);
  let addresses = '';
  const title = (): string => titleOf(room.rowsAt(nowMs()), addresses);
  const screen = new Screen(context);
  const draw = (): void => screen.show(title(), room.rowsAt(nowMs()));
  const hosted = { room, nowMs, title, onChange: draw };
  const server = await serveRoom(hosted, { host, port }).catch((error: NodeJS.ErrnoException) => {
    const next =
      error.code === 'EADDRINUSE'
        ? 'Another program uses it: choose another one with --port.'
        : 'Choose another --host or --port.';
    throw new Failure(`open a room on ${host}:${port}`, error.message, next);
  });
  addresses = addressesOf(host, portOf(server)).join(' ');
  try {
    while (!isOver()) {
      await clones.read(room, nowMs, async () => {
        draw();
        await sleep(BREATH_MS);
      });
      draw();
      await sleep(LOOK_MS);
    }
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

/** Draws the rows if they differ from the last drawing. */
class Screen {
  readonly #context: RoomContext;
  #drawn = '';
  #states = new Map<number, string>();

  constructor(context: RoomContext) {
    this.#context = context;
  }

  show(title: string, rows: readonly Row[]): void {
    const { size, write, paint, nowMs } = this.#context;
    const terminal = size();
    if (terminal) {
      const text = roomLines(title, rows, { ...terminal, paint })
        .map((line) => `${line}\u001b[K\n`)
        .join('');
      // Home, the lines, and nothing below them.
      const drawn = `${terminal.columns} ${terminal.lines} ${text}`;
      if (drawn !== this.#drawn) write(`\u001b[H${text}\u001b[J`);
      this.#drawn = drawn;
      return;
    }
    if (this.#drawn === '') write(`${title}\n`);
    this.#drawn = title;
    for (const row of rows) {
      // A change of the minutes alone prints nothing.
      const state = rowLine({ ...row, minutes: 0 });
      if (this.#states.get(row.number) === state) continue;
      this.#states.set(row.number, state);
      write(`${new Date(nowMs()).toISOString().slice(11, 19)}  ${rowLine(row)}\n`);
    }
  }
}

function titleOf(rows: readonly Row[], addresses: string): string {
  const done = rows.filter(({ place }) => place === 'done').length;
  const people = `${rows.length} ${rows.length === 1 ? 'participant' : 'participants'}`;
  return [people, ...(done > 0 ? [`${done} done`] : []), addresses].join(' · ');
}

/** Returns the addresses that participants type. */
function addressesOf(host: string, port: number): readonly string[] {
  const isAny = host === '0.0.0.0' || host === '::';
  const own = Object.values(networkInterfaces()).flatMap((each) => each ?? []);
  const hosts = isAny
    ? own.filter(({ family, internal }) => family === 'IPv4' && !internal).map(({ address }) => address)
    : [host.includes(':') ? `[${host}]` : host];
  return (hosts.length > 0 ? hosts : ['127.0.0.1']).map((each) => `http://${each}:${port}`);
}
