import { describe, expect, test } from 'vitest';
import type { Event } from '../api/objects.ts';
import { events } from '../api/resource.ts';
import type { Cluster } from '../cluster/cluster.ts';
import { recordingAs, writesOf } from '../cluster/recorded-events.fixture.ts';

const world = () => recordingAs('default-scheduler');

const told = ({ storage }: Cluster): Event[] => storage.list(events) as Event[];

const requests = (cluster: Cluster): string[] => writesOf(cluster, 'default-scheduler');

const MINUTE_MS = 60_000;

describe('An event of the scheduler', () => {
  test('names the action and the instance, and has no count', async () => {
    const { cluster, recorder, about } = await world();
    recorder.event(about, 'Normal', 'Scheduled', 'Successfully assigned it');
    await cluster.runFor(10);
    const [event] = told(cluster);
    expect(event).toMatchObject({
      metadata: { namespace: 'default', name: expect.stringMatching(/^web\.[0-9a-f]+$/) },
      involvedObject: { kind: 'ConfigMap', name: 'web', uid: about.metadata.uid },
      type: 'Normal',
      reason: 'Scheduled',
      action: 'Binding',
      message: 'Successfully assigned it',
      eventTime: '2024-04-17T00:00:00.001000Z',
      reportingComponent: 'default-scheduler',
      reportingInstance: 'default-scheduler-control-plane',
    });
    for (const field of ['count', 'series']) expect(event).not.toHaveProperty(field);
    expect([event?.firstTimestamp ?? null, event?.source ?? {}]).toEqual([null, {}]);
  });

  test('becomes a series when it repeats, whatever the message: it is written a second time, then only counted', async () => {
    const { cluster, recorder, about } = await world();
    for (let i = 1; i <= 5; i++) {
      recorder.event(about, 'Warning', 'FailedScheduling', `no room, ${i}`);
      await cluster.runFor(2_000);
    }
    expect(requests(cluster)).toEqual(['create ok', 'patch ok']);
    expect(told(cluster)).toMatchObject([
      {
        message: 'no room, 1',
        action: 'Scheduling',
        series: { count: 2, lastObservedTime: '2024-04-17T00:00:02.001000Z' },
      },
    ]);
  });

  test('is separate for another version of the object', async () => {
    const { cluster, recorder, about } = await world();
    recorder.event(about, 'Warning', 'FailedScheduling', 'no room');
    const later = { ...about, metadata: { ...about.metadata, resourceVersion: '99' } };
    recorder.event(later, 'Warning', 'FailedScheduling', 'no room');
    await cluster.runFor(10);
    expect(told(cluster)).toHaveLength(2);
  });
});

describe('A series', () => {
  test('is written with its count when it ends, and the next event is a new one', async () => {
    const { cluster, recorder, about } = await world();
    for (let i = 0; i < 5; i++) recorder.event(about, 'Warning', 'FailedScheduling', 'no room');
    await cluster.runFor(13 * MINUTE_MS);
    expect(told(cluster)).toMatchObject([{ series: { count: 5 } }]);
    recorder.event(about, 'Warning', 'FailedScheduling', 'no room');
    await cluster.runFor(10);
    expect(told(cluster)).toHaveLength(2);
  });

  test('is written every half hour while it continues', async () => {
    const { cluster, recorder, about } = await world();
    for (let i = 0; i < 31; i++) {
      recorder.event(about, 'Warning', 'FailedScheduling', 'no room');
      await cluster.runFor(MINUTE_MS);
    }
    expect(told(cluster)).toMatchObject([{ series: { count: 30 } }]);
  });

  test('is recreated with its count if the first event is deleted', async () => {
    const { cluster, recorder, about } = await world();
    recorder.event(about, 'Warning', 'FailedScheduling', 'no room');
    await cluster.runFor(10);
    await cluster.admin.deleteCollection(events, { namespace: 'default' });
    recorder.event(about, 'Warning', 'FailedScheduling', 'no room');
    await cluster.runFor(10);
    expect(requests(cluster)).toEqual(['create ok', 'patch NotFound', 'create ok']);
    expect(told(cluster)).toMatchObject([{ series: { count: 2 } }]);
  });
});

describe('An event that cannot be written', () => {
  test('is retried, and delays no other event', async () => {
    const { cluster, recorder, about } = await world();
    const fault = { fault: 'refuse', process: 'default-scheduler', reason: 'TooManyRequests' } as const;
    cluster.nemesis.strike({ ...fault, requests: 1 });
    recorder.event(about, 'Normal', 'Scheduled', 'first');
    recorder.event(about, 'Warning', 'FailedScheduling', 'second');
    await cluster.runFor(500);
    expect(told(cluster).map(({ message }) => message)).toEqual(['second']);
    await cluster.runFor(5_000);
    expect(told(cluster)).toHaveLength(2);
  });

  test('is dropped after twelve tries, or if the server rejects it', async () => {
    const { cluster, recorder, about } = await world();
    const elsewhere = { ...about, metadata: { ...about.metadata, namespace: 'gone' } };
    recorder.event(elsewhere, 'Normal', 'Scheduled', 'x');
    await cluster.runFor(MINUTE_MS);
    expect(requests(cluster)).toEqual(['create NotFound']);
    cluster.nemesis.strike({ fault: 'restart-apiserver', replica: 0, forMs: 5 * MINUTE_MS });
    recorder.event(about, 'Normal', 'Scheduled', 'x');
    await cluster.runFor(10 * MINUTE_MS);
    expect(requests(cluster).slice(1)).toEqual(Array(12).fill('create ECONNREFUSED'));
  });

  test('is not sent by a stopped component', async () => {
    const { cluster, process, recorder, about } = await world();
    process.stop();
    recorder.event(about, 'Normal', 'Scheduled', 'x');
    await cluster.runFor(MINUTE_MS);
    expect(requests(cluster)).toEqual([]);
  });
});
