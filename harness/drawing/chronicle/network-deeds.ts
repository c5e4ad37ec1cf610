import type { EndpointSlice, Node, Service } from '../../api/objects.ts';
import type { JournalEntry } from '../../cluster/journal.ts';
import { type Deed, isMarked } from './deed.ts';

/** What a write of a Node is to the network, to a person: that pods get addresses there. */
export function nodeDeeds(entry: JournalEntry<Node>): readonly Deed[] {
  const { object, previous } = entry;
  const { podCIDR } = object.spec;
  if (!previous || !podCIDR || previous.spec.podCIDR) return [];
  return [
    {
      entry: entry as unknown as JournalEntry,
      kind: 'network',
      group: 'addresses for pods',
      tell: (deeds) => {
        const given = deeds.map((deed) => deed.entry.object as Node);
        const names = given.map(({ metadata }) => metadata.name).join(', ');
        return `gives pods of ${names} their addresses: ${given.map(({ spec }) => spec.podCIDR).join(', ')}`;
      },
    },
  ];
}

/** What a write of a Service is, to a person. */
export function serviceDeeds(entry: JournalEntry<Service>): readonly Deed[] {
  const { type, object } = entry;
  const { name } = object.metadata;
  const { clusterIP, ports = [], externalName } = object.spec;
  const at = externalName ?? (clusterIP === 'None' ? 'headless' : `${clusterIP}`);
  const where = [at, ports.map(({ port }) => port).join(',')].filter(Boolean).join(':');
  const verb =
    type === 'ADDED' ? 'creates' : type === 'DELETED' ? 'removes' : isMarked(entry) ? 'deletes' : 'changes';
  const text = `${verb} Service ${name}${verb === 'creates' ? `, ${where}` : ''}`;
  return [latest(entry as unknown as JournalEntry, `${verb} Service ${name}`, text)];
}

/** What a write of an EndpointSlice is, to a person: which pods stand behind a Service. Of several in a row, the last is told. */
export function endpointSliceDeeds(entry: JournalEntry<EndpointSlice>): readonly Deed[] {
  const { type, object } = entry;
  const service = object.metadata.labels?.['kubernetes.io/service-name'];
  const of = service === undefined ? '' : ` of Service ${service}`;
  if (type === 'DELETED') {
    return [
      latest(
        entry as unknown as JournalEntry,
        `removes ${object.metadata.name}`,
        `removes EndpointSlice ${object.metadata.name}${of}`,
      ),
    ];
  }
  const endpoints = object.endpoints ?? [];
  const ready = endpoints.filter(({ conditions }) => conditions?.ready ?? true);
  const text =
    endpoints.length === 0
      ? `lists no endpoint${of}`
      : `lists ${ready.length} ready of ${endpoints.length} endpoint${endpoints.length === 1 ? '' : 's'}${of}`;
  return [latest(entry as unknown as JournalEntry, `endpoints ${object.metadata.name}`, text)];
}

function latest(entry: JournalEntry, group: string, text: string): Deed {
  return {
    entry,
    kind: 'network',
    group,
    tell: (deeds) => (deeds.at(-1)?.entry === entry ? text : (deeds.at(-1)?.tell(deeds.slice(-1)) ?? text)),
  };
}
