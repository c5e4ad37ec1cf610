import { sayKey } from '../history.ts';
import type { Hypothesis, Reason, Subject } from './hypothesis.ts';
import type { Refusal } from './outcome.ts';
import type { WorkerPast } from './worker-history.ts';

/** A probe that no tick allows. */
interface ExtraProbe {
  /** The reason why the tick at this time runs no probe; undefined if no tick is due. */
  readonly reason: Reason | undefined;
  readonly atMs: number;
  readonly past: WorkerPast;
  /** The law about the times of its ticks. */
  readonly timeLaw: 'spreads' | 'punctual';
}

/** Returns the law that an extra probe of a worker violates, and the reason. */
export function extraProbe(
  { key, plan }: Subject,
  { result, toMs }: Hypothesis,
  { reason, atMs, past, timeLaw }: ExtraProbe,
): Refusal {
  const ran = `${sayKey(key)}: a probe ran`;
  switch (reason) {
    case 'delay': {
      const delay = `initialDelaySeconds (${plan.initialDelaySeconds} s)`;
      return {
        law: 'initialDelay',
        message: `${ran} before ${delay} had passed since its container started`,
      };
    }
    case 'startup': {
      const why =
        key.type === 'startup'
          ? 'although its container has already started'
          : 'before its container has started (its startup probe has not succeeded yet)';
      return { law: 'startupFirst', message: `${ran} ${why}` };
    }
    case 'on hold': {
      const why =
        result === 'Success'
          ? 'a container starts only once'
          : 'the kubelet kills and restarts the container';
      const message = `${ran} although the worker is on hold: its result is ${result}, and ${why}, so it must wait for the next container ID`;
      return { law: 'onHold', message };
    }
    case 'absent':
    case 'does not run':
    case 'over': {
      const why = reason === 'over' ? 'pod has ended' : 'container is not running';
      return { law: 'notRunning', message: `${ran} although its ${why}` };
    }
    default:
      return {
        law: timeLaw,
        message: `${ran} at ${atMs} ms, outside of its ticks: ${past.sayOffTick(atMs, toMs)}`,
      };
  }
}
