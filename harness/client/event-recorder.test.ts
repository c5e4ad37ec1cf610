import { describe, expect, test } from 'vitest';
import type { Event } from '../api/objects.ts';
import { configMaps, events, nodes } from '../api/resource.ts';
import type { Cluster } from '../cluster/cluster.ts';
import { recordingAs, writesOf } from '../cluster/recorded-events.fixture.ts';

const world = () => recordingAs('web-controller');

/** Returns the stored events in the order of their creation. */
function told({ storage }: Cluster): Event[] {
  const all = storage.list(events) as Event[];
  const since = (event: Event): number => Number.parseInt(event.metadata.name.split('.').at(-1) ?? '', 16);
  return all.sort((a, b) => since(a) - since(b));
}

const messages = (cluster: Cluster): string[] =>
  told(cluster).map(({ message, count }) => `${count} × ${message}`);

const requests = (cluster: Cluster): string[] => writesOf(cluster, 'web-controller');

describe('An event', () => {
  test('names the object, the reason, the component and the time', async () => {
    const { cluster, recorder, about } = await world();
    recorder.event(about, 'Normal', 'Created', 'Created it');
    await cluster.runFor(10);
    const [event] = told(cluster);
    expect(event).toMatchObject({
      metadata: { namespace: 'default' },
      involvedObject: {
        apiVersion: 'v1',
        kind: 'ConfigMap',
        namespace: 'default',
        name: 'web',
        uid: about.metadata.uid,
        resourceVersion: about.metadata.resourceVersion,
      },
      type: 'Normal',
      reason: 'Created',
      message: 'Created it',
      source: { component: 'web-controller' },
      reportingComponent: 'web-controller',
      firstTimestamp: '2024-04-17T00:00:00Z',
      lastTimestamp: '2024-04-17T00:00:00Z',
      count: 1,
    });
  });

  test("has a unique name: the object's name and the nanosecond", async () => {
    const { cluster, recorder, about } = await world();
    for (let i = 0; i < 5; i++) recorder.event(about, 'Normal', `Reason${i}`, 'x');
    await cluster.runFor(100);
    const names = told(cluster).map(({ metadata }) => metadata.name);
    expect(new Set(names).size).toBe(5);
    for (const name of names) {
      const [, hex = ''] = /^web\.([0-9a-f]+)$/.exec(name) ?? [];
      expect(new Date(Number(BigInt(`0x${hex}`) / 1_000_000n)).toISOString()).toBe(
        '2024-04-17T00:00:00.001Z',
      );
    }
  });

  test("has a random name if the object's name is not valid in it", async () => {
    const { cluster, recorder, about } = await world();
    const odd = { ...about, metadata: { ...about.metadata, name: 'system:node' } };
    recorder.event(odd, 'Normal', 'Created', 'x');
    await cluster.runFor(10);
    expect(told(cluster).map(({ metadata }) => metadata.name)).toEqual([
      expect.stringMatching(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/),
    ]);
  });

  test('about an object without a namespace is in the namespace default', async () => {
    const { cluster, recorder } = await world();
    const node = await cluster.admin.create(nodes, { metadata: { name: 'node-1' } } as never);
    recorder.event(node, 'Warning', 'Lost', 'It is lost');
    await cluster.runFor(10);
    expect(told(cluster)).toMatchObject([
      { metadata: { namespace: 'default' }, involvedObject: { kind: 'Node', name: 'node-1' } },
    ]);
  });

  test('is sent without delaying the caller', async () => {
    const { cluster, recorder, about } = await world();
    expect(recorder.event(about, 'Normal', 'Created', 'x')).toBeUndefined();
    expect(requests(cluster)).toEqual([]);
  });
});

describe('Repeated events', () => {
  test('are counted in the first one', async () => {
    const { cluster, recorder, about } = await world();
    for (let i = 0; i < 3; i++) {
      recorder.event(about, 'Warning', 'Failed', 'no luck');
      await cluster.runFor(2_000);
    }
    expect(requests(cluster)).toEqual(['create ok', 'patch ok', 'patch ok']);
    expect(told(cluster)).toMatchObject([
      { count: 3, firstTimestamp: '2024-04-17T00:00:00Z', lastTimestamp: '2024-04-17T00:00:04Z' },
    ]);
  });

  test('are recreated with their count if the first one is deleted', async () => {
    const { cluster, recorder, about } = await world();
    recorder.event(about, 'Warning', 'Failed', 'no luck');
    await cluster.runFor(10);
    await cluster.admin.deleteCollection(events, { namespace: 'default' });
    recorder.event(about, 'Warning', 'Failed', 'no luck');
    await cluster.runFor(10);
    expect(requests(cluster)).toEqual(['create ok', 'patch NotFound', 'create ok']);
    expect(messages(cluster)).toEqual(['2 × no luck']);
  });

  test('are separate if they differ in object, type or reason', async () => {
    const { cluster, recorder, about } = await world();
    const other = await cluster.admin.create(configMaps, { metadata: { namespace: 'default', name: 'b' } });
    recorder.event(about, 'Normal', 'Failed', 'no luck');
    recorder.event(about, 'Warning', 'Failed', 'no luck');
    recorder.event(about, 'Normal', 'Lost', 'no luck');
    recorder.event(other, 'Normal', 'Failed', 'no luck');
    await cluster.runFor(100);
    expect(messages(cluster)).toEqual(Array(4).fill('1 × no luck'));
  });
});

describe('Events with different messages', () => {
  test('are separate if they are about different parts of an object', async () => {
    const { cluster, recorder, about } = await world();
    const { namespace = '', name, uid } = about.metadata;
    const whole = { apiVersion: 'v1', kind: 'ConfigMap', namespace, name, uid };
    const part = (fieldPath: string) => ({ ...whole, fieldPath });
    recorder.event(part('data{a}'), 'Normal', 'Created', 'Created it');
    recorder.event(part('data{b}'), 'Normal', 'Created', 'Created it');
    await cluster.runFor(10);
    expect(messages(cluster)).toEqual(['1 × Created it', '1 × Created it']);
  });

  test('are combined from the tenth on', async () => {
    const { cluster, recorder, about } = await world();
    for (let i = 1; i <= 12; i++) recorder.event(about, 'Normal', 'Created', `Created pod: web-${i}`);
    await cluster.runFor(1_000);
    const all = messages(cluster);
    expect(all.slice(0, 9)).toEqual(Array.from({ length: 9 }, (_, i) => `1 × Created pod: web-${i + 1}`));
    expect(all.slice(9)).toEqual(['3 × (combined from similar events): Created pod: web-12']);
  });

  test('are sent one by one again after ten minutes without any', async () => {
    const { cluster, recorder, about } = await world();
    for (let i = 1; i <= 10; i++) recorder.event(about, 'Normal', 'Created', `Created pod: web-${i}`);
    await cluster.runFor(600_100);
    recorder.event(about, 'Normal', 'Created', 'Created pod: web-11');
    await cluster.runFor(1_000);
    expect(messages(cluster).at(-1)).toBe('1 × Created pod: web-11');
  });
});

describe('An object with many events', () => {
  test('gets twenty-five at once, then one every five minutes; all are counted', async () => {
    const { cluster, recorder, about } = await world();
    for (let i = 0; i < 30; i++) recorder.event(about, 'Warning', 'Failed', 'no luck');
    await cluster.runFor(1_000);
    expect(messages(cluster)).toEqual(['25 × no luck']);
    await cluster.runFor(300_000);
    for (let i = 0; i < 3; i++) recorder.event(about, 'Warning', 'Failed', 'no luck');
    await cluster.runFor(1_000);
    expect(messages(cluster)).toEqual(['31 × no luck']);
    expect(requests(cluster)).toHaveLength(26);
  });

  test('has a separate limit for each type', async () => {
    const { cluster, recorder, about } = await world();
    for (let i = 0; i < 30; i++) recorder.event(about, 'Warning', 'Failed', 'no luck');
    for (let i = 0; i < 30; i++) recorder.event(about, 'Normal', 'Tried', 'some luck');
    await cluster.runFor(1_000);
    expect(messages(cluster)).toEqual(['25 × no luck', '25 × some luck']);
  });

  test('does not affect other objects', async () => {
    const { cluster, recorder, about } = await world();
    const other = await cluster.admin.create(configMaps, { metadata: { namespace: 'default', name: 'b' } });
    for (let i = 0; i < 30; i++) recorder.event(about, 'Warning', 'Failed', 'no luck');
    recorder.event(other, 'Warning', 'Failed', 'no luck');
    await cluster.runFor(1_000);
    expect(messages(cluster)).toEqual(['25 × no luck', '1 × no luck']);
  });
});

describe('An event that cannot be written', () => {
  test('waits for the server to return, and delays all later events', async () => {
    const { cluster, recorder, about } = await world();
    cluster.nemesis.strike({ fault: 'restart-apiserver', replica: 0, forMs: 35_000 });
    recorder.event(about, 'Normal', 'First', 'x');
    recorder.event(about, 'Normal', 'Second', 'x');
    await cluster.runFor(30_000);
    expect(messages(cluster)).toEqual([]);
    expect(requests(cluster).every((line) => line === 'create ECONNREFUSED')).toBe(true);
    await cluster.runFor(20_000);
    expect(told(cluster).map(({ reason }) => reason)).toEqual(['First', 'Second']);
    expect(requests(cluster).slice(-2)).toEqual(['create ok', 'create ok']);
  });

  test('is dropped after twelve tries', async () => {
    const { cluster, recorder, about } = await world();
    cluster.nemesis.strike({ fault: 'restart-apiserver', replica: 0, forMs: 150_000 });
    recorder.event(about, 'Normal', 'First', 'x');
    await cluster.runFor(300_000);
    expect(requests(cluster)).toEqual(Array(12).fill('create ECONNREFUSED'));
    recorder.event(about, 'Normal', 'Second', 'x');
    await cluster.runFor(10);
    expect(told(cluster).map(({ reason }) => reason)).toEqual(['Second']);
  });

  test('is dropped if the server rejects it', async () => {
    const { cluster, recorder, about } = await world();
    const elsewhere = { ...about, metadata: { ...about.metadata, namespace: 'gone' } };
    recorder.event(elsewhere, 'Normal', 'First', 'x');
    recorder.event(about, 'Normal', 'Second', 'x');
    await cluster.runFor(60_000);
    expect(requests(cluster)).toEqual(['create NotFound', 'create ok']);
  });

  test('is retried if the server sends Retry-After', async () => {
    const { cluster, recorder, about } = await world();
    const fault = { fault: 'refuse', process: 'web-controller', reason: 'TooManyRequests' } as const;
    cluster.nemesis.strike({ ...fault, requests: 2 });
    recorder.event(about, 'Normal', 'First', 'x');
    await cluster.runFor(5_000);
    expect(requests(cluster)).toEqual(['create TooManyRequests', 'create TooManyRequests', 'create ok']);
  });

  test('is dropped at once if a thousand are waiting', async () => {
    const { cluster, recorder, about } = await world();
    for (let i = 0; i < 2_000; i++) recorder.event({ ...about, kind: `Kind${i}` }, 'Normal', 'First', 'x');
    await cluster.runFor(60_000);
    // One request was in flight.
    expect(requests(cluster)).toHaveLength(1_001);
  });
});

describe('A recorder whose component is stopped', () => {
  test('sends no further event', async () => {
    const { cluster, process, recorder, about } = await world();
    recorder.event(about, 'Normal', 'First', 'x');
    recorder.event(about, 'Normal', 'Second', 'x');
    await cluster.runFor(1);
    process.stop();
    recorder.event(about, 'Normal', 'Third', 'x');
    await cluster.runFor(300_000);
    expect(requests(cluster)).toEqual(['create ok']);
  });

  test('retries no event', async () => {
    const { cluster, process, recorder, about } = await world();
    cluster.nemesis.strike({ fault: 'restart-apiserver', replica: 0, forMs: 5_000 });
    recorder.event(about, 'Normal', 'First', 'x');
    await cluster.runFor(4);
    process.stop();
    await cluster.runFor(300_000);
    expect(requests(cluster)).toEqual(['create ECONNREFUSED']);
  });
});
