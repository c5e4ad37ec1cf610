import * as framework from '../../contracts/framework/index.ts';
import type { Simulation } from '../../sim/index.ts';
import type { RequestRecorder } from '../../testing/rig/recorder.ts';
import { whimsical } from './filters.ts';
import type { Attempt, Reservation } from './history.ts';

/** What is written down of what a scheduler asks its plugins. */
export interface Notes {
  readonly attempts: Attempt[];
  readonly reservations: Reservation[];
}

/**
 * A scheduler's profile that writes down what the scheduler asks its plugins. It has two filters more, which turn away pods that have a whim,
 * and a reserve plugin. And it tells the scheduler to begin with another node each time, as if some had not been looked at.
 *
 * @param notes what is written down is added to it
 * @param recorder of its requests: attempts are numbered with them, and belong to the same lives
 */
export function recordingProfile(
  profile: framework.Profile,
  { attempts, reservations }: Notes,
  { sim, recorder }: { readonly sim: Simulation; readonly recorder: RequestRecorder },
): framework.Profile {
  const { filtering, scoring } = profile;
  const { incarnation } = recorder;
  const reserved = (what: Reservation['what']) => (_: unknown, pod: Attempt['pod'], node: string) => {
    reservations.push({ incarnation, atMs: sim.elapsedMs, what, pod, node });
    return framework.success;
  };
  return {
    ...profile,
    filtering: {
      ...filtering,
      plugins: [...filtering.plugins, ...whimsical(() => sim.elapsedMs)],
      findNodesThatFit: (request) => {
        const { pod, snapshot, startIndex = 0 } = request;
        const { nodeInfos } = snapshot;
        const found = filtering.findNodesThatFit(request);
        const { diagnosis, feasible } = found;
        const nextStartIndex =
          feasible.length > 0 ? (found.nextStartIndex + 1) % nodeInfos.length : found.nextStartIndex;
        attempts.push({
          incarnation,
          atMs: sim.elapsedMs,
          as: recorder.number(),
          pod,
          nodeInfos,
          startIndex,
          nextStartIndex,
          feasible: feasible.map(({ name }) => name),
          best: () => bestOf(scoring, { pod, feasible, snapshot }),
          diagnosis,
          message: () => filtering.fitErrorMessage(nodeInfos.length, diagnosis),
        });
        return { ...found, nextStartIndex };
      },
    },
    reserve: [
      ...profile.reserve,
      { name: 'Ledger', reserve: reserved('reserve'), unreserve: reserved('unreserve') },
    ],
  };
}

/** The nodes with the highest score. */
function bestOf(
  { plugins, prioritizeNodes }: framework.Scoring,
  request: Pick<framework.PrioritizeNodes, 'pod' | 'feasible' | 'snapshot'>,
): readonly string[] {
  const scores = prioritizeNodes({ ...request, plugins, state: new framework.CycleState() });
  const most = Math.max(...scores.map(({ totalScore }) => totalScore));
  return scores.filter(({ totalScore }) => totalScore === most).map(({ name }) => name);
}
