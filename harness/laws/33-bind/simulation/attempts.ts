import * as framework from '../../../contracts/framework/index.ts';
import type { Simulation } from '../../../sim/index.ts';
import type { RequestRecorder } from '../../../testing/rig/recorder.ts';
import type { Attempt, Reservation } from '../history/index.ts';
import { whimsical } from './filters.ts';

/** The recorded calls of plugins. */
export interface Notes {
  readonly attempts: Attempt[];
  readonly reservations: Reservation[];
}

/**
 * Returns a profile that records the calls of its plugins. It adds two filters that reject some pods for a time, and a reserve
 * plugin. It also moves the start index of each search, as if only part of the nodes had been sampled.
 *
 * @param notes - Receives the records.
 * @param recorder - The recorder of the scheduler's requests, which numbers attempts and requests together.
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

/** Returns the nodes with the highest score. */
function bestOf(
  { plugins, prioritizeNodes }: framework.Scoring,
  request: Pick<framework.PrioritizeNodes, 'pod' | 'feasible' | 'snapshot'>,
): readonly string[] {
  const scores = prioritizeNodes({ ...request, plugins, state: new framework.CycleState() });
  const most = Math.max(...scores.map(({ totalScore }) => totalScore));
  return scores.filter(({ totalScore }) => totalScore === most).map(({ name }) => name);
}
