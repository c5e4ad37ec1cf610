import { describe, expect, test } from 'vitest';
import type { ConfigMap } from '../../../api/objects.ts';
import { errors, failure, StatusError } from '../../../api/status.ts';
import type { WatchEvent } from '../../../api/watch-event.ts';
import { ConnectionError } from '../../../contracts/connection-error.ts';
import { failureOf } from '../../../faults/index.ts';
import type { HistoryEntry, InformerHistory, RequestKind } from '../history.ts';
import { configMap } from '../simulation/scripted-server.ts';
import { calm, frugal, honest } from './index.ts';

type Entry = HistoryEntry extends infer E ? (E extends HistoryEntry ? Omit<E, 'atMs'> : never) : never;

/** The requests of an informer and their answers, in order; a number is a pause in ms. */
function asking(...story: readonly (number | Entry)[]): InformerHistory {
  let atMs = 0;
  let id = 0;
  const entries: HistoryEntry[] = [];
  for (const each of story) {
    if (typeof each === 'number') atMs += each;
    else {
      if (each.kind === 'asked') id++;
      entries.push({ atMs, ...each, id } as HistoryEntry);
      const isOver = each.kind === 'ended' || (each.kind === 'event' && each.event.type === 'ERROR');
      if (isOver) entries.push({ ...each, atMs, id, kind: 'closed' });
    }
  }
  return { entries } as unknown as InformerHistory;
}

const ask = (request: RequestKind, version = ''): Entry => ({ kind: 'asked', id: 0, request, version });
const fails = (request: RequestKind, error: unknown, version = ''): Entry => ({
  kind: 'failed',
  id: 0,
  request,
  version,
  error,
});
const opens = (request: RequestKind): Entry => ({ kind: 'opened', id: 0, request, version: '' });
const lists = (request: RequestKind, resourceVersion: string): Entry => ({
  kind: 'listed',
  id: 0,
  request,
  version: '',
  resourceVersion,
  items: [],
});
const brings = (request: RequestKind, event: WatchEvent<ConfigMap>, version = ''): Entry => ({
  kind: 'event',
  id: 0,
  request,
  version,
  event,
});
const tells = (request: RequestKind, { status }: StatusError, version = ''): Entry =>
  brings(request, { type: 'ERROR', object: failure(status.reason, status.message, status.details) }, version);
const ends = (request: RequestKind): Entry => ({ kind: 'ended', id: 0, request, version: '' });

const event: WatchEvent<ConfigMap> = { type: 'ADDED', object: configMap('a', '7') };
const gone = errors.expired('too old');
const broken = failureOf('InternalError');
const busy = failureOf('TooManyRequests');
const away = new ConnectionError('ECONNREFUSED', 'connection refused');
const tooLarge = new StatusError({
  ...failure('Timeout', 'Too large resource version', {
    causes: [{ reason: 'ResourceVersionTooLarge', message: '' }],
  }),
});
const unserved = errors.invalid({ group: 'meta.k8s.io', kind: 'ListOptions' }, '', []);
/** The first state arrived in a stream that is still open. */
const streamed = [ask('stream'), opens('stream'), lists('stream', '5'), 60_000];
/** The first state arrived in a list, and a watch is open. */
const listed = [ask('list', '0'), lists('list', '5'), ask('watch', '5'), opens('watch'), 60_000];

/** The behavior of client-go at 1.36 after each failure: kubernetes/client-go@v0.36.3 tools/cache/reflector.go. */
const allowed: readonly (readonly [what: string, ...story: (number | Entry)[]])[] = [
  [
    'streams, and continues with the same stream',
    ...streamed,
    brings('watch', event),
    1,
    ends('watch'),
    ask('watch', '7'),
  ],
  ['lists and watches', ...listed, brings('watch', event), ends('watch'), ask('watch', '7')],
  [
    'lists at once when the server has no streaming lists',
    ask('stream'),
    2,
    fails('stream', unserved),
    ask('list', '0'),
    lists('list', '5'),
    ask('watch', '5'),
  ],
  [
    'lists at once when a streaming list has failed',
    ask('stream'),
    2,
    fails('stream', broken),
    ask('list', '0'),
  ],
  [
    'streams again at once after an incomplete list',
    ask('stream'),
    opens('stream'),
    brings('stream', event),
    ends('stream'),
    ask('stream'),
  ],
  [
    'streams again at once when a stream was silent for a second',
    ask('stream'),
    opens('stream'),
    1_000,
    ends('stream'),
    ask('stream'),
  ],
  [
    'lists at once when a stream ended at once',
    ask('stream'),
    opens('stream'),
    2,
    ends('stream'),
    ask('list', '0'),
  ],
  [
    'waits, and streams again, when the server is too busy',
    ask('stream'),
    2,
    fails('stream', busy),
    1_000,
    ask('stream'),
  ],
  [
    'waits, and streams again, when the server is absent',
    ask('stream'),
    2,
    fails('stream', away),
    801,
    ask('stream'),
  ],
  [
    'streams the newest version at once when the version of a stream has expired',
    ...listed,
    tells('watch', broken),
    900,
    ask('stream', '5'),
    opens('stream'),
    tells('stream', gone, '5'),
    ask('stream'),
  ],
  [
    'streams the newest version at once when the version of a stream is too large',
    ...listed,
    tells('watch', broken),
    900,
    ask('stream', '5'),
    opens('stream'),
    3_000,
    tells('stream', tooLarge, '5'),
    ask('stream'),
  ],
  [
    'lists the newest version at once when the version of a list has expired',
    ...listed,
    tells('watch', gone),
    900,
    ask('list', '5'),
    fails('list', gone, '5'),
    ask('list'),
  ],
  [
    'lists again at once when a page has expired',
    ask('list', '0'),
    ask('page'),
    fails('page', gone),
    ask('list', '0'),
  ],
  ['waits for a new list after a failed list', ask('list', '0'), fails('list', broken), 900, ask('stream')],
  [
    'waits, and watches from the same version, when the server is too busy',
    ...listed,
    ends('watch'),
    ask('watch', '5'),
    fails('watch', busy, '5'),
    1_000,
    ask('watch', '5'),
  ],
  [
    'waits, and watches from the same version, when the server is absent',
    ...listed,
    ends('watch'),
    ask('watch', '5'),
    fails('watch', away, '5'),
    801,
    ask('watch', '5'),
  ],
  [
    'lists at the same version when the version of a watch has expired',
    ...listed,
    tells('watch', gone, '5'),
    900,
    ask('list', '5'),
  ],
  [
    'watches from the same version when a watch reports that the server is too busy',
    ...listed,
    tells('watch', busy),
    1_000,
    ask('watch', '5'),
  ],
  [
    'lists when a watch could not be opened',
    ...listed,
    ends('watch'),
    ask('watch', '5'),
    fails('watch', broken, '5'),
    900,
    ask('list', '5'),
  ],
  [
    'lists after a wait when a watch ended at once',
    ...listed,
    ends('watch'),
    ask('watch', '5'),
    opens('watch'),
    2,
    ends('watch'),
    900,
    ask('list', '5'),
  ],
  [
    'lists after a wait when the stream ended right after the list',
    ask('stream'),
    opens('stream'),
    lists('stream', '5'),
    2,
    ends('watch'),
    900,
    ask('stream', '5'),
  ],
];

const forbidden: readonly (readonly [what: string, law: 'calm' | 'frugal', ...story: (number | Entry)[]])[] =
  [
    ['a list while a watch is open', 'frugal', ...listed, ask('list', '5')],
    ['a streaming list while a watch is open', 'frugal', ...listed, ask('stream', '5')],
    [
      'a list after a watch that ended without an error',
      'frugal',
      ...streamed,
      ends('watch'),
      ask('list', '5'),
    ],
    [
      'a list because the server was too busy for a watch',
      'frugal',
      ...listed,
      ends('watch'),
      ask('watch', '5'),
      fails('watch', busy, '5'),
      1_000,
      ask('list', '5'),
    ],
    [
      'a watch from before the last event',
      'frugal',
      ...streamed,
      brings('watch', event),
      ends('watch'),
      ask('watch', '5'),
    ],
    [
      'a list at a version that was refused',
      'frugal',
      ask('list', '5'),
      fails('list', gone, '5'),
      900,
      ask('list', '5'),
    ],
    [
      'a watch from an expired version',
      'frugal',
      ...listed,
      tells('watch', gone, '5'),
      900,
      ask('watch', '5'),
    ],
    ['a list at once after a failed list', 'calm', ask('list', '0'), fails('list', broken), ask('list', '0')],
    [
      'a stream at once after a stream that ended at once',
      'calm',
      ask('stream'),
      opens('stream'),
      2,
      ends('stream'),
      ask('stream'),
    ],
    [
      'a list at once when the stream ended right after the list',
      'calm',
      ask('stream'),
      opens('stream'),
      lists('stream', '5'),
      2,
      ends('watch'),
      ask('stream', '5'),
    ],
    ['a stream before Retry-After is over', 'calm', ask('stream'), fails('stream', busy), 801, ask('stream')],
    [
      'a wait of more than a minute',
      'calm',
      ask('list', '0'),
      fails('list', broken),
      60_002,
      ask('list', '0'),
    ],
  ];

describe('The laws of an informer', () => {
  test('name the object at fault like the rows of the timeline', () => {
    const told: Entry = {
      kind: 'told',
      handler: 'steady',
      what: { type: 'delete', object: configMap('a', '5') },
    };
    expect(honest(asking(7, told))).toEqual([
      {
        atMs: 7,
        message: 'handler "steady" was notified of a@5 as a delete, but had never got an add of that object',
        object: 'configmaps/default/a',
      },
    ]);
  });

  test.each(allowed.map(([what, ...story]) => ({ what, story })))('let pass that it $what', ({ story }) => {
    expect([...frugal(asking(...story)), ...calm(asking(...story))]).toEqual([]);
  });

  const told = forbidden.map(([what, law, ...story]) => ({ what, law: { calm, frugal }[law], story }));
  test.each(told)('notice $what', ({ law, story }) => {
    expect(law(asking(...story))).toHaveLength(1);
  });
});
