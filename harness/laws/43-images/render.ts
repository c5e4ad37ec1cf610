import type { Happening } from './history.ts';

/** What a timeline shows of what happened; undefined where it would only be in the way. */
export function render(
  happening: Happening,
): { actor: string; verb: string; object?: string; outcome?: string } | undefined {
  switch (happening.kind) {
    case 'starts':
    case 'dies':
      return { actor: 'kubelet', verb: happening.kind };
    case 'asks': {
      const { pod } = happening;
      return { actor: pod.name, verb: 'asks for', object: `${pod.image} (${pod.policy ?? 'no policy'})` };
    }
    case 'gives up':
      return { actor: 'pod', verb: 'is deleted' };
    case 'answer':
      return { actor: 'kubelet', verb: 'has', object: short(happening.imageRef) };
    case 'refusal':
      return { actor: 'kubelet', verb: happening.reason, object: happening.message };
    case 'event':
      return { actor: 'event', verb: happening.text };
    case 'calls':
      return { actor: 'manager', verb: happening.verb, object: said(happening.args) };
    case 'hears':
      return undefined;
    case 'hears error':
      return { actor: 'manager', verb: 'hears', object: happening.text };
    case 'there':
    case 'gone':
      return {
        actor: 'machine',
        verb: happening.kind,
        object: happening.image.repoTags[0] ?? short(happening.image.id),
      };
    case 'container':
    case 'no container':
      return { actor: 'machine', verb: happening.kind, object: happening.container.id };
    case 'collects':
      return { actor: 'kubelet', verb: happening.call };
    case 'collected':
      return { actor: 'kubelet', verb: 'collected', ...(happening.error && { outcome: happening.error }) };
    case 'end':
      return undefined;
  }
}

function said(args: readonly unknown[]): string {
  const [first, second] = args as readonly { image?: string; username?: string }[];
  if (typeof first === 'string') return short(first);
  const account = second?.username ? ` as ${second.username}` : '';
  return `${short(first?.image ?? '')}${account}`;
}

/** A digest with its first digits. */
function short(text: string): string {
  return text.replace(/(sha256[:-][0-9a-f]{8})[0-9a-f]+/g, '$1');
}
