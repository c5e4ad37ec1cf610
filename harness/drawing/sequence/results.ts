import type { Deployment, EndpointSlice, Pod, ReplicaSet } from '../../api/objects.ts';
import type { JournalEntry } from '../../cluster/journal.ts';
import { podRow } from '../pod-row.ts';
import type { Message } from './message.ts';

/** Returns a function that describes the state of an object right after a request that wrote it. */
export function resultsOf(
  journal: readonly JournalEntry[],
): (request: Pick<Message, 'verb' | 'object' | 'revision'>) => string | undefined {
  const byRevision = new Map(journal.map((entry) => [entry.revision, entry]));
  const bindings = new Map(
    journal.filter(({ verb }) => verb === 'bind').map((entry) => [`pods/${entry.key}`, entry]),
  );
  return ({ verb, object = '', revision }) => {
    if (verb === 'bind') return nodeOf(bindings.get(object));
    const entry = revision === undefined ? undefined : byRevision.get(revision);
    // A patch that changes nothing answers with an older revision.
    return entry && `${entry.resource.plural}/${entry.key}` === object ? stateOf(entry) : undefined;
  };
}

function nodeOf(binding: JournalEntry | undefined): string | undefined {
  return (binding?.object as Pod | undefined)?.spec.nodeName;
}

function stateOf({ resource, object, type, verb }: JournalEntry): string | undefined {
  if (type === 'DELETED') return undefined;
  switch (resource.plural) {
    case 'pods': {
      const { ready, status } = podRow(object as Pod);
      return `${ready} ${status}`;
    }
    case 'deployments':
    case 'replicasets': {
      if (verb === 'delete') return undefined;
      const { spec, status } = object as Deployment | ReplicaSet;
      return `${status?.readyReplicas ?? 0}/${spec.replicas ?? 1} ready`;
    }
    case 'endpointslices': {
      const { endpoints = [] } = object as EndpointSlice;
      if (!endpoints?.length) return 'no endpoints';
      const ready = endpoints.filter(({ conditions }) => conditions?.ready !== false).length;
      return `${ready}/${endpoints.length} ready`;
    }
    default:
      return undefined;
  }
}
