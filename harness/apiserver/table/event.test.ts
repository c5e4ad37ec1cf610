import { describe, expect, test } from 'vitest';
import type { Event } from '#api/core/v1';
import { cells, daysAgo, row } from './cells.fixture.ts';
import { eventColumns, eventV1Columns } from './event.ts';

const base: Event = {
  metadata: { name: 'web.1' },
  involvedObject: { kind: 'Deployment', name: 'web', fieldPath: 'spec.containers{c}' },
  reason: 'Scaled',
  message: ' up to 3 \n',
  type: 'Warning',
};

// Upstream: kubernetes/kubernetes@v1.36.3 pkg/printers/internalversion/printers_test.go TestPrintEvent
describe('An Event', () => {
  test('shows all columns', () => {
    const event = {
      ...base,
      source: { component: 'kubelet', host: 'node-1' },
      firstTimestamp: daysAgo(3),
      lastTimestamp: daysAgo(2),
      count: 6,
    };
    expect(row(eventColumns, event)).toEqual([
      ...['2d', 'Warning', 'Scaled', 'deployment/web', 'spec.containers{c}', 'kubelet, node-1', 'up to 3'],
      ...['3d', 6, 'web.1'],
    ]);
  });

  test.each<[Partial<Event>, string, string, number]>([
    [{ eventTime: daysAgo(3), lastTimestamp: daysAgo(2), count: 1 }, '2d', '3d', 1],
    [{ firstTimestamp: daysAgo(3), count: 1 }, '3d', '3d', 1],
    [{ eventTime: daysAgo(3) }, '3d', '3d', 1],
    [{ eventTime: daysAgo(3), series: { count: 2, lastObservedTime: daysAgo(2) } }, '2d', '3d', 2],
    [{}, '<unknown>', '<unknown>', 1],
  ])('with %j has last seen, first seen and count: %s, %s, %i', (given, last, first, count) => {
    const told = cells(eventColumns, { ...base, ...given });
    expect([told['Last Seen'], told['First Seen'], told.Count]).toEqual([last, first, count]);
  });

  test.each<[Partial<Event>, string]>([
    [{}, ''],
    [{ source: { component: 'kubelet' } }, 'kubelet'],
    [{ reportingComponent: 'kubelet', reportingInstance: 'node-1' }, 'kubelet, node-1'],
    [{ source: { component: 'old', host: 'node-2' }, reportingComponent: 'new' }, 'old, node-2'],
  ])('with %j has the source "%s"', (given, told) => {
    expect(cells(eventColumns, { ...base, ...given }).Source).toBe(told);
  });

  test('can refer to an object without a name', () => {
    expect(cells(eventColumns, { ...base, involvedObject: { kind: 'Node' } }).Object).toBe('node');
  });
});

test('An Event of events.k8s.io shows the same values from its own fields', () => {
  const event = {
    metadata: { name: 'web.1' },
    regarding: { kind: 'Pod', name: 'web', fieldPath: 'spec' },
    note: 'started',
    reason: 'Started',
    type: 'Normal',
    eventTime: '2024-04-16T00:00:00.000000Z',
    reportingController: 'kubelet',
    reportingInstance: 'node-1',
  };
  expect(row(eventV1Columns, event)).toEqual([
    ...['24h', 'Normal', 'Started', 'pod/web', 'spec', 'kubelet, node-1', 'started', '24h', 1, 'web.1'],
  ]);
  const old = {
    deprecatedSource: { component: 'old', host: 'node-2' },
    deprecatedFirstTimestamp: daysAgo(3),
    deprecatedLastTimestamp: daysAgo(2),
    deprecatedCount: 6,
  };
  expect(cells(eventV1Columns, { ...event, ...old })).toMatchObject({
    'Last Seen': '2d',
    Source: 'old, node-2',
    'First Seen': '3d',
    Count: 6,
  });
});
