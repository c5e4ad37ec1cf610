import type { SequenceDiagram } from '../../drawing/sequence/sequence-diagram.ts';
import type { Details, RequestLine, Subject } from './details.ts';
import type { Message, Moment } from './message.ts';
import type { OwnFile, OwnKata } from './own.ts';
import type { Action, Recipe } from './recipe.ts';
import type { ClusterView, Owner } from './view.ts';

/**
 * The run behind the page, in the worker. All times are virtual ms since the cluster stood.
 *
 * A call that changes the run waits for the calls before it. Observing ({@link inspect}, {@link sequence}, …) never
 * changes a run.
 */
export interface RunService {
  /** Sets the listener of frames. */
  onFrame(listener: (frame: Frame) => void): void;
  /**
   * Ends the present run, and runs a recipe from its beginning to this time, paused.
   *
   * @param toMs @defaultValue the time of the last action
   */
  open(recipe: Recipe, toMs?: number): Promise<void>;
  /** Lets time pass. @param speed virtual seconds per real second, 1/100 to 1,000 */
  play(speed: number): Promise<void>;
  pause(): Promise<void>;
  /** Runs to the next message that is not background, and pauses. */
  step(): Promise<void>;
  /**
   * Goes to a time: forward, or back by running the recipe again. Later actions stay in the recipe, and happen again when
   * their time comes, until the user acts: a new action drops them.
   */
  seek(toMs: number): Promise<void>;
  /**
   * Acts now. A paused run advances until the action has ended, at most by a second of virtual time.
   *
   * @returns the number of the action: its output arrives in frames
   * @throws Error when the action is impossible, such as a fault of a process that does not exist
   */
  act(action: Action): Promise<number>;
  /**
   * Brings back the run as it was before the last action dropped its future: its recipe, and its time.
   *
   * @throws Error when the last action has dropped nothing
   */
  undo(): Promise<void>;
  /** Returns the number of the message that is the packet of a request action; undefined for any other action. */
  packetOf(action: number): Promise<number | undefined>;
  /** Runs a command that only reads, and returns its output. @throws Error for a command that writes */
  read(line: string): Promise<ReadOutput>;
  /** Returns whether a line only reads. */
  onlyReads(line: string): Promise<boolean>;
  /** Completions of the last word of a line of the prompt. */
  complete(line: string): Promise<readonly string[]>;
  /** Looks into something. Undefined if it does not exist and never did. */
  inspect(subject: Subject): Promise<Details | undefined>;
  /**
   * "What happened here": the acts of the components around a moment, in sentences, oldest first; the last ones before
   * it if there are none around it.
   */
  around(atMs: number): Promise<readonly Happening[]>;
  /** The sequence diagram of an apply, or of a stretch of time. */
  sequence(options: SequenceOptions): Promise<SequenceDiagram>;
  /** The run as a scenario in TypeScript. */
  asTest(): Promise<string>;
  recipe(): Promise<Recipe>;
  /** The hash of the trace up to now. */
  hash(): Promise<string>;
  /** Offers the learner's files. They are loaded when they are used first. */
  offer(files: readonly OwnFile[]): Promise<void>;
  /** Returns the katas whose parts can be switched; none in a static site. */
  ownKatas(): Promise<readonly OwnKata[]>;
  /**
   * Switches the parts of a kata between the reference and the learner's file, in the running cluster.
   *
   * @throws Error when the file cannot be loaded: then nothing changes
   */
  use(kata: string, owner: Owner): Promise<void>;
  /**
   * Loads a saved file again. If the cluster runs it, its parts are replaced in place, and the processes that use them
   * restart. If the version before broke the run, the run begins again with the new one.
   *
   * @throws Error when it cannot be loaded: then the version before stays
   */
  reload(file: OwnFile): Promise<void>;
}

/** The first message of the worker: from now on it hears calls. */
export const READY = 'ready';

/** How a run treats the time. `broken`: its simulation has failed, and only another seek or recipe helps. */
export type PlayState = 'starting' | 'playing' | 'paused' | 'seeking' | 'broken';

/** News of a run. Sent at most once per painted frame. */
export interface Frame {
  /** The present. During a seek: the time that it goes to. */
  readonly nowMs: number;
  /**
   * The end of the time line: the latest time that this recipe has reached. If an action drops the future, the end moves
   * back.
   */
  readonly endMs: number;
  readonly state: PlayState;
  /** Virtual seconds per real second that the machine reaches; less than requested if it is too slow. */
  readonly speed: number;
  /** The share of the way of a seek or a start, 0 to 1. */
  readonly progress?: number;
  /** Present if it changed. */
  readonly view?: ClusterView;
  /** The messages since the last frame, oldest first. After a seek back they start again: see {@link reset}. */
  readonly messages: readonly Message[];
  /** The moments since the last frame. */
  readonly moments: readonly Moment[];
  /** Output of commands since the last frame. */
  readonly output: readonly CommandOutput[];
  /** The actions of the recipe that have been dropped or added, as the whole list; present if it changed. */
  readonly actions?: Recipe['actions'];
  /**
   * Number of later moments and actions that the last action has dropped: {@link RunService.undo} brings them back. 0 if
   * it has dropped none. Present if it changed.
   */
  readonly dropped?: number;
  /** The time of an action that has dropped the future: the page forgets the moments after it that it had before. */
  readonly droppedFromMs?: number;
  /** Whether the page must forget all messages, moments and outputs that it has: the run began again. */
  readonly reset?: boolean;
  /** The error of a run that cannot go on. */
  readonly error?: string;
}

/** The output of a command that only reads. */
export interface ReadOutput {
  readonly output: string;
  readonly exitCode: number;
  /** The time of the run that it shows. */
  readonly atMs: number;
  /** Its requests, oldest first. */
  readonly requests: readonly RequestLine[];
}

/** Output of a command or a request. */
export interface CommandOutput {
  /** The number of the action. */
  readonly action: number;
  readonly text: string;
  readonly isError: boolean;
  /** Set once, when the command has ended. */
  readonly exitCode?: number;
  /** Its requests, once a command has ended; with those of other commands at the same time. */
  readonly requests?: readonly RequestLine[];
  /** Whether the command reads further lines of input. */
  readonly isInteractive?: boolean;
}

/** One sentence about a run. */
export interface Happening {
  readonly atMs: number;
  /** The process or user. */
  readonly who: string;
  readonly text: string;
  readonly message?: number;
  /** Whether it happened before the moment in question, and nothing happened around it. */
  readonly isBefore?: boolean;
}

/** Options of {@link RunService.sequence}. */
export interface SequenceOptions {
  readonly fromMs: number;
  readonly toMs: number;
  /** One pod, `namespace/name`. @defaultValue all, folded */
  readonly pod?: string;
}
