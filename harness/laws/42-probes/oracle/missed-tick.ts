import { sayKey } from '../history.ts';
import { type Hypothesis, type Subject, tick, type View } from './hypothesis.ts';
import type { Refusal } from './outcome.ts';

/** A tick that was due. */
interface DueTick {
  /** The status that the worker sees. */
  readonly view: View;
  readonly dueMs: number;
  /** In ms since 1970. */
  readonly atMs: number;
  /** The reason why it was due. */
  readonly sayDue: string;
  /** The law about the times of its ticks. */
  readonly timeLaw: 'spreads' | 'punctual';
}

/** Returns the law that a worker violates if a due tick had no effect, and the expected effect. */
export function missedTick(
  subject: Subject,
  hypothesis: Hypothesis,
  { view, dueMs, atMs, sayDue, timeLaw }: DueTick,
): Refusal {
  const name = sayKey(subject.key);
  const [{ hypothesis: after, reason } = { hypothesis }] = tick(subject, hypothesis, view, atMs);
  if (reason === 'does not run') {
    const message = `${name}: its container is not running, but the worker did not set the result Failure`;
    return { law: 'notRunning', message };
  }
  const isNew = after.containerID !== hypothesis.containerID;
  if (reason) {
    const message = `${name}: the tick that is due at ${dueMs} ms meets a new container (${after.containerID}), but the worker did not call onUpdate with its initial result ${after.owes.at(-1)}`;
    return { law: after.runs > 1 ? 'resets' : 'initialResults', message };
  }
  if (hypothesis.fromMs !== hypothesis.toMs)
    return { law: 'spreads', message: `${name}: no probe ran within its first period` };
  const law = after.runs > 1 && (isNew || hypothesis.lastResult === undefined) ? 'resets' : timeLaw;
  const why =
    after.runs > 1 && (isNew || hypothesis.lastResult === undefined || hypothesis.run === 0)
      ? `its container was replaced by ${after.containerID}, and the worker goes on with that`
      : sayDue;
  return { law, message: `${name}: no probe ran at ${dueMs} ms, when its tick is due: ${why}` };
}
