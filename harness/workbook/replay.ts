/**
 * A failing law as lanes over time: two runs of its smallest failing scenario, with the learner's code and with the
 * reference. The entries are the history that the law judged.
 */
export interface Replay {
  /** `23-replicaset` */
  readonly kata: string;
  readonly law: ReplayedLaw;
  /** Describes the violation. Its first line is a sentence; the others give reasons. */
  readonly violation: string;
  /** The smallest failing input, one line a step; absent if the test generates none. */
  readonly scenario?: string;
  /** `time`: entries have virtual times. `order`: they are calls of pure functions, which take no time. */
  readonly axis: 'time' | 'order';
  /** The lanes of both runs: faults, then the learner's, then the others in order of appearance. */
  readonly lanes: readonly ReplayLane[];
  /** Contains the violation. No other entry if the learner's code failed before the law could judge a history. */
  readonly mine: readonly ReplayEntry[];
  /** Empty if the reference's run could not be made. */
  readonly reference: readonly ReplayEntry[];
  /** Where the runs part; absent if they do the same as far as a reader can see. */
  readonly parting?: ReplayParting;
}

/** The law or the end-to-end test that failed. */
interface ReplayedLaw {
  /** The full name of the test. */
  readonly test: string;
  /** `Never too many` */
  readonly name: string;
  /** The sentence after the name; empty if the test has only a name. */
  readonly statement: string;
}

/** The row of one actor. */
export interface ReplayLane {
  /** As in the timeline: `replicaset-controller`. */
  readonly actor: string;
  /** `learner`: the code of the kata acts or answers here, also in the run of the reference. */
  readonly role: 'faults' | 'learner' | 'environment';
}

/**
 * - `request`: a request to the API server with its outcome.
 * - `call`: any other act or answer of an actor.
 * - `event`: a watch event that the actor receives, or an event that it emits.
 * - `fault`: a fault that the nemesis injects, or its effect.
 * - `log`: a log line or an explanation.
 * - `error`: a request or call that failed.
 * - `violation`: the violation of the law.
 */
export type ReplayKind = 'request' | 'call' | 'event' | 'fault' | 'log' | 'error' | 'violation';

/** One event of a run. */
export interface ReplayEntry {
  /** Virtual ms since the run began; absent on the axis `order`. */
  readonly atMs?: number;
  /** The lane; empty for the violation, which concerns all of them. */
  readonly actor: string;
  readonly kind: ReplayKind;
  /** `create pods/default/web-…` */
  readonly text: string;
  /** The outcome or the returned value: `ok · revision 9`. */
  readonly answer?: string;
  /** The end of a fault that lasts, in virtual ms. */
  readonly untilMs?: number;
}

/** The first entries that differ. */
export interface ReplayParting {
  /**
   * - `act`: the code does something else, or only one of both does something.
   * - `outcome`: the same act has another outcome or answer.
   * - `time`: the same act happens at another time.
   * - `content`: the entries are equal, because a history shows no contents. The law found the difference inside.
   */
  readonly by: 'act' | 'outcome' | 'time' | 'content';
  readonly actor: string;
  /** Index in {@link Replay.mine}; absent if the learner's code does nothing more there. */
  readonly mine?: number;
  /** Index in {@link Replay.reference}; absent if the reference does nothing more there. */
  readonly reference?: number;
}

/** The answer of the command that makes replays: a replay, or a sentence that explains the next step. */
export type ReplayAnswer = { readonly replay: Replay } | { readonly problem: string };
