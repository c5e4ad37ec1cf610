import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { KubeObject, List } from '../../api/objects.ts';
import { configMaps, pods } from '../../api/resource.ts';
import { StatusError } from '../../api/status.ts';
import type { ListOptions } from '../../contracts/client.ts';
import { configMap, createAll, key, names, refusal, world } from './replicas.fixture.ts';

const text = (list: List<KubeObject>): string => `${names(list).join('')}@${list.metadata.resourceVersion}`;

/**
 * Creates a at revision 2, b at 3 and c at 4; `server` has seen revision 3. The listed names and the revision show
 * which state was read: the newest, the replica's, or an exact one.
 */
async function staleReplica() {
  const made = await world();
  await createAll(made, 'a', 'b');
  made.server.cache.hold();
  await createAll(made, 'c');
  return made;
}

describe('List: which state is read', () => {
  // https://kubernetes.io/docs/reference/using-api/api-concepts/#semantics-for-get-and-list
  const table: readonly [options: ListOptions, read: string][] = [
    // '0': any state; the cache returns its whole state.
    [{ resourceVersion: '0' }, 'ab@3'],
    [{ resourceVersion: '0', limit: 1 }, 'ab@3'],
    [{ resourceVersion: '0', resourceVersionMatch: 'NotOlderThan' }, 'ab@3'],
    [{ resourceVersion: '0', resourceVersionMatch: 'NotOlderThan', limit: 1 }, 'ab@3'],
    // Other revisions: not older than; with a limit, exact.
    [{ resourceVersion: '2' }, 'ab@3'],
    [{ resourceVersion: '3' }, 'ab@3'],
    [{ resourceVersion: '2', limit: 9 }, 'a@2'],
    [{ resourceVersion: '3', limit: 1 }, 'a@3'],
    [{ resourceVersion: '2', resourceVersionMatch: 'NotOlderThan' }, 'ab@3'],
    [{ resourceVersion: '2', resourceVersionMatch: 'NotOlderThan', limit: 9 }, 'ab@3'],
    [{ resourceVersion: '2', resourceVersionMatch: 'NotOlderThan', limit: 1 }, 'a@3'],
    [{ resourceVersion: '2', resourceVersionMatch: 'Exact' }, 'a@2'],
    [{ resourceVersion: '1', resourceVersionMatch: 'Exact' }, '@1'],
    [{ resourceVersion: '3', resourceVersionMatch: 'Exact', limit: 1 }, 'a@3'],
  ];
  test.each(table)('%j returns %s at once', async (options, read) => {
    const { sim, server } = await staleReplica();
    expect(text(await server.list(configMaps, options))).toBe(read);
    expect(sim.elapsedMs).toBe(0);
  });

  test('is covered by a table of fourteen cases', () => expect(table).toHaveLength(14));

  // The server waits three seconds for the newest state or an unseen revision.
  const late: readonly [options: ListOptions, read: string][] = [
    [{}, 'abc@4'],
    [{ limit: 9 }, 'abc@4'],
    [{ limit: 1 }, 'a@4'],
    [{ resourceVersion: '4' }, 'abc@4'],
    [{ resourceVersion: '4', limit: 1 }, 'a@4'],
    [{ resourceVersion: '4', resourceVersionMatch: 'Exact' }, 'abc@4'],
  ];
  test.each(late)('%j waits for the replica and returns %s', async (options, read) => {
    const { sim, server } = await staleReplica();
    const listed = server.list(configMaps, options);
    sim.schedule(2_000, 'test', 'release', () => server.cache.release());
    expect(text(await sim.settle(listed))).toBe(read);
    expect(sim.elapsedMs).toBe(2_000);
  });

  test.each(late.slice(0, 3))('%j reads from storage if the replica takes longer', async (options, read) => {
    const { sim, server } = await staleReplica();
    expect(text(await sim.settle(server.list(configMaps, options)))).toBe(read);
    expect(sim.elapsedMs).toBe(3_000);
  });

  test.each(late.slice(3))('%j times out if the replica takes longer', async (options) => {
    const { sim, server } = await staleReplica();
    expect(await refusal(sim.settle(server.list(configMaps, options)))).toBe(
      '504 Timeout: Timeout: Too large resource version: 4, current: 3',
    );
    expect(sim.elapsedMs).toBe(3_000);
  });

  test('an aborted request stops waiting', async () => {
    const { sim, server } = await staleReplica();
    const [abort, reason] = [new AbortController(), new Error('enough')];
    const listed = server.list(configMaps, { signal: abort.signal }).catch((error: unknown) => error);
    abort.abort(reason);
    expect(await listed).toBe(reason);
    expect([sim.elapsedMs, sim.pending]).toEqual([0, 0]);
  });

  test.each([
    [
      { resourceVersionMatch: 'Exact' },
      'resourceVersionMatch is forbidden unless resourceVersion is provided',
    ],
    [{ resourceVersion: '0', resourceVersionMatch: 'Exact' }, '"exact" is forbidden for resourceVersion "0"'],
  ] as const)('%j is rejected', async (options, why) => {
    const { server } = await staleReplica();
    const told = await refusal(server.list(configMaps, options));
    expect(told).toContain('422 Invalid: ');
    expect(told).toContain(why);
  });

  test.each([
    ['abc', 'strconv.ParseUint: parsing "abc": invalid syntax'],
    ['-1', 'strconv.ParseUint: parsing "-1": invalid syntax'],
    ['1.0', 'strconv.ParseUint: parsing "1.0": invalid syntax'],
    ['18446744073709551616', 'strconv.ParseUint: parsing "18446744073709551616": value out of range'],
  ])('%s is not a valid resourceVersion', async (resourceVersion, why) => {
    const { server } = await world();
    const told = `resourceVersion: Invalid value: "${resourceVersion}": ${why}`;
    expect(await refusal(server.list(configMaps, { resourceVersion }))).toBe(
      `400 BadRequest: invalid resource version: ${told}`,
    );
    // These two return an error without a specific status.
    expect(await refusal(server.get(configMaps, key('a'), { resourceVersion }))).toBe(
      `500 InternalError: ${told}`,
    );
    expect(await refusal(server.watch(configMaps, { resourceVersion }))).toBe(`500 InternalError: ${told}`);
  });

  test('a compacted revision is expired if it must match exactly, but not as a minimum', async () => {
    const { storage, server } = await staleReplica();
    storage.compact(4);
    const exact = { resourceVersion: '2', resourceVersionMatch: 'Exact' } as const;
    expect(await refusal(server.list(configMaps, exact))).toBe(
      '410 Expired: The resourceVersion for the provided list is too old.',
    );
    expect(text(await server.list(configMaps, { resourceVersion: '2' }))).toBe('ab@3');
  });
});

describe('Get: which state is read', () => {
  test('reads the newest state without a resourceVersion, and the replica’s state with one', async () => {
    const { sim, server } = await staleReplica();
    expect((await server.get(configMaps, key('c'))).metadata.name).toBe('c');
    expect(await refusal(server.get(configMaps, key('c'), { resourceVersion: '0' }))).toMatch(
      /^404 NotFound/,
    );
    expect(await refusal(server.get(configMaps, key('c'), { resourceVersion: '3' }))).toMatch(
      /^404 NotFound/,
    );
    expect(await refusal(sim.settle(server.get(configMaps, key('c'), { resourceVersion: '4' })))).toMatch(
      /^504 Timeout/,
    );
  });

  test('still finds a deleted object at a stale replica', async () => {
    const { server, other } = await staleReplica();
    await other.delete(configMaps, key('a'));
    expect(await refusal(server.get(configMaps, key('a')))).toMatch(/^404 NotFound/);
    expect((await server.get(configMaps, key('a'), { resourceVersion: '0' })).metadata.resourceVersion).toBe(
      '2',
    );
  });
});

describe('List: page by page', () => {
  test('Consistent: pages of any size show the state of the first one, despite writes in between', async () => {
    const write = fc.record({
      name: fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f'),
      page: fc.nat({ max: 6 }),
    });
    await fc.assert(
      fc.asyncProperty(
        fc.subarray(['a', 'b', 'c', 'd', 'e', 'f']),
        fc.integer({ min: 1, max: 4 }),
        fc.array(write, { maxLength: 8 }),
        async (present, limit, writes) => {
          const made = await world();
          const { server, other, storage } = made;
          await createAll(made, ...present);
          const whole = await server.list(configMaps);
          const items: KubeObject[] = [];
          let token: string | undefined;
          for (let page = 0; page === 0 || token !== undefined; page++) {
            // Another replica continues: the first one keeps no state about the list.
            const replica = page % 2 === 0 ? server : other;
            const list = await replica.list(configMaps, { limit, ...(token ? { continue: token } : {}) });
            expect(list.metadata.resourceVersion).toBe(whole.metadata.resourceVersion);
            items.push(...list.items);
            expect(list.metadata.remainingItemCount ?? 0).toBe(present.length - items.length);
            token = list.metadata.continue;
            for (const { name } of writes.filter((each) => each.page === page)) {
              if (storage.get(configMaps, key(name))) await server.delete(configMaps, key(name));
              else await server.create(configMaps, configMap(name));
            }
          }
          expect(items).toEqual(whole.items);
        },
      ),
    );
  });

  test('does not count the remaining items of a selector, and does not check whether they match', async () => {
    const { server } = await world();
    await server.create(configMaps, { ...configMap('a'), metadata: { ...key('a'), labels: { x: 'y' } } });
    await server.create(configMaps, configMap('b'));
    const selection = { limit: 1, labelSelector: 'x' };
    const { metadata } = await server.list(configMaps, selection);
    expect([typeof metadata.continue, metadata.remainingItemCount]).toEqual(['string', undefined]);
    const rest = await server.list(configMaps, { ...selection, continue: metadata.continue ?? '' });
    expect([names(rest), rest.metadata.continue]).toEqual([[], undefined]);
  });

  test("recognizes the last page of a node's pods, which have an index", async () => {
    const { server } = await world();
    const spec = { containers: [{ name: 'a', image: 'a' }] };
    for (const name of ['a', 'b']) await server.create(pods, { metadata: key(name), spec });
    await server.bind(key('a'), 'node-1');
    const onNode = { fieldSelector: 'spec.nodeName=node-1', limit: 1 };
    for (const resourceVersion of ['', '3']) {
      const { items, metadata } = await server.list(pods, {
        ...onNode,
        resourceVersion,
        ...(resourceVersion ? { resourceVersionMatch: 'NotOlderThan' } : {}),
      });
      expect([items.length, metadata.continue]).toEqual([1, undefined]);
    }
  });

  test('answers an expired token with a new one that continues inconsistently', async () => {
    const made = await world();
    const { server, storage } = made;
    await createAll(made, 'a', 'b', 'c');
    const { continue: token = '' } = (await server.list(configMaps, { limit: 1 })).metadata;
    await server.delete(configMaps, key('b'));
    await createAll(made, 'd');
    storage.compact(storage.revision);

    const error = await server.list(configMaps, { limit: 1, continue: token }).catch((it: unknown) => it);
    expect(error).toBeInstanceOf(StatusError);
    const { status } = error as StatusError;
    expect([status.code, status.reason]).toEqual([410, 'Expired']);
    expect(status.message).toMatch(
      /^The provided continue parameter is too old to display a consistent list result\./,
    );
    const rest = await server.list(configMaps, { limit: 1, continue: status.metadata?.continue ?? '' });
    expect(text(rest)).toBe(`c@${storage.revision}`);
    expect(text(await server.list(configMaps, { continue: rest.metadata.continue ?? '' }))).toBe(
      `d@${storage.revision}`,
    );
  });

  test('rejects a token together with a resourceVersion', async () => {
    const made = await world();
    const resourceVersion = await createAll(made, 'a', 'b', 'c');
    const { continue: token = '' } = (await made.server.list(configMaps, { limit: 1 })).metadata;
    expect(await refusal(made.server.list(configMaps, { continue: token, resourceVersion }))).toBe(
      '400 BadRequest: specifying resource version is not allowed when using continue',
    );
    // '0' allows a token but, as always, ignores the limit.
    const any = { continue: token, resourceVersion: '0', limit: 1 };
    expect(names(await made.server.list(configMaps, any))).toEqual(['b', 'c']);
  });

  const forged = (token: unknown): string => Buffer.from(JSON.stringify(token)).toString('base64url');
  const v = 'meta.k8s.io/v1';

  test('encodes the name in a token of a namespace, and the namespace, too, in a token of all namespaces', async () => {
    const made = await world();
    await createAll(made, 'a', 'b');
    const startOf = async (options: ListOptions): Promise<unknown> => {
      const { metadata } = await made.server.list(configMaps, { ...options, limit: 1 });
      return JSON.parse(Buffer.from(metadata.continue ?? '', 'base64url').toString());
    };
    expect(await startOf({ namespace: 'default' })).toEqual({ v, rv: 3, start: 'a\0' });
    expect(await startOf({})).toEqual({ v, rv: 3, start: 'default/a\0' });
  });

  test('a forged token cannot leave the requested list', async () => {
    const made = await world();
    await createAll(made, 'a', 'b');
    const list = (start: string, namespace?: string) =>
      made.server.list(configMaps, {
        continue: forged({ v, rv: 3, start }),
        ...(namespace ? { namespace } : {}),
      });
    expect(names(await list('b', 'default'))).toEqual(['b']);
    expect(names(await list('/', 'default'))).toEqual(['a', 'b']);
    expect(names(await list('default/b', 'other'))).toEqual([]);
    for (const start of ['../default/a', 'a/../b', 'a//b', 'a/', './a']) {
      expect(await refusal(list(start, 'other'))).toBe(
        `400 BadRequest: invalid continue token: continue key is not valid: ${start}`,
      );
    }
  });

  test('a forged revision counts like a requested one', async () => {
    const made = await world();
    const { sim, server, storage } = made;
    await createAll(made, 'a', 'b');
    const at = (rv: number) => server.list(configMaps, { continue: forged({ v, rv, start: 'default/a' }) });
    expect(text(await at(2))).toBe('a@2');
    expect(await refusal(sim.settle(at(9)))).toBe(
      '504 Timeout: Timeout: Too large resource version: 9, current: 3',
    );
    storage.compact(3);
    expect(await refusal(at(2))).toMatch(/^410 Expired: The provided continue parameter is too old/);
    expect(text(await at(-7))).toBe('ab@3');
  });

  test.each([
    ['???', 'illegal base64 data at input byte 0'],
    ['YQ==', 'illegal base64 data at input byte 2'],
    ['aaaaa', 'illegal base64 data at input byte 4'],
    [Buffer.from('it').toString('base64url'), "invalid character 'i' looking for beginning of value"],
    [forged([]), 'json: cannot unmarshal array into Go value of type storage.continueToken'],
    [
      forged({ rv: 'x' }),
      'json: cannot unmarshal string into Go struct field continueToken.rv of type int64',
    ],
    [
      forged({ rv: 1.5 }),
      'json: cannot unmarshal number 1.5 into Go struct field continueToken.rv of type int64',
    ],
    [forged(null), 'server does not recognize this encoded version '],
    [forged({ v: 'v2' }), 'server does not recognize this encoded version v2'],
    [forged({ v, start: 'a' }), 'incorrect encoded start resourceVersion (version meta.k8s.io/v1)'],
    [forged({ v, rv: 5 }), 'encoded start key empty (version meta.k8s.io/v1)'],
  ])('%s is not a valid token', async (token, why) => {
    const { server } = await world();
    expect(await refusal(server.list(pods, { continue: token }))).toBe(
      `400 BadRequest: invalid continue token: continue key is not valid: ${why}`,
    );
  });
});
