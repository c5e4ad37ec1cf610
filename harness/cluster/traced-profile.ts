import { keyOf, keyToString, type Pod } from '../api/objects.ts';
import { explain, type Profile, type Snapshot } from '../contracts/framework/index.ts';

/** In a larger cluster the explanations would dominate the trace. */
const NODES_MAX = 20;

/**
 * Wraps a profile so that it explains each decision in the trace: the decision, and a line for each node. Clusters of
 * up to 20 nodes only.
 *
 * @param record writes one line about an object: `pods/default/web-1`
 */
export function tracedProfile(profile: Profile, record: (object: string, note: string) => void): Profile {
  const { filtering } = profile;
  return {
    ...profile,
    filtering: {
      ...filtering,
      findNodesThatFit(request) {
        const { pod, snapshot } = request;
        const found = filtering.findNodesThatFit(request);
        if (snapshot.nodeInfos.length <= NODES_MAX) {
          const object = `pods/${keyToString(keyOf(pod))}`;
          for (const line of linesOf(profile, pod, snapshot)) record(object, line);
        }
        return found;
      },
    },
  };
}

/** The explanation calls more plugins than the decision. If one of them throws, the decision is not affected. */
function linesOf(profile: Profile, pod: Pod, snapshot: Snapshot): readonly string[] {
  try {
    return explain(profile, pod, snapshot).lines();
  } catch (error) {
    return [`cannot be explained: ${error}`];
  }
}
