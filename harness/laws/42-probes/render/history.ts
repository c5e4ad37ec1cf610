import type { Pod } from '../../../api/objects.ts';
import type { Event } from '../history.ts';
import { INIT } from '../simulation/pods.ts';

/** Renders an entry for the timeline; undefined if the timeline leaves it out. */
export function render(
  event: Event,
): { actor: string; verb: string; object?: string; outcome?: string; note?: string } | undefined {
  switch (event.kind) {
    case 'boot':
      return { actor: 'kubelet', verb: 'starts' };
    case 'abort':
      return { actor: 'kubelet', verb: 'crashes' };
    case 'add':
      return { actor: 'kubelet', verb: 'addPod', object: event.pod };
    case 'stop':
      return { actor: 'kubelet', verb: 'stopLivenessAndStartup', object: event.pod };
    case 'remove':
      return { actor: 'kubelet', verb: event.how, object: event.pod };
    case 'status':
      return { actor: 'kubelet', verb: 'updatePodStatus', object: event.pod, note: sayStatus(event.status) };
    case 'call':
      return { actor: event.key.container, verb: 'receives', object: event.key.type, note: event.wire.asked };
    case 'answer':
      return {
        actor: event.key.container,
        verb: 'answers',
        object: event.key.type,
        outcome: event.means,
        ...(event.reason === 'ProbeWarning' && event.says !== undefined && { note: event.says }),
      };
    case 'stray':
      return { actor: 'network', verb: 'receives', note: `${event.asked} (belongs to no probe)` };
    case 'update':
      return { actor: 'result', verb: event.type, object: shortID(event.containerID), outcome: event.result };
    case 'event':
      return { actor: 'event', verb: event.reason, object: event.pod, note: event.message };
    case 'left':
    case 'rest':
      return undefined;
    case 'container':
      return { actor: shortID(event.containerID), verb: event.what };
  }
}

/** `app-0 running started ready` */
function sayStatus(status: Pod['status']): string {
  return [...(status?.initContainerStatuses ?? []), ...(status?.containerStatuses ?? [])]
    .filter(({ name }) => name !== INIT)
    .map(({ name, state = {}, started, ready }) =>
      [name, ...Object.keys(state), ...(started ? ['started'] : []), ...(ready ? ['ready'] : [])].join(' '),
    )
    .join('; ');
}

/** Shortens a container ID: `web-0-app-0-1`. */
export function shortID(containerID: string): string {
  return containerID.replace(/^.*:\/\//, '');
}
