import { describe, expect, test } from 'vitest';
import { parseIP } from '#harness';
import { type MachineFiles, named, vectors } from '#harness/testing';
import { add, allocate, check, del } from '#kata/51-ipam/ipam';
import {
  answer,
  type Call,
  contents,
  DIRECTORY,
  locked,
  machine,
  owner,
  requestOn,
  reservations,
  run,
} from './machine.fixture.ts';
import { describeStep, messageOf, type RawRange, setOf } from './ranges.fixture.ts';

/** Allocates an address of a set for a container; returns the error message if that fails. */
const get = (files: MachineFiles, containerID: string, ranges: readonly RawRange[], index = 0) =>
  locked(files, (store) =>
    allocate(store, { set: setOf(...ranges), index, owner: owner(containerID) }),
  ).catch((error: Error) => error.message);

const small: readonly RawRange[] = [{ subnet: '10.1.2.0/29' }];
const dual = {
  ipam: {
    ranges: [[{ subnet: '10.1.2.0/29' }], [{ subnet: '2001:db8:1::/126' }]],
    routes: [{ dst: '::/0' }],
  },
};

interface AllocateRow {
  readonly subnets: readonly string[];
  readonly used: readonly string[];
  readonly lastReserved: string | null;
}

interface Step {
  readonly get: string;
  readonly ip?: string;
}

interface PluginStep {
  readonly ADD?: string;
  readonly DEL?: string;
  readonly ifname: string;
}

interface PluginRow {
  readonly ranges: readonly (readonly RawRange[])[];
  readonly routes?: readonly unknown[];
  readonly steps: readonly PluginStep[];
}

interface PluginResult {
  readonly ips?: readonly object[];
  readonly error?: boolean;
  readonly files?: Readonly<Record<string, string>>;
  readonly removedFiles?: readonly string[];
}

describe('Level 5 · ADD, DEL and CHECK', () => {
  test('allocates the first free address, and then the next one', async () => {
    const files = machine();
    expect(
      await get(files, 'a', small),
      'the first offer (offers, Level 2) that is not reserved (Store.reserve, Level 3)',
    ).toEqual({ address: '10.1.2.2/29', gateway: '10.1.2.1' });
    expect(await get(files, 'b', small), '10.1.2.2 is taken, so the next offer').toEqual({
      address: '10.1.2.3/29',
      gateway: '10.1.2.1',
    });
  });

  test('continues after the last allocated address, although an earlier one was released', async () => {
    const files = machine();
    for (const container of ['a', 'b', 'c']) await get(files, container, small);
    await del(requestOn(files, { containerID: 'b' }));
    const next = [];
    for (const container of ['d', 'e', 'f']) next.push(await get(files, container, small));
    expect(
      next,
      'the next three addresses: the released address 10.1.2.3 comes last, because the order continues after the last allocated one',
    ).toMatchObject([{ address: '10.1.2.5/29' }, { address: '10.1.2.6/29' }, { address: '10.1.2.3/29' }]);
  });

  test('rejects a container that has an address of this set', async () => {
    const files = machine();
    await get(files, 'a', small);
    expect(
      await get(files, 'a', small),
      'a container that has an address of this set must be refused: look with Store.addressesOf (Level 4) before you reserve',
    ).toBe('10.1.2.2 has been allocated to a, duplicate allocation is not allowed');
    expect(Object.keys(reservations(files)), 'a refused allocate must reserve nothing').toEqual(['10.1.2.2']);
  });

  test('accepts a container that has an address of another set', async () => {
    const files = machine();
    await get(files, 'a', small, 0);
    expect(
      await get(files, 'a', [{ subnet: '10.1.3.0/30' }], 1),
      'the container has an address of set 0 only',
    ).toMatchObject({ address: '10.1.3.2/30' });
  });

  test('fails with the ranges of the set if no address is free', async () => {
    const files = machine();
    const ranges = [{ subnet: '10.1.2.0/30' }, { subnet: '10.1.3.0/30' }];
    for (const container of ['a', 'b']) await get(files, container, ranges);
    expect(await get(files, 'c', ranges), 'the error of a full set names its ranges').toBe(
      'no IP addresses available in range set: 10.1.2.1-10.1.2.2,10.1.3.1-10.1.3.2',
    );
  });

  test('ADD returns one address of each set, and the routes', async () => {
    const files = machine();
    expect(
      await add(requestOn(files, { containerID: 'a', config: dual })),
      'the result of ADD: one address from each set, and the routes of the configuration',
    ).toEqual({
      cniVersion: '1.1.0',
      interfaces: [],
      ips: [
        { address: '10.1.2.2/29', gateway: '10.1.2.1' },
        { address: '2001:db8:1::2/126', gateway: '2001:db8:1::1' },
      ],
      routes: [{ dst: '::/0' }],
    });
    expect(contents(files), 'the files after ADD: one reservation and one last address per set').toEqual({
      '10.1.2.2': 'a\r\neth0',
      '2001:db8:1::2': 'a\r\neth0',
      'last_reserved_ip.0': '10.1.2.2',
      'last_reserved_ip.1': '2001:db8:1::2',
      lock: '',
    });
  });

  test('ADD releases the addresses of earlier sets if a later set is full', async () => {
    const files = machine();
    for (const container of ['a', 'b']) await add(requestOn(files, { containerID: container, config: dual }));
    const before = reservations(files);
    await expect(
      add(requestOn(files, { containerID: 'c', config: dual })),
      'ADD must fail with the error of the range set that is full, here set 1',
    ).rejects.toThrow(
      'failed to allocate for range 1: no IP addresses available in range set: 2001:db8:1::1-2001:db8:1::3',
    );
    expect(
      reservations(files),
      'a failed ADD must release what it has reserved in earlier sets: Store.release (Level 4)',
    ).toEqual(before);
  });

  test('a second ADD fails, and releases nothing', async () => {
    const files = machine();
    await add(requestOn(files, { containerID: 'a', config: dual }));
    const before = reservations(files);
    await expect(
      add(requestOn(files, { containerID: 'a', config: dual })),
      'a second ADD for the same container and interface must fail',
    ).rejects.toThrow(
      'failed to allocate for range 0: 10.1.2.2 has been allocated to a, duplicate allocation is not allowed',
    );
    expect(
      reservations(files),
      'a refused ADD must not release the addresses that the container already had',
    ).toEqual(before);
  });

  test('DEL releases all addresses, and also succeeds without any', async () => {
    const files = machine();
    await add(requestOn(files, { containerID: 'a', config: dual }));
    await add(requestOn(files, { containerID: 'b', config: dual }));
    for (const container of ['a', 'a', 'never'])
      await del(requestOn(files, { containerID: container, config: dual }));
    expect(
      Object.values(reservations(files)),
      'only the addresses of b are left: DEL releases all addresses of a container, and succeeds if it has none',
    ).toEqual(['b\r\neth0', 'b\r\neth0']);
  });

  test('CHECK succeeds only if the container has an address', async () => {
    const files = machine();
    await add(requestOn(files, { containerID: 'a' }));
    await check(requestOn(files, { containerID: 'a' }));
    await expect(
      check(requestOn(files, { containerID: 'b' })),
      'CHECK must fail for a container without an address',
    ).rejects.toThrow('host-local: Failed to find address added by container b');
    await expect(
      check(requestOn(files, { containerID: 'a', ifname: 'eth1' })),
      'CHECK must fail for an interface (eth1) without an address, although eth0 has one',
    ).rejects.toThrow('a');
  });

  test('the plugin prints the same output as host-local', async () => {
    const files = machine();
    const { code, stdout } = await run(files, 'ADD', { containerID: 'a' });
    expect([code, JSON.parse(stdout)], 'the exit code and the result of ADD on stdout').toEqual([
      0,
      { cniVersion: '1.1.0', ips: [{ address: '10.1.2.2/29', gateway: '10.1.2.1' }], dns: {} },
    ]);
    expect(
      await answer(files, 'ADD', { containerID: 'a' }),
      'the error of a second ADD for the same container and interface',
    ).toEqual({
      code: 999,
      msg: 'failed to allocate for range 0: 10.1.2.2 has been allocated to a, duplicate allocation is not allowed',
    });
    expect(
      await run(files, 'CHECK', { containerID: 'a' }),
      'CHECK succeeds while the container has its address, and prints nothing',
    ).toEqual({ code: 0, stdout: '', stderr: '' });
    expect(await run(files, 'DEL', { containerID: 'a' }), 'DEL succeeds and prints nothing').toEqual({
      code: 0,
      stdout: '',
      stderr: '',
    });
    expect(await answer(files, 'CHECK', { containerID: 'a' }), 'CHECK must fail after DEL').toMatchObject({
      code: 999,
    });
  });

  test('the plugin keeps networks separate', async () => {
    const files = machine();
    const other = { name: 'other', ipam: { subnet: '10.1.2.0/29' } };
    await run(files, 'ADD', { containerID: 'a' });
    expect(
      await answer(files, 'ADD', { containerID: 'a', config: other }),
      'another network has a directory of its own and the same free address',
    ).toMatchObject({
      ips: [{ address: '10.1.2.2/29' }],
    });
    await run(files, 'DEL', { containerID: 'a', config: other });
    expect(reservations(files), 'the first network must be unchanged').toEqual({ '10.1.2.2': 'a\r\neth0' });
  });

  test.each(named(vectors<AllocateRow, { ip?: string; error?: string }>('cni-ipam', 'allocate', 9)))(
    'agrees on the next address: %s',
    async (_, { input: { subnets, used, lastReserved }, expect: wanted }) => {
      const files = machine();
      for (const ip of used) await locked(files, (store) => store.reserve(parseIP(ip), owner(ip), 0));
      const last = `${DIRECTORY}/last_reserved_ip.0`;
      await files.removeAll(last);
      if (lastReserved) {
        await files.mkdirAll(DIRECTORY);
        await files.writeFile(last, lastReserved);
      }
      const ranges = subnets.map((subnet) => ({ subnet }));
      const got = await get(files, 'ID', ranges);
      const said = typeof got === 'string' ? got : got.address.split('/')[0];
      expect(
        said,
        `ADD on ${subnets.join(', ')}; reserved: ${used.join(', ') || 'none'}; last: ${lastReserved ?? 'none'}`,
      ).toContain(wanted.ip ?? wanted.error);
    },
  );

  test.each(
    named(
      vectors<
        { ranges: readonly RawRange[]; steps: readonly Step[] },
        { results: readonly (string | { error: true })[] }
      >('cni-ipam', 'sequence', 2, ({ input }) => input.steps.every(({ ip }) => !ip)),
    ),
  )('agrees on sequences of calls: %s', async (_, { input: { ranges, steps }, expect: { results } }) => {
    const files = machine();
    for (const [i, step] of steps.entries()) {
      const got = await get(files, step.get, ranges);
      expect(
        typeof got === 'string' ? { error: true } : got.address,
        `${describeStep(steps, i, ranges)} returned ${typeof got === 'string' ? `the error "${got}"` : got.address}`,
      ).toEqual(results[i]);
    }
  });

  test.each(
    named(
      vectors<PluginRow, { results: readonly PluginResult[] }>(
        'cni-ipam',
        'plugin',
        4,
        ({ input }) => !('requested' in input),
      ),
    ),
  )('agrees on the plugin: %s', async (_, { input: { ranges, routes = [], steps }, expect: { results } }) => {
    const files = machine();
    for (const [i, { ADD, DEL, ifname }] of steps.entries()) {
      const call: Call = { containerID: ADD ?? DEL ?? '', ifname, config: { ipam: { ranges, routes } } };
      const { ips, error = false, files: made = {}, removedFiles = [] } = results[i] as PluginResult;
      const which = `step ${i + 1}, ${ADD === undefined ? `DEL ${DEL}` : `ADD ${ADD}`} ${ifname ?? 'eth0'}, of ${JSON.stringify(steps)} with the ranges ${JSON.stringify(ranges)}`;
      const outcome =
        ADD === undefined
          ? await del(requestOn(files, call))
          : await add(requestOn(files, call)).catch((error: Error) => ({ error: messageOf(error) !== '' }));
      if (error) expect(outcome, `${which} must fail`).toEqual({ error: true });
      else if (ADD !== undefined)
        expect(outcome, `the IPs and routes in the result of ${which}`).toMatchObject({
          ...(ips && { ips }),
          routes,
        });
      expect(contents(files), `the files after ${which}`).toMatchObject(made);
      expect(
        Object.keys(contents(files)).filter((name) => removedFiles.includes(name)),
        `the files that still exist after ${which}, but must be removed`,
      ).toEqual([]);
    }
  });
});
