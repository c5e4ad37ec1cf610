import { keyOf, keyToString, type Pod } from '../api/objects.ts';
import { explain, type Profile, type Snapshot } from '../contracts/framework/index.ts';

/** In a bigger cluster the explanations would be longer than all the rest of the trace. */
const NODES_MAX = 20;

/**
 * A profile that explains each decision in the trace: what was decided, and a line for each node. In clusters of up to 20
 * nodes.
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

/** Who explains asks more plugins than who decides. If one of them throws, what was decided stands all the same. */
function linesOf(profile: Profile, pod: Pod, snapshot: Snapshot): readonly string[] {
  try {
    return explain(profile, pod, snapshot).lines();
  } catch (error) {
    return [`cannot be explained: ${error}`];
  }
}
