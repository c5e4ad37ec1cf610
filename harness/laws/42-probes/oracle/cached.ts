import { type Known, sayKey } from '../history.ts';
import { type Hypothesis, isOf, type Subject } from './hypothesis.ts';
import { type Outcome, refuse } from './outcome.ts';
import type { WorkerPast } from './worker-history.ts';

/** Compares the results of the manager with those of a hypothesis. */
export function checkCached(
  { key, isSidecar }: Subject,
  hypothesis: Hypothesis,
  {
    known,
    past,
    isTerminating,
  }: { readonly known: readonly Known[]; readonly past: WorkerPast; readonly isTerminating: boolean },
): Outcome {
  const own = known.filter(({ type, containerID }) => type === key.type && isOf(containerID, key));
  const { result: held, ended, call, containerID } = hypothesis;
  if (ended && call) return { hypotheses: [hypothesis] };
  const expected = ended ? undefined : held;
  const old = own.find((one) => one.containerID !== containerID || expected === undefined);
  const name = sayKey(key);
  if (old) {
    const why = ended ? past.sayStop : `its container was replaced by ${containerID}`;
    const message = `${name}: the result ${old.result} of ${old.containerID} is still in the cache, although ${why}`;
    return refuse(ended ?? 'resets', message);
  }
  const [now] = own;
  if (now?.result === expected) return { hypotheses: [hypothesis] };
  const goesOn = isSidecar ? 'the probes of a sidecar' : 'readiness probes';
  const because = isTerminating && !ended ? ` (${past.sayStop}, but that must not stop ${goesOn})` : '';
  return refuse(
    now || !isTerminating ? 'counts' : 'termination',
    `${name}: the cached result is ${now?.result ?? 'missing'}; expected ${expected ?? 'none'}${because}`,
  );
}

/** Checks that a worker that was stopped has deleted its result at once. */
export function checkDeleted(
  { key }: Subject,
  hypothesis: Hypothesis,
  { known, past }: { readonly known: readonly Known[]; readonly past: WorkerPast },
): Outcome {
  const left = known.find(({ type, containerID }) => type === key.type && isOf(containerID, key));
  if (!hypothesis.ended || !left) return { hypotheses: [hypothesis] };
  const message = `${sayKey(key)}: the result ${left.result} of ${left.containerID} was still in the cache right after ${past.sayStop}`;
  return refuse(hypothesis.ended, message);
}
