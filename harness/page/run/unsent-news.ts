import type { Message, Moment } from '../protocol/message.ts';
import type { TimedAction } from '../protocol/recipe.ts';
import type { Frame } from '../protocol/run-service.ts';
import type { ClusterView } from '../protocol/view.ts';
import type { ClusterObserver } from '../view/index.ts';
import type { Run } from './run.ts';

/** The run that is shown, and its observer. */
export interface Shown {
  readonly run: Run;
  readonly observer: ClusterObserver;
}

/** The moments of a recipe that are known, of the past and of the future, and the end of its time line. */
export interface KnownNews {
  readonly known: readonly Moment[];
  readonly endMs: number;
}

/** The number of messages that a frame carries at most: a page that shows more shows nothing. */
const MESSAGES_MAX = 2_000;

/**
 * The news of a run that the page does not have yet. A run that begins again goes through known times first: their
 * moments are not news, because the same recipe has the same moments.
 */
export class UnsentNews {
  #messages: Message[] = [];
  #moments: Moment[] = [];
  /** All moments of the recipe that are known, of the past and of the future. */
  #known: Moment[] = [];
  /** Number of moments that the present run has had. */
  #had = 0;
  #endMs = 0;
  #isReset = false;
  #actions: readonly TimedAction[] | undefined;
  /** Number of moments and actions that the last action dropped. */
  #dropped = 0;
  #unsentDropped: number | undefined;
  #droppedFromMs: number | undefined;
  #sentOutput = 0;
  #sentView: ClusterView | undefined;

  /** A run begins, perhaps again. */
  begin(actions: readonly TimedAction[]): void {
    this.#messages = [];
    this.#moments = [...this.#known];
    this.#had = 0;
    this.#isReset = true;
    this.#actions = actions;
    this.#sentOutput = 0;
    this.#sentView = undefined;
  }

  /**
   * The user has acted at this time: the future that was known is none any more.
   *
   * @param dropped number of later actions that are none any more
   * @returns what was known, for {@link restore}; undefined if this drops nothing
   */
  act(atMs: number, actions: readonly TimedAction[], dropped: number): KnownNews | undefined {
    const before = { known: this.#known, endMs: this.#endMs };
    const later = Math.max(0, this.#known.length - this.#had) + dropped;
    this.#actions = actions;
    this.#endMs = atMs;
    this.#known = this.#known.slice(0, this.#had);
    this.#setDropped(later);
    this.#droppedFromMs = atMs;
    return later > 0 ? before : undefined;
  }

  /** Takes back that a future was dropped. The run must begin again. */
  restore({ known, endMs }: KnownNews): void {
    this.#known = [...known];
    this.#endMs = endMs;
    this.#setDropped(0);
  }

  /** Forgets everything: another recipe begins. */
  forget(): void {
    this.restore({ known: [], endMs: 0 });
  }

  #setDropped(count: number): void {
    if (count !== this.#dropped) this.#unsentDropped = count;
    this.#dropped = count;
  }

  /** Adds what has happened since the last call. @returns the messages */
  gather({ observer }: Shown): readonly Message[] {
    const messages = observer.newMessages();
    this.#messages.push(...messages);
    for (const moment of observer.newMoments()) {
      if (this.#had++ < this.#known.length) continue;
      this.#known.push(moment);
      this.#moments.push(moment);
    }
    return messages;
  }

  /** Returns the news for a frame. */
  take(
    { run, observer }: Shown,
    isViewDue: boolean,
  ): Pick<Frame, 'messages' | 'moments' | 'output' | 'endMs'> & Partial<Frame> {
    this.#endMs = Math.max(this.#endMs, run.nowMs);
    const view = isViewDue ? observer.view() : undefined;
    const isNew = view !== undefined && view !== this.#sentView;
    this.#sentView = view ?? this.#sentView;
    const news = {
      endMs: this.#endMs,
      messages: this.#messages.slice(-MESSAGES_MAX),
      moments: this.#moments,
      output: run.output.slice(this.#sentOutput),
      ...(isNew && { view }),
      ...(this.#actions && { actions: this.#actions }),
      ...(this.#isReset && { reset: true }),
      ...(this.#unsentDropped !== undefined && { dropped: this.#unsentDropped }),
      ...(this.#droppedFromMs !== undefined && { droppedFromMs: this.#droppedFromMs }),
    };
    this.#sentOutput = run.output.length;
    this.#messages = [];
    this.#moments = [];
    this.#actions = undefined;
    this.#isReset = false;
    this.#unsentDropped = undefined;
    this.#droppedFromMs = undefined;
    return news;
  }
}
