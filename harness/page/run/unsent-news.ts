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

  /** The user has acted at this time: the future that was known is none any more. */
  act(atMs: number, actions: readonly TimedAction[]): void {
    this.#actions = actions;
    this.#endMs = atMs;
    this.#known = this.#known.slice(0, this.#had);
  }

  /** Forgets everything: another recipe begins. */
  forget(): void {
    this.#known = [];
    this.#endMs = 0;
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
    };
    this.#sentOutput = run.output.length;
    this.#messages = [];
    this.#moments = [];
    this.#actions = undefined;
    this.#isReset = false;
    return news;
  }
}
