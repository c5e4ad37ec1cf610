import type { EndpointSlice, Service } from '../../api/objects.ts';
import type { JournalEntry } from '../../cluster/journal.ts';
import { type Deed, isMarked } from './deed.ts';

/** Describes a write of a Service. */
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

/**
 * Describes a write of an EndpointSlice: the endpoints of a Service. Of several writes in a row only the last one
 * appears.
 */
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
      ? `updates the EndpointSlice${of}: no endpoints`
      : `updates the EndpointSlice${of}: ${ready.length} of ${endpoints.length} endpoint${endpoints.length === 1 ? '' : 's'} ready`;
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
