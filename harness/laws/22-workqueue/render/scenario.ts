import { sayItem } from '../history.ts';
import type { Limits } from '../oracle/limits.ts';
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
} from '../scenario/index.ts';

/** Describes a scenario, one line per step. Omits the usual: default rate limits, and an end in a quiet period. */
export function describeScenario({
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
      ? [`choices among simultaneous events: ${schedule.join(', ')}`]
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
  return lines.map((line) => `at ${line.atMs} ms ${who}: ${folded(line.what).join(', ')}`);
}

/** Abbreviates repeated steps: `add a, 65 times`, and `add 7-0 … 7-100`. */
function folded(what: readonly string[]): readonly string[] {
  const short: string[] = [];
  for (let i = 0; i < what.length; i++) {
    const first = what[i] as string;
    const [, stem, number] = /^(\S+ \S+-)(\d+)$/.exec(first) ?? [];
    const nth = (n: number): string => (stem === undefined ? first : `${stem}${Number(number) + n}`);
    let count = 1;
    while (what[i + count] === nth(count)) count++;
    if (count < 3) {
      short.push(first);
      continue;
    }
    const last = nth(count - 1).split(' ')[1];
    short.push(stem === undefined ? `${first}, ${count} times` : `${first} … ${last}`);
    i += count - 1;
  }
  return short;
}

function sayStep(step: Step): string {
  if (step.act === 'len') return 'len';
  const item = sayItem(step.item);
  return step.act === 'addAfter' ? `addAfter ${item} ${step.delayMs} ms` : `${step.act} ${item}`;
}

function sayWorker({ startsAtMs, shifts }: WorkerPlan, who: string): readonly string[] {
  const begins = `${who} calls get from ${startsAtMs} ms on`;
  const unusual = shifts.map(sayShift).join('; ');
  return [
    unusual === ''
      ? `${begins}, and done at once with each item`
      : `${begins}; it processes its items like this: ${unusual}`,
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

function sayEnding({ how, atMs, followedBy = [] }: Ending): readonly string[] {
  const names = { shutDown: 'shutDown', drain: 'shutDownWithDrain', abort: 'the abort' };
  const rest = followedBy.map((next) => `, and ${names[next.how]} ${next.afterMs} ms later`).join('');
  if (atMs === undefined)
    return how === 'drain' || rest ? [`after a quiet period: ${names[how]}${rest}`] : [];
  return [atMs < 0 ? `before runWorkers is called: ${names[how]}` : `at ${atMs} ms: ${names[how]}${rest}`];
}
