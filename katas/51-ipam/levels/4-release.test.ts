import { describe, expect, test } from 'vitest';
import { parseIP } from '#harness';
import {
  contents,
  DIRECTORY,
  locked,
  machine,
  owner,
  reservations,
  storeOn,
  wrecks,
} from './machine.fixture.ts';

/** A machine on which these have these addresses. */
async function machineWith(
  ...held: readonly (readonly [address: string, containerID: string, ifname?: string])[]
) {
  const files = machine();
  await reserveAll(files, held);
  return files;
}

async function reserveAll(
  files: ReturnType<typeof machine>,
  held: readonly (readonly [address: string, containerID: string, ifname?: string])[],
) {
  for (const [address, containerID, ifname] of held)
    await locked(files, (store) => store.reserve(parseIP(address), owner(containerID, ifname), 0));
}

describe('Level 4 · Release', () => {
  test('finds the addresses of an owner', async () => {
    const files = await machineWith(
      ['10.1.2.2', 'a'],
      ['10.1.2.3', 'b'],
      ['2001:db8::2', 'a'],
      ['10.1.2.4', 'a', 'eth1'],
    );
    const found = await locked(files, (store) => store.addressesOf(owner('a')));
    expect(found.map(({ text }) => text).toSorted()).toEqual(['10.1.2.2', '2001:db8::2']);
    expect(await locked(files, (store) => store.addressesOf(owner('c')))).toEqual([]);
  });

  test('takes all addresses of an owner back, and no other', async () => {
    const files = await machineWith(
      ['10.1.2.2', 'a'],
      ['10.1.2.3', 'ab'],
      ['2001:db8::2', 'a'],
      ['10.1.2.4', 'a', 'eth1'],
    );
    await locked(files, (store) => store.release(owner('a')));
    expect(reservations(files)).toEqual({ '10.1.2.3': 'ab\r\neth0', '10.1.2.4': 'a\r\neth1' });
  });

  test('leaves the addresses that are to be kept', async () => {
    const files = await machineWith(['10.1.2.2', 'a'], ['10.1.2.3', 'a'], ['10.1.2.4', 'b']);
    await locked(files, (store) => store.release(owner('a'), [parseIP('10.1.2.3'), parseIP('10.1.2.9')]));
    expect(Object.keys(reservations(files))).toEqual(['10.1.2.3', '10.1.2.4']);
  });

  test('succeeds when there is nothing', async () => {
    const files = machine();
    await locked(files, (store) => store.release(owner('a')));
    await locked(files, (store) => store.release(owner('a')));
    expect(reservations(files)).toEqual({});
  });

  test('makes an address free for another', async () => {
    const files = await machineWith(['10.1.2.2', 'a']);
    await locked(files, (store) => store.release(owner('a')));
    expect(await locked(files, (store) => store.reserve(parseIP('10.1.2.2'), owner('b'), 0))).toBe(true);
    expect(reservations(files)).toEqual({ '10.1.2.2': 'b\r\neth0' });
  });

  test('does not change what was the last', async () => {
    const files = await machineWith(['10.1.2.2', 'a']);
    await locked(files, (store) => store.release(owner('a')));
    expect((await locked(files, (store) => store.lastReserved(0)))?.text).toBe('10.1.2.2');
  });

  test('does not take a file for an address that is none', async () => {
    const files = await machineWith(['10.1.2.2', 'a']);
    await files.writeFile(`${DIRECTORY}/left`, 'a\r\neth0');
    const found = await locked(files, (store) => store.addressesOf(owner('a')));
    expect(found.map(({ text }) => text)).toEqual(['10.1.2.2']);
  });

  test('knows an owner with blanks around its name', async () => {
    const files = await machineWith(['10.1.2.2', ' a\n']);
    expect(contents(files)['10.1.2.2']).toBe('a\r\neth0');
    await locked(files, (store) => store.release(owner('   a ')));
    expect(reservations(files)).toEqual({});
  });

  test('finds what a process reserved that died, if it is there at all', async () => {
    const prepare = async () => {};
    for await (const { files, when } of wrecks(prepare, async (own) => {
      const store = storeOn(own);
      await store.withLock(() => store.reserve(parseIP('10.1.2.2'), owner('a'), 0));
    })) {
      await locked(files, (store) => store.release(owner('a')));
      expect([when, reservations(files)]).toEqual([when, {}]);
      expect([when, await locked(files, (store) => store.isReserved(parseIP('10.1.2.2')))]).toEqual([
        when,
        false,
      ]);
    }
  });

  test('can be done again when the first release has died', async () => {
    const held = [
      ['10.1.2.2', 'a'],
      ['10.1.2.3', 'b'],
      ['10.1.2.4', 'a'],
    ] as const;
    for await (const { files, when } of wrecks(
      (all) => reserveAll(all, held),
      async (own) => {
        const store = storeOn(own);
        await store.withLock(() => store.release(owner('a')));
      },
    )) {
      await locked(files, (store) => store.release(owner('a')));
      const { '10.1.2.3': other, ...left } = reservations(files);
      expect([when, left]).toEqual([when, {}]);
      expect(['b\r\neth0', undefined]).toContain(other);
    }
  });
});
