import type { RequestLine } from '../../protocol/details.ts';
import type { Action, TimedAction } from '../../protocol/recipe.ts';
import type { CommandOutput } from '../../protocol/run-service.ts';
import { sayAction } from '../../share/say-action.ts';

/** A piece of output. */
export interface Piece {
  readonly text: string;
  readonly isError: boolean;
}

/** Something that the user did, and its output. */
export interface Entry {
  /** Unique in this page. */
  readonly id: number;
  /** A command that was typed, or an action of a menu, in words. */
  readonly kind: 'command' | 'action';
  readonly text: string;
  /** The manifest of a command. */
  readonly manifest?: string;
  /** The position of the action in the recipe; absent for a command that only reads, and for a dropped action. */
  readonly action?: number;
  /** The time of the run that a command which only reads has shown. */
  readonly atMs?: number;
  /** The virtual time that a paused run advanced for the action, in ms. */
  readonly advancedMs?: number;
  /** Present if it stands in a future that a later action has dropped. */
  readonly dropped?: {
    /** The action that dropped it. If an undo takes this action back, the entry is valid again. */
    readonly by: TimedAction | undefined;
    /** Its own action. */
    readonly action?: TimedAction;
  };
  readonly pieces: readonly Piece[];
  readonly state: 'running' | 'ended';
  readonly exitCode?: number;
  /** Its requests to the apiserver. */
  readonly requests?: readonly RequestLine[];
  /** Whether it reads further lines. */
  readonly isInteractive: boolean;
}

/** Returns the time of an entry; undefined for commands of the page itself, such as `help`. */
export function timeOf(
  { action, atMs, dropped }: Entry,
  actions: readonly TimedAction[],
): number | undefined {
  return dropped?.action?.atMs ?? (action === undefined ? atMs : actions[action]?.atMs);
}

/** Returns whether an entry shows a time that the run has not reached, after a seek back. */
export function isFuture(entry: Entry, actions: readonly TimedAction[], nowMs: number): boolean {
  return entry.dropped === undefined && (timeOf(entry, actions) ?? 0) > nowMs;
}

/** The longest output of an entry, in characters: older output is dropped. */
const OUTPUT_MAX = 100_000;
/** The most entries: older entries are dropped. */
const ENTRIES_MAX = 200;

/**
 * The text of the prompt: entries, the oldest first. Each change replaces the list, and the entries
 * that change.
 */
export class Transcript {
  #entries: readonly Entry[] = [];
  #nextId = 0;
  #actions: readonly TimedAction[] = [];
  /** The entries whose actions have no number yet, oldest first. */
  #expected: { readonly id: number; readonly action: Action }[] = [];

  get entries(): readonly Entry[] {
    return this.#entries;
  }

  /** Adds an entry that runs. @returns its id */
  begin(entry: Pick<Entry, 'kind' | 'text' | 'manifest' | 'action'>): number {
    const id = this.#nextId++;
    const begun: Entry = { ...entry, id, pieces: [], state: 'running', isInteractive: false };
    this.#entries = [...this.#entries, begun].slice(-ENTRIES_MAX);
    return id;
  }

  /** Notes that an entry waits for the number of its action. Output may come before it. */
  expect(id: number, action: Action): void {
    this.#expected.push({ id, action });
  }

  /** Gives an entry the number of its action, or none if it is impossible. */
  claim(id: number, action: number | undefined): void {
    this.#expected = this.#expected.filter((one) => one.id !== id);
    if (action !== undefined) this.#change(id, (entry) => ({ ...entry, action }));
  }

  /** Appends to an entry. */
  write(id: number, { text, isError }: Piece): void {
    // The terminal of an interactive program ends its lines with CR LF.
    const piece = { text: text.replaceAll('\r', ''), isError };
    this.#change(id, (entry) => ({ ...entry, pieces: appended(entry.pieces, piece) }));
  }

  /** Notes the time of the run that an entry shows, or the time that the run advanced for it. */
  note(id: number, times: Pick<Entry, 'atMs' | 'advancedMs'>): void {
    this.#change(id, (entry) => ({ ...entry, ...times }));
  }

  /** Ends an entry. */
  end(id: number, exitCode?: number, requests?: readonly RequestLine[]): void {
    this.#change(id, (entry) => ({
      ...entry,
      state: 'ended',
      isInteractive: false,
      ...(exitCode !== undefined && { exitCode }),
      ...(requests && { requests }),
    }));
  }

  /** Returns whether an entry has ended. */
  hasEnded(id: number): boolean {
    return this.#entries.find((one) => one.id === id)?.state !== 'running';
  }

  /**
   * Adds output of actions. An action without an entry gets one: it came with the address of the page, or a menu did it.
   */
  take(outputs: readonly CommandOutput[]): void {
    for (const { action, text, isError, exitCode, isInteractive, requests } of outputs) {
      const id = this.#entries.find((one) => one.action === action)?.id ?? this.#foreign(action);
      if (text !== '') this.write(id, { text, isError });
      if (isInteractive !== undefined) this.#change(id, (entry) => ({ ...entry, isInteractive }));
      if (exitCode !== undefined) this.end(id, exitCode, requests);
    }
  }

  /**
   * Replaces the list of actions. Entries of actions that are not in it any more are dropped, and so are reads of their
   * future: they are kept as mere text. If the action that dropped an entry is not in the list any more, the entry is valid
   * again.
   */
  setActions(actions: readonly TimedAction[]): void {
    const before = this.#actions;
    const by = actions.at(-1);
    const isKept = (action: number): boolean =>
      actions[action] !== undefined &&
      (before[action] === undefined || isSameAtTime(actions[action], before[action]));
    const isCut = !before.every((_, action) => isKept(action));
    const isOfPast = ({ atMs = 0 }: Entry): boolean => !isCut || atMs <= (by?.atMs ?? 0);
    const isBack = ({ dropped }: Entry): boolean =>
      dropped?.by !== undefined && !actions.some((one) => isSameAtTime(one, dropped.by as TimedAction));
    this.#entries = this.#entries.map((entry) => {
      if (entry.dropped) return isBack(entry) ? restored(entry, actions) : entry;
      if (entry.action === undefined ? isOfPast(entry) : isKept(entry.action)) return entry;
      const { action, ...rest } = entry;
      const own = action === undefined ? undefined : before[action];
      return { ...rest, state: 'ended', isInteractive: false, dropped: { by, ...(own && { action: own }) } };
    });
    this.#actions = actions;
  }

  /** Forgets the output of actions: the run began again, and their output comes again. */
  restart(): void {
    this.#entries = this.#entries.map((entry) => {
      if (entry.action === undefined) return entry;
      const { exitCode, advancedMs, requests, ...rest } = entry;
      return { ...rest, pieces: [], state: 'running', isInteractive: false };
    });
  }

  /** Removes all entries that have ended. */
  clear(): void {
    this.#entries = this.#entries.filter(({ state }) => state === 'running');
  }

  #foreign(number: number): number {
    const action = this.#actions[number];
    const expected = this.#expected.find((one) => action === undefined || isSame(one.action, action));
    if (expected) {
      this.claim(expected.id, number);
      return expected.id;
    }
    return this.begin({
      kind: action === undefined || action.do === 'kubectl' ? 'command' : 'action',
      text: action ? sayAction(action, this.#actions) : `#${number}`,
      ...(action?.do === 'kubectl' && action.manifest !== undefined && { manifest: action.manifest }),
      action: number,
    });
  }

  #change(id: number, change: (entry: Entry) => Entry): void {
    this.#entries = this.#entries.map((entry) => (entry.id === id ? change(entry) : entry));
  }
}

/** Returns a dropped entry as one that is valid again. Its action has its number in this list. */
function restored({ dropped, ...entry }: Entry, actions: readonly TimedAction[]): Entry {
  const own = dropped?.action;
  const action = own ? actions.findIndex((one) => isSameAtTime(one, own)) : -1;
  return action < 0 ? entry : { ...entry, action };
}

/** Appends a piece, merged with the last one if both are errors or none is. */
function appended(pieces: readonly Piece[], piece: Piece): readonly Piece[] {
  const last = pieces.at(-1);
  const isMerged = last !== undefined && last.isError === piece.isError;
  const all = isMerged
    ? [...pieces.slice(0, -1), { ...piece, text: last.text + piece.text }]
    : [...pieces, piece];
  const length = all.reduce((sum, { text }) => sum + text.length, 0);
  const [first, ...others] = all;
  if (first === undefined || length <= OUTPUT_MAX) return all;
  const cut = Math.min(first.text.length, length - OUTPUT_MAX);
  return [...(cut < first.text.length ? [{ ...first, text: first.text.slice(cut) }] : []), ...others];
}

function isSameAtTime(a: TimedAction, b: TimedAction): boolean {
  return a.atMs === b.atMs && isSame(a, b);
}

/** Returns whether two actions are the same but for their time. */
function isSame(a: Action, b: Action): boolean {
  const text = (action: Action): string => JSON.stringify({ ...action, atMs: undefined }, sorted);
  return a === b || text(a) === text(b);
}

/** Sorts the fields of an object: a message between threads may change their order. */
function sorted(_: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
}
