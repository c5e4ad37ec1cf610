import type { Details, Subject } from '../../protocol/details.ts';
import type { RunService } from '../../protocol/run-service.ts';
import { isSameSubject } from './format.ts';

/** The shortest time between two looks into the same subject, in ms of the real clock. */
const LOOK_MS = 250;

/** The answer to a look into a subject. */
export interface Look {
  readonly subject: Subject;
  /** Undefined if the subject does not exist. */
  readonly details?: Details | undefined;
  readonly error?: string;
}

/** The part of a browser that {@link Looks} uses. */
interface RealClock {
  now(): number;
  /** Calls back later. Returns a function that cancels it. */
  after(ms: number, callback: () => void): () => void;
}

/** Dependencies of {@link Looks}. */
interface LooksOptions {
  readonly service: Pick<RunService, 'inspect'>;
  readonly clock: RealClock;
  readonly onLook: (look: Look) => void;
}

/**
 * Looks into a subject again and again while the run moves: at once for another subject, and at most four times a second
 * for the same one. A look that is still on its way delays the next one. The last one comes after the last movement.
 */
export class Looks {
  readonly #options: LooksOptions;
  #subject: Subject | undefined;
  #lookedMs = Number.NEGATIVE_INFINITY;
  #isBusy = false;
  #isStale = false;
  #cancel: (() => void) | undefined;
  #isOver = false;

  constructor(options: LooksOptions) {
    this.#options = options;
  }

  /** The run has moved, or another subject is wanted. */
  want(subject: Subject): void {
    const isOther = !this.#subject || !isSameSubject(subject, this.#subject);
    this.#subject = subject;
    if (isOther) this.#lookedMs = Number.NEGATIVE_INFINITY;
    this.#plan();
  }

  end(): void {
    this.#isOver = true;
    this.#cancel?.();
  }

  #plan(): void {
    if (this.#isBusy) {
      this.#isStale = true;
      return;
    }
    const { clock } = this.#options;
    const waitMs = this.#lookedMs + LOOK_MS - clock.now();
    if (waitMs <= 0) {
      this.#cancel?.();
      this.#cancel = undefined;
      void this.#look();
      return;
    }
    this.#cancel ??= clock.after(waitMs, () => {
      this.#cancel = undefined;
      void this.#look();
    });
  }

  async #look(): Promise<void> {
    const { service, clock, onLook } = this.#options;
    const subject = this.#subject as Subject;
    this.#isBusy = true;
    this.#isStale = false;
    this.#lookedMs = clock.now();
    const look = await answerOf(service, subject);
    this.#isBusy = false;
    if (this.#isOver) return;
    if (this.#subject && isSameSubject(subject, this.#subject)) onLook(look);
    else this.#lookedMs = Number.NEGATIVE_INFINITY;
    if (this.#isStale) this.#plan();
  }
}

async function answerOf(service: Pick<RunService, 'inspect'>, subject: Subject): Promise<Look> {
  try {
    return { subject, details: await service.inspect(subject) };
  } catch (error) {
    return { subject, error: error instanceof Error ? error.message : String(error) };
  }
}
