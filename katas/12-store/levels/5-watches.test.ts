import { describe, expect, test } from 'vitest';
import type { KeyWatchRequest } from '#given/12-store';
import { named, vectors } from '#harness/testing';
import { Watches } from '#kata/12-store/store';
import { changesOf, keyspace, perform, rangeOf, type Step } from './steps.fixture.ts';
import { messagesIn, Reader } from './streams.fixture.ts';

/** A keyspace with its watches. Everything that it writes is on disk at once, unless a test says otherwise. */
function watched(...writes: readonly string[]) {
  const space = keyspace(...writes);
  const watches = new Watches(space, async () => {});
  const open = (request: KeyWatchRequest) => {
    const watch = watches.open(request);
    const reader = new Reader(watch);
    return { watch, reader, read: async () => messagesIn(await reader.read()) };
  };
  /** Writes changes: `a=1 -b`. */
  const write = (text: string): void => {
    space.write(changesOf(text));
    watches.advance(space.revision);
  };
  return { space, watches, open, write };
}

interface Expected {
  readonly events?: readonly {
    readonly type: 'PUT' | 'DELETE';
    readonly key: string;
    readonly value?: string;
    readonly mod: number;
    readonly create?: number;
    readonly version?: number;
    readonly prev?: string;
  }[];
  readonly compactRevision?: number;
}

describe('Level 5 · Watches', () => {
  test('A watch gets each change of its range from now on', async () => {
    const { open, write } = watched('p/a=1');
    const { read } = open(rangeOf('p/'));
    expect(await read()).toEqual([]);
    write('p/b=1');
    write('q=1');
    write('-p/a');
    expect(await read()).toEqual(['put p/b=1 @3', 'delete p/a @5 before 1']);
  });

  test('A watch from a revision begins with this revision', async () => {
    const { open, write } = watched('a=1', 'a=2', 'a=3');
    const { read } = open({ key: 'a', startRevision: 3 });
    expect(await read()).toEqual(['put a=2 @3 before 1', 'put a=3 @4 before 2']);
    write('a=4');
    expect(await read()).toEqual(['put a=4 @5 before 3']);
  });

  test('A watch from the future begins then', async () => {
    const { open, write } = watched('a=1');
    const { read } = open({ key: 'a', startRevision: 4 });
    write('a=2');
    write('a=3');
    write('a=4');
    expect(await read()).toEqual(['put a=3 @4 before 2', 'put a=4 @5 before 3']);
  });

  test('The changes of a revision come in one message', async () => {
    const { open, write } = watched('a=1 b=1', 'c=1');
    const { read } = open({ key: 'a', end: 'z', startRevision: 2 });
    write('-a b=2');
    expect(await read()).toEqual([
      'put a=1 @2, put b=1 @2',
      'put c=1 @3',
      'delete a @4 before 1, put b=2 @4 before 1',
    ]);
  });

  test('A message has at least the revision of its changes', async () => {
    const { open, write } = watched('a=1', 'a=2');
    const { reader } = open({ key: 'a', startRevision: 2 });
    write('a=3');
    const messages = await reader.read();
    for (const { revision, events } of messages)
      for (const { kv } of events) expect(revision).toBeGreaterThanOrEqual(kv.modRevision);
    expect(messages).toHaveLength(3);
  });

  test('Two watches do not disturb each other', async () => {
    const { open, write } = watched();
    const [one, other] = [open({ key: 'a' }), open({ key: 'b' })];
    write('a=1');
    one.watch.stop();
    write('a=2 b=1');
    expect(await one.read()).toEqual([]);
    expect(one.reader.ended).toBe(true);
    expect(await other.read()).toEqual(['put b=1 @3']);
  });

  test('Progress reports the revision, although no change came', async () => {
    const { open, write } = watched();
    const { watch, read } = open({ key: 'a' });
    write('a=1');
    write('b=1');
    watch.requestProgress();
    expect(await read()).toEqual(['put a=1 @2', 'progress 3']);
  });

  test('A watch shows only changes on disk', async () => {
    const { space, watches, open } = watched('a=1');
    const { watch, read } = open({ key: 'a', startRevision: 2 });
    space.write(changesOf('a=2'));
    space.write(changesOf('a=3'));
    watch.requestProgress();
    expect(await read()).toEqual(['put a=1 @2', 'progress 2']);
    const second = open({ key: 'a', startRevision: 3 });
    expect(await second.read()).toEqual([]);
    watches.advance(3);
    expect(await read()).toEqual(['put a=2 @3 before 1']);
    expect(await second.read()).toEqual(['put a=2 @3 before 1']);
  });

  test('A watch that begins before the compaction ends with its revision', async () => {
    const { space, open, write } = watched('a=1', 'a=2', 'a=3');
    space.compact(3);
    const { reader, read } = open({ key: 'a', startRevision: 2 });
    expect(await read()).toEqual(['compacted 3']);
    write('a=4');
    expect(await read()).toEqual([]);
    expect(reader.ended).toBe(true);
  });

  test('A compaction does not end a watch that is open already', async () => {
    const { space, open, write } = watched('a=1', 'a=2');
    const { reader, read } = open({ key: 'a', startRevision: 2 });
    space.compact(3);
    write('a=3');
    expect(await read()).toEqual(['put a=1 @2', 'put a=2 @3 before 1', 'put a=3 @4 before 2']);
    expect(reader.ended).toBe(false);
  });

  test.each(named(vectors<{ readonly steps: readonly Step[] }, Expected>('etcd-kv', 'watch', 4)))(
    'As etcd: %s',
    async (_, { input: { steps }, expect: expected }) => {
      const { space } = perform({ steps: steps.slice(0, -1) });
      const { watch = '', revision = 0 } = steps.at(-1) ?? {};
      const stream = new Watches(space, async () => {}).open({ key: watch, startRevision: revision });
      const messages = await new Reader(stream).read();
      const [first] = messages;
      if (expected.compactRevision) expect(first?.compactRevision).toBe(expected.compactRevision);
      const events = messages.flatMap((message) =>
        message.events.map(({ type, kv, previous }) => ({
          type,
          key: kv.key,
          ...(type === 'PUT' && { value: kv.value }),
          mod: kv.modRevision,
          ...(type === 'PUT' && { create: kv.createRevision, version: kv.version }),
          ...(previous && { prev: previous.value }),
        })),
      );
      expect(events).toEqual(expected.events ?? []);
    },
  );
});
