import type * as framework from '../../contracts/framework/index.ts';
import type { Simulation } from '../../sim/index.ts';
import type { RequestRecorder } from '../../testing/rig/recorder.ts';
import type { Attempt } from './history.ts';

/**
 * A scheduler's profile that writes down what the scheduler asks its filters.
 *
 * @param attempts what is written down is added to it
 * @param recorder of its requests: attempts are numbered with them, and belong to the same lives
 */
export function recordingProfile(
  profile: framework.Profile,
  attempts: Attempt[],
  { sim, recorder }: { readonly sim: Simulation; readonly recorder: RequestRecorder },
): framework.Profile {
  const { filtering } = profile;
  const { life } = recorder;
  return {
    ...profile,
    filtering: {
      ...filtering,
      findNodesThatFit: (request) => {
        const { pod, snapshot } = request;
        const found = filtering.findNodesThatFit(request);
        const { diagnosis } = found;
        const { nodeInfos } = snapshot;
        attempts.push({
          life,
          atMs: sim.elapsedMs,
          as: recorder.number(),
          pod,
          nodeInfos,
          feasible: found.feasible.map(({ name }) => name),
          diagnosis,
          message: () => filtering.fitErrorMessage(nodeInfos.length, diagnosis),
        });
        return found;
      },
    },
  };
}
