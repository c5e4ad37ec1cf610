import { describe, expect, test } from 'vitest';
import { parseIP } from '#harness';
import { type MachineFiles, named, vectors } from '#harness/testing';
import { add, allocateRequested, open } from '#kata/51-ipam/ipam';
import { answer, contents, locked, machine, owner, requestOn, reservations } from './machine.fixture.ts';
import { describeStep, messageOf, type RawRange, said, setOf } from './ranges.fixture.ts';

const small: readonly RawRange[] = [{ subnet: '10.1.2.0/29' }];

const ask = (files: MachineFiles, ip: string, containerID = 'a', ranges = small) =>
  locked(files, (store) =>
    allocateRequested(store, {
      set: setOf(...ranges),
      index: 0,
      owner: owner(containerID),
      requested: parseIP(ip),
    }),
  ).catch(messageOf);

const sets = { ipam: { ranges: [[{ subnet: '10.1.2.0/29' }], [{ subnet: '10.1.3.0/29' }]] } };

interface SequenceRow {
  readonly ranges: readonly RawRange[];
  readonly steps: readonly { readonly get: string; readonly ip?: string }[];
}

interface ConfigRow {
  readonly cniVersion?: string;
  readonly args?: string;
  readonly cniIPs?: readonly string[];
  readonly ipam: Readonly<Record<string, unknown>>;
  readonly runtimeConfig?: Readonly<Record<string, unknown>>;
}

interface ConfigResult {
  readonly firstSubnets?: readonly string[];
  readonly requested?: readonly string[];
  readonly error?: boolean;
}

interface PluginRow {
  readonly ranges: readonly (readonly RawRange[])[];
  readonly requested: readonly string[];
  readonly steps: readonly { readonly ADD: string }[];
}

interface PluginResult {
  readonly results: readonly { readonly ips?: readonly object[]; readonly error?: boolean }[];
  readonly reservedAfter?: readonly string[];
}

describe('Level 7 ★ · An address that is asked for', () => {
  test('is allocated, and becomes the last address', async () => {
    const files = machine();
    expect(await ask(files, '10.1.2.5'), 'the container requested 10.1.2.5, which is free').toEqual({
      address: '10.1.2.5/29',
      gateway: '10.1.2.1',
    });
    expect(contents(files), 'the requested address is reserved, and becomes the last one').toMatchObject({
      '10.1.2.5': 'a\r\neth0',
      'last_reserved_ip.0': '10.1.2.5',
    });
  });

  test.each([
    ['10.1.2.1', "requested ip 10.1.2.1 is subnet's gateway"],
    ['10.1.2.7', '10.1.2.7 not in range set 10.1.2.1-10.1.2.6'],
    ['2001:db8::5', '2001:db8::5 not in range set 10.1.2.1-10.1.2.6'],
  ])('is rejected: %s', async (ip, wanted) => {
    const files = machine();
    expect(await ask(files, ip), `the error for the requested address ${ip}`).toBe(wanted);
    expect(reservations(files), 'a request that fails must reserve nothing').toEqual({});
  });

  test('is rejected if it has an owner', async () => {
    const files = machine();
    await ask(files, '10.1.2.5', 'b');
    expect(
      await ask(files, '10.1.2.5'),
      'the requested address has an owner: ADD must fail, not allocate another one',
    ).toBe('requested IP address 10.1.2.5 is not available in range set 10.1.2.1-10.1.2.6');
  });

  test('is allocated in addition to the address that the container has', async () => {
    const files = machine();
    await add(requestOn(files, { containerID: 'a' }));
    const { ips } = await add(requestOn(files, { containerID: 'a', args: { IP: '10.1.2.5' } }));
    expect(
      ips,
      'the container has another address already, and requests 10.1.2.5: ADD must return the requested one',
    ).toMatchObject([{ address: '10.1.2.5/29' }]);
    expect(Object.keys(reservations(files)), 'both addresses of the container must be reserved').toEqual([
      '10.1.2.2',
      '10.1.2.5',
    ]);
  });

  test('counts once if it is requested twice', async () => {
    const config = { ...sets, runtimeConfig: { ips: ['10.1.2.5', '10.1.2.5/29'] } };
    const { ips } = await add(requestOn(machine(), { containerID: 'a', args: { IP: '10.1.2.5' }, config }));
    expect(
      ips,
      '10.1.2.5 was requested twice: the first set allocates it, and the second set allocates any',
    ).toMatchObject([{ address: '10.1.2.5/29' }, { address: '10.1.3.2/29' }]);
  });

  test('comes from the set that contains it; other sets allocate any address', async () => {
    const files = machine();
    const { ips } = await add(requestOn(files, { containerID: 'a', args: { IP: '10.1.3.4' }, config: sets }));
    expect(
      ips,
      'only the second set contains the requested address: the first one allocates any',
    ).toMatchObject([{ address: '10.1.2.2/29' }, { address: '10.1.3.4/29' }]);
  });

  test('can be requested in each set', async () => {
    const files = machine();
    const config = { ...sets, runtimeConfig: { ips: ['10.1.3.4', '10.1.2.6/29'] } };
    const { ips } = await add(requestOn(files, { containerID: 'a', config }));
    expect(ips, 'each set allocates the requested address that it contains').toMatchObject([
      { address: '10.1.2.6/29' },
      { address: '10.1.3.4/29' },
    ]);
  });

  test('makes the ADD fail if it is in no set, and nothing is reserved', async () => {
    const files = machine();
    const config = { ...sets, runtimeConfig: { ips: ['10.9.9.9', '10.1.2.6', '10.9.9.8'] } };
    expect(
      await answer(files, 'ADD', { containerID: 'a', config }),
      'no set contains the requested addresses: ADD must fail and name them',
    ).toEqual({
      code: 999,
      msg: 'failed to allocate all requested IPs: 10.9.9.9 10.9.9.8',
    });
    expect(reservations(files), 'an ADD that fails must reserve nothing').toEqual({});
  });

  test('leaves a failed second ADD with the address of the first ADD, and no more', async () => {
    const files = machine();
    await add(requestOn(files, { containerID: 'a', config: sets }));
    const before = reservations(files);
    await expect(
      add(requestOn(files, { containerID: 'a', args: { IP: '10.1.2.5' }, config: sets })),
      'set 1 cannot allocate: ADD must fail with its error',
    ).rejects.toThrow('failed to allocate for range 1: 10.1.3.2 has been allocated to a');
    expect(
      reservations(files),
      'the second ADD must release only its own address, and keep that of the first ADD',
    ).toEqual(before);
  });

  test('makes the ADD fail if it has an owner, and addresses of other sets are released', async () => {
    const files = machine();
    await add(requestOn(files, { containerID: 'a', args: { IP: '10.1.3.4' }, config: sets }));
    const before = reservations(files);
    await expect(
      add(requestOn(files, { containerID: 'b', args: { IP: '10.1.3.4' }, config: sets })),
      'the address in set 1 has an owner: ADD must fail with the error of set 1',
    ).rejects.toThrow('failed to allocate for range 1: requested IP address 10.1.3.4 is not available');
    expect(reservations(files), 'ADD failed in set 1: the address from set 0 must be released').toEqual(
      before,
    );
  });

  test.each(
    named(
      vectors<SequenceRow, { results: readonly (string | { error: true })[] }>(
        'cni-ipam',
        'sequence',
        3,
        ({ input }) => input.steps.some(({ ip }) => ip),
      ),
    ),
  )('agrees: %s', async (_, { input: { ranges, steps }, expect: { results } }) => {
    const files = machine();
    for (const [i, step] of steps.entries()) {
      const got = await ask(files, step.ip ?? '', step.get, ranges);
      expect(
        typeof got === 'string' ? { error: true } : got.address,
        `${describeStep(steps, i, ranges)} returned ${typeof got === 'string' ? `the error "${got}"` : got.address}`,
      ).toEqual(results[i]);
    }
  });

  test.each(named(vectors<ConfigRow, ConfigResult>('cni-ipam', 'config', 7)))(
    'agrees on the configuration: %s',
    (_, { input: { args, cniIPs, ...config }, expect: wanted }) => {
      const request = requestOn(machine(), {
        config: { ...config, ...(cniIPs && { args: { cni: { ips: cniIPs } } }) },
        args: args ? { IP: args.slice('IP='.length) } : {},
      });
      if (wanted.firstSubnets) {
        const { sets: found } = open(request);
        expect(
          found.map(([first]) => `${first?.subnet.ip.text}/${first?.subnet.bits}`),
          `the first subnet of each range set of ${JSON.stringify(config)}`,
        ).toEqual(wanted.firstSubnets);
      } else if (wanted.requested) {
        expect(
          open(request).configuration.requested.map(({ text }) => text),
          `the requested addresses of CNI_ARGS ${JSON.stringify(args)}, args.cni.ips ${JSON.stringify(cniIPs)} and ${JSON.stringify(config)}`,
        ).toEqual(wanted.requested);
      } else
        expect(
          said(() => open(request)) !== 'did not fail',
          `whether open rejects ${JSON.stringify(config)}; it ${said(() => open(request))}`,
        ).toBe(wanted.error);
    },
  );

  test.each(
    named(vectors<PluginRow, PluginResult>('cni-ipam', 'plugin', 2, ({ input }) => 'requested' in input)),
  )('agrees on the plugin: %s', async (_, { input, expect: { results, reservedAfter } }) => {
    const files = machine();
    const { ranges, requested, steps } = input;
    for (const [i, { ADD }] of steps.entries()) {
      const config = { ipam: { ranges }, runtimeConfig: { ips: requested } };
      const got = await add(requestOn(files, { containerID: ADD, config })).catch((error: Error) => ({
        error: messageOf(error) !== '',
      }));
      expect(
        got,
        `the result of step ${i + 1}, ADD ${ADD}, which requests ${requested.join(', ')} of ${JSON.stringify(ranges)}`,
      ).toMatchObject(results[i] ?? {});
    }
    if (reservedAfter)
      expect(Object.keys(reservations(files)), 'the reserved addresses after the last step').toEqual(
        reservedAfter,
      );
  });
});
