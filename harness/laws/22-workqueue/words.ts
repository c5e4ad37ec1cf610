import { sayItem } from './history.ts';
import type { Limits } from './limits.ts';
import {
  AGAIN_AFTER_MS,
  type Attempt,
  type Ending,
  isPool,
  type Pool,
  type Shift,
  type Step,
  type WorkerPlan,
  type WorkQueueScenario,
} from './scenario.ts';

/**
 * A scenario in words, a line a step: what a red tells of the smallest life that breaks a law.
 *
 * What is usual is left out: the default rate limits, and an end when all is quiet.
 */
export function wordsOf({
  limits,
  producers,
  staff,
  ending,
  schedule,
}: WorkQueueScenario): readonly string[] {
  return [
    ...(limits === 'default' ? [] : [`the rate limiter: ${sayLimits(limits)}`]),
    ...(isPool(staff) ? sayPool(staff) : staff.flatMap((plan, i) => sayWorker(plan, `worker ${i + 1}`))),
    ...producers.flatMap((steps, i) => saySteps(steps, `producer ${i + 1}`)),
    ...sayEnding(ending),
    ...(schedule.some((choice) => choice > 0)
      ? [`of what is due at once, in this order: ${schedule.join(', ')}`]
      : []),
  ];
}

function sayLimits({ exponential, bucket }: Limits): string {
  const own = exponential && `${exponential.baseDelayMs} ms, doubling up to ${exponential.maxDelayMs} ms`;
  const all = bucket && `a bucket of ${bucket.burst}, ${bucket.qps} tokens a second`;
  return [own, all].filter((part) => part !== undefined).join('; ');
}

function saySteps(steps: readonly Step[], who: string): readonly string[] {
  let atMs = 0;
  const lines: { atMs: number; what: string[] }[] = [];
  for (const step of steps) {
    atMs += step.afterMs;
    if (lines.at(-1)?.atMs !== atMs) lines.push({ atMs, what: [] });
    lines.at(-1)?.what.push(sayStep(step));
  }
  return lines.map((line) => `at ${line.atMs} ms ${who}: ${line.what.join(', ')}`);
}

function sayStep(step: Step): string {
  if (step.act === 'len') return 'len';
  const item = sayItem(step.item);
  return step.act === 'addAfter' ? `addAfter ${item} ${step.delayMs} ms` : `${step.act} ${item}`;
}

function sayWorker({ startsAtMs, shifts }: WorkerPlan, who: string): readonly string[] {
  const begins = `${who} asks from ${startsAtMs} ms on`;
  const unusual = shifts.map(sayShift).join('; ');
  return [
    unusual === ''
      ? `${begins}, and is done with each item at once`
      : `${begins}; with its items: ${unusual}`,
  ];
}

function sayShift({ takesMs, lastly, restsMs }: Shift): string {
  const again = { nothing: '', add: ', add', addAfter: `, addAfter ${AGAIN_AFTER_MS} ms` };
  const last = lastly in again ? again[lastly as keyof typeof again] : `, ${lastly}`;
  return `${takesMs} ms${last}, done${restsMs > 0 ? `, rests ${restsMs} ms` : ''}`;
}

function sayPool({ workers, maxRetries, listener, attempts }: Pool): readonly string[] {
  const retries = maxRetries === undefined ? '' : `, maxRetries ${maxRetries}`;
  const onError = listener === 'absent' ? 'no onError' : `an onError that ${listener}`;
  return [
    `runWorkers: ${workers} ${workers === 1 ? 'worker' : 'workers'}${retries}, ${onError}`,
    ...Object.entries(attempts).flatMap(([item, own]) =>
      own.length === 0 ? [] : [`sync(${item}): ${own.map(sayAttempt).join('; ')}; then it succeeds`],
    ),
  ];
}

function sayAttempt({ how, takesMs }: Attempt): string {
  return takesMs === 0 ? how : `${how} after ${takesMs} ms`;
}

function sayEnding({ how, atMs, forcedAfterMs }: Ending): readonly string[] {
  const name = { shutDown: 'shutDown', drain: 'shutDownWithDrain', abort: 'the abort' }[how];
  const then = forcedAfterMs === undefined ? '' : `, and shutDown ${forcedAfterMs} ms later`;
  if (atMs === undefined) return how === 'drain' ? [`when all is quiet: ${name}${then}`] : [];
  return [atMs < 0 ? `before runWorkers is called: ${name}` : `at ${atMs} ms: ${name}${then}`];
}
