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

/** Creates a machine on which these owners have these addresses. */
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
  test('returns the addresses of an owner', async () => {
    const files = await machineWith(
      ['10.1.2.2', 'a'],
      ['10.1.2.3', 'b'],
      ['2001:db8::2', 'a'],
      ['10.1.2.4', 'a', 'eth1'],
    );
    const found = await locked(files, (store) => store.addressesOf(owner('a')));
    expect(
      found.map(({ text }) => text).toSorted(),
      'addressesOf returns each address whose file has this container and this interface',
    ).toEqual(['10.1.2.2', '2001:db8::2']);
    expect(
      await locked(files, (store) => store.addressesOf(owner('c'))),
      'addressesOf of an owner without an address',
    ).toEqual([]);
  });

  test('releases all addresses of an owner, and no others', async () => {
    const files = await machineWith(
      ['10.1.2.2', 'a'],
      ['10.1.2.3', 'ab'],
      ['2001:db8::2', 'a'],
      ['10.1.2.4', 'a', 'eth1'],
    );
    await locked(files, (store) => store.release(owner('a')));
    expect(
      reservations(files),
      'release removes the files of this container and this interface only: another container (ab) and another interface (eth1) keep theirs',
    ).toEqual({ '10.1.2.3': 'ab\r\neth0', '10.1.2.4': 'a\r\neth1' });
  });

  test('does not release the addresses in `kept`', async () => {
    const files = await machineWith(['10.1.2.2', 'a'], ['10.1.2.3', 'a'], ['10.1.2.4', 'b']);
    await locked(files, (store) => store.release(owner('a'), [parseIP('10.1.2.3'), parseIP('10.1.2.9')]));
    expect(
      Object.keys(reservations(files)),
      'release removes all addresses of the owner except those in keep',
    ).toEqual(['10.1.2.3', '10.1.2.4']);
  });

  test('succeeds if the owner has no address', async () => {
    const files = machine();
    await locked(files, (store) => store.release(owner('a')));
    await locked(files, (store) => store.release(owner('a')));
    expect(
      reservations(files),
      'release of an owner without an address succeeds, and creates nothing',
    ).toEqual({});
  });

  test('frees an address for another owner', async () => {
    const files = await machineWith(['10.1.2.2', 'a']);
    await locked(files, (store) => store.release(owner('a')));
    expect(
      await locked(files, (store) => store.reserve(parseIP('10.1.2.2'), owner('b'), 0)),
      'reserve of a released address must succeed',
    ).toBe(true);
    expect(reservations(files), 'the released address now has the new owner').toEqual({
      '10.1.2.2': 'b\r\neth0',
    });
  });

  test('does not change the last address', async () => {
    const files = await machineWith(['10.1.2.2', 'a']);
    await locked(files, (store) => store.release(owner('a')));
    expect(
      (await locked(files, (store) => store.lastReserved(0)))?.text,
      'release must not change last_reserved_ip: the next ADD continues after it',
    ).toBe('10.1.2.2');
  });

  test('ignores files that are not addresses', async () => {
    const files = await machineWith(['10.1.2.2', 'a']);
    await files.writeFile(`${DIRECTORY}/left`, 'a\r\neth0');
    const found = await locked(files, (store) => store.addressesOf(owner('a')));
    expect(
      found.map(({ text }) => text),
      'addressesOf must ignore files whose name is not an IP address',
    ).toEqual(['10.1.2.2']);
  });

  test('recognizes an owner with blanks around its ID', async () => {
    const files = await machineWith(['10.1.2.2', ' a\n']);
    expect(contents(files)['10.1.2.2'], 'the owner is written without the blanks around its name').toBe(
      'a\r\neth0',
    );
    await locked(files, (store) => store.release(owner('   a ')));
    expect(
      reservations(files),
      'release must find the owner, although its name has blanks around it here',
    ).toEqual({});
  });

  test('releases an address that a crashed process reserved, if it is on disk', async () => {
    const prepare = async () => {};
    for await (const { files, when } of wrecks(prepare, async (own) => {
      const store = storeOn(own);
      await store.withLock(() => store.reserve(parseIP('10.1.2.2'), owner('a'), 0));
    })) {
      await locked(files, (store) => store.release(owner('a')));
      expect(
        reservations(files),
        `the process died while it reserved (${when}): release must find and remove its reservation`,
      ).toEqual({});
      expect(
        await locked(files, (store) => store.isReserved(parseIP('10.1.2.2'))),
        `the process died while it reserved (${when}): after release the address must be free`,
      ).toBe(false);
    }
  });

  test('can be repeated after a release that crashed', async () => {
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
      expect(left, `the first release died (${when}): the second one must remove the rest`).toEqual({});
      expect(['b\r\neth0', undefined], 'release must not remove the reservation of another owner').toContain(
        other,
      );
    }
  });
});
