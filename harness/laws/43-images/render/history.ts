import type * as cri from '../../../contracts/node/cri/index.ts';
import type { Happening } from '../history.ts';

/** Renders an entry for the timeline; undefined if the timeline leaves it out. */
export function render(
  happening: Happening,
): { actor: string; verb: string; object?: string; outcome?: string } | undefined {
  switch (happening.kind) {
    case 'starts':
      return { actor: 'kubelet', verb: 'starts' };
    case 'dies':
      return { actor: 'kubelet', verb: 'crashes' };
    case 'asks': {
      const { pod } = happening;
      return { actor: pod.name, verb: 'requests', object: `${pod.image} (${pod.policy ?? 'no policy'})` };
    }
    case 'gives up':
      return { actor: 'pod', verb: 'is deleted' };
    case 'answer':
      return { actor: 'manager', verb: 'returns', object: short(happening.imageRef) };
    case 'refusal':
      return { actor: 'manager', verb: `refuses with ${happening.reason}`, object: short(happening.message) };
    case 'event':
      return { actor: 'event', verb: happening.text };
    case 'calls':
      return { actor: 'manager', verb: happening.verb, object: describeArguments(happening.args) };
    case 'gets': {
      // The answers of other calls follow from the changes on the machine.
      if (happening.verb !== 'imageStatus') return undefined;
      const { id } = (happening.result as cri.Image | undefined) ?? {};
      return {
        actor: 'manager',
        verb: 'gets image',
        object: describeArguments(happening.args),
        outcome: id === undefined ? 'not present' : short(id),
      };
    }
    case 'gets error':
      return { actor: 'manager', verb: 'gets error', object: short(happening.text) };
    case 'there':
    case 'gone':
      return {
        actor: 'machine',
        verb: happening.kind === 'there' ? 'stores image' : 'removes image',
        object: happening.image.repoTags[0] ?? short(happening.image.id),
      };
    case 'container':
      return { actor: 'machine', verb: 'creates', object: happening.container.id };
    case 'no container':
      return { actor: 'machine', verb: 'removes', object: happening.container.id };
    case 'collects':
      return { actor: 'kubelet', verb: happening.call };
    case 'collected':
      return {
        actor: 'manager',
        verb: 'ends its collection',
        ...(happening.error && { outcome: happening.error }),
      };
    case 'end':
      return undefined;
  }
}

function describeArguments(args: readonly unknown[]): string {
  const [first, second] = args as readonly { image?: string; username?: string }[];
  if (typeof first === 'string') return short(first);
  const account = second?.username ? ` as ${second.username}` : '';
  return `${short(first?.image ?? '')}${account}`;
}

/** Shortens digests to their first digits. */
function short(text: string): string {
  return text.replace(/(sha256[:-][0-9a-f]{8})[0-9a-f]+/g, '$1');
}
