import { describe, expect, test } from 'vitest';
import type { EventV1, New } from '../../api/objects.ts';
import { events, eventsV1 } from '../../api/resource.ts';
import { createHandler } from '../handler/handler.ts';
import { key, names, record, refusal, world } from './replicas.fixture.ts';

const fresh = (name: string, changes: object = {}): New<EventV1> => ({
  metadata: key(name),
  eventTime: '2024-04-17T00:00:00.000001Z',
  reportingController: 'default-scheduler',
  reportingInstance: 'default-scheduler-node-1',
  action: 'Binding',
  reason: 'Scheduled',
  regarding: { kind: 'Pod', namespace: 'default', name: 'web-1' },
  note: 'Successfully assigned default/web-1 to node-1',
  type: 'Normal',
  ...changes,
});

describe('An Event', () => {
  test('written in one version is the same object in the other', async () => {
    const { server } = await world();
    const created = await server.create(eventsV1, fresh('a'));
    expect(created).toMatchObject({ apiVersion: 'events.k8s.io/v1', kind: 'Event', ...fresh('a') });
    const core = await server.get(events, key('a'));
    expect(core).toMatchObject({
      apiVersion: 'v1',
      metadata: { uid: created.metadata.uid, resourceVersion: created.metadata.resourceVersion },
      involvedObject: { name: 'web-1' },
      message: 'Successfully assigned default/web-1 to node-1',
      reportingComponent: 'default-scheduler',
      eventTime: '2024-04-17T00:00:00.000001Z',
    });
    expect(core).not.toHaveProperty('count');
    expect(await server.get(eventsV1, key('a'))).toBe(await server.get(eventsV1, key('a')));
  });

  test('of the old version has its old fields as deprecated ones in the new version', async () => {
    const { server } = await world();
    await server.create(events, {
      metadata: key('a'),
      involvedObject: { namespace: 'default', name: 'web' },
      message: 'Created pod',
      count: 3,
      firstTimestamp: '2024-04-17T00:00:00Z',
      source: { component: 'replicaset-controller' },
    });
    const { items } = await server.list(eventsV1);
    expect(items).toMatchObject([
      {
        regarding: { name: 'web' },
        note: 'Created pod',
        deprecatedCount: 3,
        deprecatedFirstTimestamp: '2024-04-17T00:00:00Z',
        deprecatedSource: { component: 'replicaset-controller' },
      },
    ]);
  });

  test('can be updated, patched, watched and deleted in either version', async () => {
    const { sim, server } = await world();
    const watch = record(await server.watch(eventsV1, { resourceVersion: '1' }));
    const created = await server.create(eventsV1, fresh('a'));
    const series = { count: 2, lastObservedTime: '2024-04-17T00:00:01.000000Z' };
    await server.update(eventsV1, { ...created, series });
    const body = { series: { count: 3 } };
    const patched = await server.patch(eventsV1, key('a'), { type: 'strategic', body });
    expect(patched).toMatchObject({ apiVersion: 'events.k8s.io/v1', series: { count: 3 } });
    const replace = [{ op: 'replace', path: '/series/count', value: 4 }];
    await server.patch(eventsV1, key('a'), { type: 'json', body: replace });
    expect(await server.delete(eventsV1, key('a'))).toMatchObject({
      details: { group: 'events.k8s.io', kind: 'events', name: 'a' },
    });
    await sim.run({ forMs: 0 });
    expect(watch.events.map(({ type, object }) => `${type} ${(object as EventV1).series?.count}`)).toEqual([
      'ADDED undefined',
      'MODIFIED 2',
      'MODIFIED 3',
      'MODIFIED 4',
      'DELETED 4',
    ]);
    expect(watch.events.every(({ object }) => (object as EventV1).apiVersion === 'events.k8s.io/v1')).toBe(
      true,
    );
  });

  test('is selected by the field names of the requested version', async () => {
    const { server } = await world();
    await server.create(eventsV1, fresh('a'));
    await server.create(eventsV1, fresh('b', { reason: 'Preempted' }));
    const selected = (fieldSelector: string) => server.list(eventsV1, { fieldSelector });
    expect(names(await selected('regarding.name=web-1,reason=Preempted'))).toEqual(['b']);
    expect(names(await selected('reportingController!=default-scheduler'))).toEqual([]);
    expect(await refusal(selected('involvedObject.name=web-1'))).toBe(
      '400 BadRequest: field label not supported: involvedObject.name',
    );
  });

  test('created in the new version must follow its stricter rules', async () => {
    const { server } = await world();
    const refused = (changes: object) => refusal(server.create(eventsV1, fresh('a', changes)));
    expect(await refused({ eventTime: null, type: 'Odd', deprecatedCount: 1 })).toBe(
      '422 Invalid: Event.events.k8s.io "a" is invalid: [eventTime: Required value, type: Invalid value: "": has invalid value: Odd, count: Invalid value: "": needs to be unset]',
    );
    expect(await refused({ reportingController: '' })).toContain('reportingController: Required value');
    expect(await refused({ series: { count: 1 } })).toContain(
      'series.count: Invalid value: "": should be at least 2, series.lastObservedTime: Required value',
    );
    expect(await refused({ message: 'x' })).toMatch(/^400 BadRequest: .*unknown field "message"/);
  });

  test('is immutable in the new version except for its series', async () => {
    const { server } = await world();
    const created = await server.create(eventsV1, fresh('a'));
    expect(await refusal(server.update(eventsV1, { ...created, note: 'x', reason: 'y' }))).toBe(
      '422 Invalid: Event.events.k8s.io "a" is invalid: [reason: Invalid value: "y": field is immutable, message: Invalid value: "x": field is immutable]',
    );
    expect(await refusal(server.update(eventsV1, { ...created, regarding: { name: 'b' } }))).toContain(
      'involvedObject: Invalid value: {"Kind":"","Namespace":"","Name":"b","UID":"","APIVersion":"","ResourceVersion":"","FieldPath":""}: field is immutable',
    );
  });

  test('that is missing is reported under the group of the requested version', async () => {
    const { server } = await world();
    expect(await refusal(server.get(eventsV1, key('a')))).toBe(
      '404 NotFound: events.events.k8s.io "a" not found',
    );
    await server.create(eventsV1, fresh('a'));
    expect(await refusal(server.create(eventsV1, fresh('a')))).toBe(
      '409 AlreadyExists: events.events.k8s.io "a" already exists',
    );
  });

  test('has a path for each version', async () => {
    const { server } = await world();
    await server.create(eventsV1, fresh('a'));
    const handler = createHandler(server);
    const read = async (path: string) =>
      (await handler(new Request(`http://apiserver.test${path}`))).json() as Promise<Record<string, unknown>>;
    expect(await read('/apis/events.k8s.io/v1/namespaces/default/events')).toMatchObject({
      apiVersion: 'events.k8s.io/v1',
      kind: 'EventList',
      items: [{ note: expect.any(String), deprecatedSource: {} }],
    });
    expect(await read('/api/v1/namespaces/default/events/a')).toMatchObject({
      apiVersion: 'v1',
      kind: 'Event',
      message: expect.any(String),
    });
  });
});
