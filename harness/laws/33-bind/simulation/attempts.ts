import * as framework from '../../../contracts/framework/index.ts';
import type { RequestRecorder } from '../../../testing/rig/recorder.ts';
import type { Attempt, Reservation } from '../history/index.ts';
import { whimsical } from './filters.ts';

/** The recorded calls of plugins. */
export interface Notes {
  readonly attempts: Attempt[];
  readonly reservations: Reservation[];
}

/**
 * Returns a profile with two filters more, which reject some pods for a time. It also moves the start index of each search, as
 * if only part of the nodes had been sampled.
 */
export function disturbedProfile(profile: framework.Profile, nowMs: () => number): framework.Profile {
  const { filtering } = profile;
  return {
    ...profile,
    filtering: {
      ...filtering,
      plugins: [...filtering.plugins, ...whimsical(nowMs)],
      findNodesThatFit: (request) => {
        const found = filtering.findNodesThatFit(request);
        const { feasible, nextStartIndex } = found;
        return feasible.length > 0
          ? { ...found, nextStartIndex: (nextStartIndex + 1) % request.snapshot.nodeInfos.length }
          : found;
      },
    },
  };
}

/**
 * Returns a profile that records the calls of its plugins. It adds a reserve plugin.
 *
 * @param notes - Receives the records.
 * @param recorder - The recorder of the scheduler's requests, which numbers attempts and requests together.
 */
export function recordingProfile(
  profile: framework.Profile,
  { attempts, reservations }: Notes,
  recorder: RequestRecorder,
): framework.Profile {
  const { filtering, scoring } = profile;
  const { incarnation } = recorder;
  const reserved = (what: Reservation['what']) => (_: unknown, pod: Attempt['pod'], node: string) => {
    reservations.push({ incarnation, atMs: recorder.nowMs, what, pod, node });
    return framework.success;
  };
  return {
    ...profile,
    filtering: {
      ...filtering,
      findNodesThatFit: (request) => {
        const { pod, snapshot, startIndex = 0 } = request;
        const { nodeInfos } = snapshot;
        const found = filtering.findNodesThatFit(request);
        const { diagnosis, feasible, nextStartIndex } = found;
        attempts.push({
          incarnation,
          atMs: recorder.nowMs,
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
        return found;
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
