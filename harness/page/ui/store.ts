import type { Message, Moment } from '../protocol/message.ts';
import type { Recipe } from '../protocol/recipe.ts';
import type { CommandOutput, Frame } from '../protocol/run-service.ts';
import type { ClusterView } from '../protocol/view.ts';
import { sayAct } from './act/act.ts';
import { keepEqual } from './keep-equal.ts';

/** All that the page knows of the run. A value: each frame makes a new one, and shares the parts that stay. */
export interface RunState {
  readonly nowMs: number;
  readonly endMs: number;
  readonly phase: Frame['state'];
  /** Virtual seconds per real second that the machine reaches. */
  readonly speed: number;
  readonly progress: number | undefined;
  /** Undefined until the cluster stands. */
  readonly view: ClusterView | undefined;
  /** The moments and actions up to now, oldest first. */
  readonly moments: readonly Moment[];
  /** After a seek back: the moments and actions that the same recipe brings again, oldest first. */
  readonly future: readonly Moment[];
  /** The moments that the run has reported, of the past and of the future, oldest first. */
  readonly known: readonly Moment[];
  /** The latest writes, newest first: the tail of the log of revisions. */
  readonly writes: readonly Message[];
  readonly actions: Recipe['actions'];
  /** Number of later moments and actions that the last action has dropped, and that an undo brings back. */
  readonly dropped: number;
  readonly outputs: readonly CommandOutput[];
  readonly error: string | undefined;
}

/** The number of writes that are kept. */
const WRITES_MAX = 12;

export const emptyRun: RunState = {
  nowMs: 0,
  endMs: 0,
  phase: 'starting',
  speed: 1,
  progress: undefined,
  view: undefined,
  moments: [],
  future: [],
  known: [],
  writes: [],
  actions: [],
  dropped: 0,
  outputs: [],
  error: undefined,
};

/** Returns the state after a frame. */
export function advance(before: RunState, frame: Frame): RunState {
  const known = knownAfter(before, frame);
  const actions = frame.actions ?? before.actions;
  return {
    nowMs: frame.nowMs,
    endMs: frame.endMs,
    phase: frame.state,
    speed: frame.speed,
    progress: frame.progress,
    view: frame.view ? keepEqual(before.view, frame.view) : before.view,
    ...split(before, known, actions, frame.nowMs),
    known,
    writes: writesAfter(frame.reset ? [] : before.writes, frame.messages),
    actions,
    dropped: frame.dropped ?? before.dropped,
    outputs: outputsAfter(frame.reset ? [] : before.outputs, frame.output),
    error: frame.error,
  };
}

/** A run that begins again reports all known moments at once. An action in the past makes the page forget the later ones. */
function knownAfter({ known }: RunState, { reset, moments, droppedFromMs }: Frame): readonly Moment[] {
  if (reset) return moments;
  const isForgotten = droppedFromMs !== undefined && (known.at(-1)?.atMs ?? 0) > droppedFromMs;
  const kept = isForgotten ? known.filter(({ atMs }) => atMs <= droppedFromMs) : known;
  return moments.length > 0 ? [...kept, ...moments] : kept;
}

/** Divides moments and actions at the present. Both lists stay the same values while nothing moves from one to the other. */
function split(
  before: RunState,
  known: readonly Moment[],
  actions: Recipe['actions'],
  nowMs: number,
): Pick<RunState, 'moments' | 'future'> {
  const isSame = known === before.known && actions === before.actions;
  const isStill =
    (before.moments.at(-1)?.atMs ?? 0) <= nowMs && (before.future[0]?.atMs ?? nowMs + 1) > nowMs;
  if (isSame && isStill) return { moments: before.moments, future: before.future };
  const acts = actions.map(
    (action): Moment => ({ atMs: action.atMs, kind: 'action', text: sayAct({ action }, actions) }),
  );
  const all = [...acts, ...known].sort((a, b) => a.atMs - b.atMs);
  const count = all.findIndex(({ atMs }) => atMs > nowMs);
  return count < 0
    ? { moments: all, future: [] }
    : { moments: all.slice(0, count), future: all.slice(count) };
}

function writesAfter(before: readonly Message[], messages: readonly Message[]): readonly Message[] {
  const writes = messages.filter(isWrite);
  return writes.length === 0 ? before : [...writes.reverse(), ...before].slice(0, WRITES_MAX);
}

function outputsAfter(
  before: readonly CommandOutput[],
  output: readonly CommandOutput[],
): readonly CommandOutput[] {
  return output.length === 0 ? before : [...before, ...output];
}

/** Whether a message is a request that wrote a revision. Events would hide the writes that they report. */
function isWrite({ kind, verb, object, revision, isFailure, isBackground }: Message): boolean {
  return (
    kind === 'request' &&
    revision !== undefined &&
    !isFailure &&
    !isBackground &&
    !/^(get|list|watch)/.test(verb) &&
    !/^events/.test(object ?? '')
  );
}

/** The run as the page sees it, and its listeners. */
export class RunStore {
  #state: RunState = emptyRun;
  readonly #listeners = new Set<() => void>();
  readonly #messageListeners = new Set<(frame: Frame) => void>();

  get state(): RunState {
    return this.#state;
  }

  /** Takes news from the worker, and notifies all listeners. */
  take(frame: Frame): void {
    this.#state = advance(this.#state, frame);
    if (frame.messages.length > 0 || frame.reset)
      for (const listener of this.#messageListeners) listener(frame);
    for (const listener of this.#listeners) listener();
  }

  /** Calls the listener after each change. @returns a function that ends it */
  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Calls the listener with each frame that has messages, or begins again. @returns a function that ends it */
  onMessages(listener: (frame: Frame) => void): () => void {
    this.#messageListeners.add(listener);
    return () => this.#messageListeners.delete(listener);
  }
}
