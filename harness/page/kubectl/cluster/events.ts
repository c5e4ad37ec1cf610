import type { Event } from '../../../api/objects.ts';
import { events as resource } from '../../../api/resource.ts';
import { type Call, type Command, INTERRUPTED } from '../command.ts';
import { whenOf } from '../describe/events.ts';
import { KubectlError } from '../kubectl-error.ts';
import { aborted } from '../observer.ts';
import { TABLE_TABS, TabWriter } from '../tab-writer.ts';
import { SELECTING } from '../targets.ts';

/** Upstream: kubernetes/kubectl@v0.36.3 pkg/cmd/events/events.go EventsOptions.Run */
export const events: Command = {
  name: 'events',
  usage: '[--for TYPE/NAME] [--types Warning] [-A] [-w]',
  summary: 'Lists Events, the last one at the end',
  reads: true,
  flags: {
    namespace: SELECTING.namespace,
    'all-namespaces': SELECTING['all-namespaces'],
    for: { type: 'text', help: 'only about this object: pod/web' },
    types: { type: 'list', help: 'Normal or Warning' },
    watch: { short: 'w', type: 'switch', help: 'go on with each new Event, until Ctrl-C' },
    'no-headers': { type: 'switch', help: 'no headers' },
  },
  run: async (call) => {
    const isEverywhere = call.flags.isOn('all-namespaces');
    const selects = selection(call);
    const { items } = await call.client.list(resource, isEverywhere ? {} : { namespace: call.namespace });
    const found = items.filter(selects).toSorted((a, b) => timeOf(a) - timeOf(b));
    const writer = new TabWriter(TABLE_TABS);
    let hasHeaders = call.flags.isOn('no-headers');
    const print = (all: readonly Event[]): void => {
      const titles = [
        ...(isEverywhere ? ['NAMESPACE'] : []),
        'LAST SEEN',
        'TYPE',
        'REASON',
        'OBJECT',
        'MESSAGE',
      ];
      const rows = all.map((event) => rowOf(event, isEverywhere, call.cluster.clock.now()));
      call.io.out(
        writer.align([...(hasHeaders ? [] : [titles]), ...rows].map((row) => `${row.join('\t')}\n`).join('')),
      );
      hasHeaders = true;
    };
    if (found.length > 0) print(found);
    if (!call.flags.isOn('watch')) {
      if (found.length > 0) return 0;
      call.io.err(isEverywhere ? 'No events found.\n' : `No events found in ${call.namespace} namespace.\n`);
      return 0;
    }
    const end = call.observer.follow(resource, ({ type, object }) => {
      const isHere = isEverywhere || object.metadata.namespace === call.namespace;
      if (type !== 'DELETED' && isHere && selects(object as Event)) print([object as Event]);
    });
    await aborted(call.io.signal);
    end();
    return INTERRUPTED;
  },
};

function selection({ flags, kinds }: Call): (event: Event) => boolean {
  const types = flags.list('types').map((type) => type.toLowerCase());
  if (types.some((type) => type !== 'normal' && type !== 'warning')) {
    throw new KubectlError('valid --types are Normal or Warning');
  }
  const about = flags.text('for');
  const [kind = '', name] = about?.split('/') ?? [];
  if (about !== undefined && !name) throw new KubectlError('--for must be in resource/name form');
  const of = about === undefined ? undefined : kinds.named(kind);
  return ({ type = '', involvedObject }) =>
    (types.length === 0 || types.includes(type.toLowerCase())) &&
    (of === undefined || (involvedObject.kind === of.kind && involvedObject.name === name));
}

/** Upstream: kubernetes/kubectl@v0.36.3 pkg/cmd/events/events.go eventTime */
function timeOf({ series, lastTimestamp, eventTime }: Event): number {
  const text = series?.lastObservedTime ?? (lastTimestamp || eventTime);
  return text ? Date.parse(text) : 0;
}

function rowOf(event: Event, hasNamespace: boolean, nowMs: number): readonly string[] {
  const { metadata, type = '', reason = '', involvedObject, message = '' } = event;
  return [
    ...(hasNamespace ? [metadata.namespace ?? ''] : []),
    whenOf(event, nowMs),
    type,
    reason,
    `${involvedObject.kind}/${involvedObject.name}`,
    message.trim(),
  ];
}
