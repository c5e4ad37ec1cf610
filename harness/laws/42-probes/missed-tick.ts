import { type Guess, type Subject, tick, type View } from './guess.ts';
import { sayKey } from './history.ts';
import type { Refusal } from './outcome.ts';

/** The moment of a tick that was due. */
interface DueTick {
  /** The status that the worker sees. */
  readonly view: View;
  /** In ms since 1970. */
  readonly atMs: number;
  /** The law about the times of its ticks. */
  readonly timeLaw: 'spreads' | 'punctual';
}

/** Names the law that a worker breaks whose tick was due and had no effect, and the effect that was expected. */
export function missedTick(subject: Subject, guess: Guess, { view, atMs, timeLaw }: DueTick): Refusal {
  const name = sayKey(subject.key);
  const [{ guess: after, reason } = { guess }] = tick(subject, guess, view, atMs);
  if (reason === 'does not run') {
    const message = `${name}: its container is not running, but the worker did not set the result Failure`;
    return { law: 'gone', message };
  }
  const isNew = after.containerID !== guess.containerID;
  if (reason) {
    const message = `${name}: the worker saw a new container, but did not set its initial result ${after.owes.at(-1)} and call onUpdate`;
    return { law: after.lives > 1 ? 'fresh' : 'begins', message };
  }
  if (guess.fromMs !== guess.toMs)
    return { law: 'spreads', message: `${name}: no probe ran within its first period` };
  const law = after.lives > 1 && (isNew || guess.lastResult === undefined) ? 'fresh' : timeLaw;
  return { law, message: `${name}: no probe ran, although its tick is due` };
}
