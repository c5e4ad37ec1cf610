import type { Clock } from '../../sim/index.ts';
import type { Action, Recipe } from '../protocol/recipe.ts';
import type { Frame, PlayState } from '../protocol/run-service.ts';
import type { ObserveCluster } from '../view/index.ts';
import { Pace } from './pace.ts';
import type { Implementations } from './parts.ts';
import { Run } from './run.ts';
import { type KnownNews, type Shown, UnsentNews } from './unsent-news.ts';

/** Options of a {@link Player}. */
export interface PlayerOptions {
  readonly implementations: Implementations;
  readonly observe: ObserveCluster;
  /** The real clock. */
  readonly clock: Clock;
  /** Called with the news of the run, at most once per painted frame. */
  readonly onFrame: (frame: Frame) => void;
}

/** The longest time to work before calls are handled, in real ms. A painted frame takes 16 ms. */
const WORK_MS_MAX = 12;
/** The shortest time between two frames, and between two views of a cluster that plays, in real ms. */
const FRAME_MS = 16;
const VIEW_MS = 100;
/** The limit of the virtual time that an action takes in a paused run, in ms. */
const ACTION_MS_MAX = 1_000;
/** The longest virtual time of one step, in ms. */
const STEP_MS_MAX = 600_000;

const noNews = { endMs: 0, messages: [], moments: [], output: [] } as const;

/**
 * Plays a recipe in step with a real clock: plays, pauses, steps, and goes back by running the recipe again. All times
 * are virtual ms since the cluster stood.
 *
 * It handles one call at a time, between two tasks of the run. A call that changes the run first finishes the present
 * instant. So the run is the same at whatever real time the call came.
 */
export class Player {
  readonly #options: PlayerOptions;
  #shown: Shown | undefined;
  #pace: Pace | undefined;
  #state: PlayState = 'starting';
  readonly #calls: (() => Promise<void>)[] = [];
  #wake: () => void = () => {};
  /** A run that stands at its beginning, for the next way back. */
  #spare: { readonly head: string; readonly run: Promise<Run> } | undefined;
  /** Counts calls of {@link seek}: a newer one ends an older one. */
  #seeks = 0;
  /** The time that a {@link seek} goes to. */
  #targetMs: number | undefined;
  readonly #news = new UnsentNews();
  /** The run before the last action dropped its future. */
  #undone:
    | (Pick<Recipe, 'actions'> & {
        readonly head: Run['head'];
        readonly nowMs: number;
        readonly news: KnownNews;
      })
    | undefined;
  #progress: number | undefined;
  #error: string | undefined;
  #framedMs = 0;
  #viewedMs = 0;

  constructor(options: PlayerOptions) {
    this.#options = options;
    void this.#loop();
  }

  /** Ends the present run, and runs a recipe from its beginning to a time. @param toMs @defaultValue its last action */
  open({ actions, ...head }: Recipe, toMs = actions.at(-1)?.atMs ?? 0): Promise<void> {
    return this.#call(async () => {
      this.#undone = undefined;
      this.#news.forget();
      await this.#begin(head, actions);
      await this.#go(toMs, ++this.#seeks);
    });
  }

  /** Lets time pass. @param speed virtual seconds per real second */
  play(speed: number): Promise<void> {
    return this.#call(async () => {
      const { run } = this.#present();
      this.#pace = new Pace(this.#options.clock, { virtualMs: run.nowMs, speed });
      this.#state = 'playing';
    });
  }

  pause(): Promise<void> {
    return this.#call(async () => this.#pauseNow());
  }

  /** Runs to the next message that is not background, and pauses. */
  step(): Promise<void> {
    return this.#call(async () => {
      const { run } = this.#present();
      this.#pauseNow();
      await run.advance(run.nowMs + STEP_MS_MAX, () => this.#hasNews());
    });
  }

  /** Goes to a time: forward, or back by running the recipe again. A newer call ends an older one where it is. */
  seek(toMs: number): Promise<void> {
    const seek = ++this.#seeks;
    return this.#call(async () => {
      if (seek !== this.#seeks) return;
      this.#pauseNow();
      const { run } = this.#present();
      this.#targetMs = toMs;
      if (toMs < run.nowMs) await this.#begin(run.head, run.recipe.actions);
      await this.#go(Math.max(0, Math.floor(toMs)), seek);
    });
  }

  /** Acts now. A paused run advances until the action has ended, at most by {@link ACTION_MS_MAX}. */
  act(action: Action): Promise<number> {
    return this.#call(async () => {
      const { run } = this.#present();
      const actions = [...run.recipe.actions];
      const { number, ended } = await run.act(action);
      this.#hasNews();
      const news = this.#news.act(run.nowMs, run.recipe.actions, actions.length - number);
      // The parts of a kata are switched by one action each.
      if (news) this.#undone = { head: run.head, actions, nowMs: run.nowMs, news };
      else if (action.do !== 'use') this.#undone = undefined;
      if (this.#state === 'playing') return number;
      let hasEnded = false;
      void ended.then(() => {
        hasEnded = true;
      });
      await run.advance(run.nowMs + ACTION_MS_MAX, () => hasEnded);
      return number;
    });
  }

  /** Brings back the run of before the last action, if that action has dropped a future. */
  undo(): Promise<void> {
    return this.#call(async () => {
      const before = this.#undone;
      if (!before) throw new Error('Failed to undo: the last action has dropped no later moments.');
      this.#undone = undefined;
      this.#news.restore(before.news);
      await this.#begin(before.head, before.actions);
      await this.#go(before.nowMs, ++this.#seeks);
    });
  }

  /** Reads something of the run that is shown, between two tasks. */
  read<T>(reader: (shown: Shown) => T | Promise<T>): Promise<T> {
    return this.#inTurn(async () => reader(this.#present()));
  }

  /** Whether the simulation has failed, so that only another recipe helps, or a way back. */
  get isBroken(): boolean {
    return this.#state === 'broken';
  }

  #present(): Shown {
    if (this.#shown) return this.#shown;
    throw new Error('Failed to reach the cluster: it has not started. Open a recipe first.');
  }

  #pauseNow(): void {
    this.#pace = undefined;
    if (this.#state === 'playing') this.#state = 'paused';
  }

  /** Handles a call that changes what the page shows: the page has the news before the call resolves. */
  #call<T>(work: () => Promise<T>): Promise<T> {
    return this.#inTurn(() => work().finally(() => this.#frame(true)));
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      this.#calls.push(() => work().then(resolve, reject));
      this.#wake();
    });
  }

  async #loop(): Promise<void> {
    for (;;) {
      await this.#calls.shift()?.();
      if (this.#state === 'playing') await this.#play();
      this.#frame(false);
      if (this.#calls.length === 0) await this.#idle();
    }
  }

  async #play(): Promise<void> {
    const { run } = this.#present();
    const pace = this.#pace as Pace;
    const isTired = this.#tiring();
    try {
      await run.advance(pace.dueMs(run.nowMs), isTired);
    } catch (error) {
      this.#breakDown(error);
    }
  }

  /** Waits until a task is due, a frame is due, or a call comes. */
  #idle(): Promise<void> {
    const { clock } = this.#options;
    const run = this.#shown?.run;
    const waitMs =
      this.#state === 'playing' && run && this.#pace
        ? Math.min(VIEW_MS, this.#pace.realMsUntil(run.nextMs))
        : Number.POSITIVE_INFINITY;
    // A worker that never rests handles no calls.
    return new Promise((resolve) => {
      const cancel =
        waitMs === Number.POSITIVE_INFINITY ? () => {} : clock.after(Math.max(0, waitMs), resolve);
      this.#wake = () => {
        cancel();
        resolve();
      };
    });
  }

  async #begin(head: Run['head'], actions: Recipe['actions']): Promise<void> {
    this.#state = this.#shown ? 'seeking' : 'starting';
    this.#error = undefined;
    const before = this.#shown;
    const run = await this.#runOf(head);
    before?.observer[Symbol.dispose]();
    await before?.run[Symbol.asyncDispose]();
    run.expect(actions);
    const observer = this.#options.observe(run.cluster, {
      zeroMs: run.stoodMs,
      ownerOf: (part) => run.parts.ownerOf(part),
      describe: (resource, key) => run.describe(resource, key),
      requests: run.requests,
    });
    this.#shown = { run, observer };
    this.#news.begin(actions);
  }

  /** Returns a run at its beginning: the spare one, or a new one. */
  async #runOf(head: Run['head']): Promise<Run> {
    const spare = this.#spare;
    this.#spare = undefined;
    if (spare?.head === JSON.stringify(head)) return spare.run;
    const isTired = this.#tiring();
    return Run.begin(head, this.#options.implementations, {
      onProgress: (share) => {
        this.#progress = share;
        if (isTired()) this.#frame(false);
      },
    });
  }

  /** Runs to a time, unless a newer {@link seek} comes. */
  async #go(toMs: number, seek: number): Promise<void> {
    const { run } = this.#present();
    const fromMs = run.nowMs;
    this.#state = 'seeking';
    this.#targetMs = toMs;
    try {
      while (run.nowMs < toMs && seek === this.#seeks) {
        await run.advance(toMs, this.#tiring());
        this.#progress = (run.nowMs - fromMs) / (toMs - fromMs);
        this.#frame(false);
      }
      // The actions of this very instant.
      if (seek === this.#seeks) await run.advance(toMs);
      this.#state = 'paused';
    } catch (error) {
      this.#breakDown(error);
    }
    this.#progress = undefined;
    this.#targetMs = undefined;
    this.#spare ??= this.#prepare(run);
  }

  /** Begins a spare run. A user who has gone back once may go back again, and the run is paused then. */
  #prepare({ head }: Run): { readonly head: string; readonly run: Promise<Run> } | undefined {
    if (this.#seeks < 2) return undefined;
    return { head: JSON.stringify(head), run: Run.begin(head, this.#options.implementations) };
  }

  #tiring(): () => boolean {
    const { clock } = this.#options;
    const endMs = clock.now() + WORK_MS_MAX;
    return () => clock.now() >= endMs;
  }

  #breakDown(error: unknown): void {
    this.#pauseNow();
    this.#state = 'broken';
    this.#error = error instanceof Error ? error.message : String(error);
  }

  #hasNews(): boolean {
    return this.#news.gather(this.#present()).some(({ isBackground }) => !isBackground);
  }

  /** Sends the news, if there are any and a frame is due. @param isDue whether to send them at once */
  #frame(isDue: boolean): void {
    const { clock, onFrame } = this.#options;
    const nowMs = clock.now();
    if (!isDue && nowMs - this.#framedMs < FRAME_MS) return;
    this.#framedMs = nowMs;
    const shown = this.#shown;
    if (shown) this.#hasNews();
    const isViewDue = this.#state !== 'playing' || nowMs - this.#viewedMs >= VIEW_MS;
    if (isViewDue) this.#viewedMs = nowMs;
    onFrame({
      nowMs: this.#targetMs ?? shown?.run.nowMs ?? 0,
      state: this.#state,
      speed: this.#pace?.reachedSpeed(shown?.run.nowMs ?? 0) ?? 0,
      ...(this.#progress !== undefined && { progress: this.#progress }),
      ...(this.#error !== undefined && { error: this.#error }),
      ...(shown ? this.#news.take(shown, isViewDue) : noNews),
    });
  }
}
