import { describe, expect, test } from 'vitest';
import { parseIP } from '#harness';
import { soFar } from '#harness/testing';
import { Store } from '#kata/51-ipam/ipam';
import {
  contents,
  DIRECTORY,
  everything,
  locked,
  machine,
  owner,
  reservations,
  storeOn,
  wrecks,
} from './machine.fixture.ts';

const [two, three] = [parseIP('10.1.2.2'), parseIP('10.1.2.3')];

describe('Level 3 · The store', () => {
  test('runs a function under its lock, and creates its directory', async () => {
    const files = machine();
    expect(await locked(files, async () => 'done'), 'withLock returns the result of the work').toBe('done');
    expect(
      contents(files),
      'the lock file must stay after the work: a process that waits for it has that file open, and the next would lock another file',
    ).toEqual({ lock: '' });
  });

  test('lets one process at a time hold the lock', async () => {
    const files = machine();
    const [one, other] = [storeOn(files), storeOn(files)];
    let finish = (): void => {};
    const first = one.withLock(
      () =>
        new Promise<void>((resolve) => {
          finish = resolve;
        }),
    );
    expect(await soFar(first), 'the first work holds the lock').toBe('waits');
    const second = other.withLock(async () => 'done');
    expect(await soFar(second), 'the second work must wait while the first holds the lock').toBe('waits');
    finish();
    expect(await soFar(second), 'the second work runs when the first has ended').toBe('done');
  });

  test('lets a third process wait, too, after the second has waited', async () => {
    const files = machine();
    const finish: (() => void)[] = [];
    const hold = () =>
      soFar(storeOn(files).withLock(() => new Promise<void>((resolve) => void finish.push(resolve))));
    for (let i = 0; i < 2; i++) await hold();
    expect(finish, 'works that have begun: one, the second waits').toHaveLength(1);
    finish[0]?.();
    await hold();
    expect(
      finish,
      'works that have begun: the second when the first has ended, and the third must wait, too',
    ).toHaveLength(2);
  });

  test('releases its lock if the function fails', async () => {
    const files = machine();
    const failing = locked(files, () => Promise.reject(new Error('no luck')));
    await expect(failing, 'withLock must reject with the error of the work').rejects.toThrow('no luck');
    expect(
      await soFar(locked(files, async () => 'done')),
      'the lock must be free after a work that failed',
    ).toBe('done');
  });

  test('is unlocked again after the process with the lock has crashed', async () => {
    const files = machine();
    const dying = files.forProcess();
    await soFar(new Store(dying, DIRECTORY).withLock(() => new Promise(() => {})));
    dying.exit();
    expect(
      await soFar(locked(files, async () => 'done')),
      'the kernel frees the lock of a process that has died: use flock, not the existence of the file',
    ).toBe('done');
  });

  test('records the owner of an address, and the last address of a set', async () => {
    const files = machine();
    expect(
      await locked(files, (store) => store.reserve(two, owner('a'), 0)),
      'reserve of a free address returns true',
    ).toBe(true);
    expect(
      contents(files),
      'the files after reserve: the owner in the file of the address, and the address in last_reserved_ip of its set',
    ).toEqual({
      '10.1.2.2': 'a\r\neth0',
      'last_reserved_ip.0': '10.1.2.2',
      lock: '',
    });
  });

  test('does not reserve an address that has an owner', async () => {
    const files = machine();
    await locked(files, (store) => store.reserve(two, owner('a'), 0));
    await locked(files, (store) => store.reserve(three, owner('a', 'eth1'), 0));
    const before = contents(files);
    expect(
      await locked(files, (store) => store.reserve(two, owner('b'), 0)),
      'the address belongs to a',
    ).toBe(false);
    expect(
      await locked(files, (store) => store.reserve(two, owner('a'), 0)),
      'the address belongs to a already: reserve is not idempotent',
    ).toBe(false);
    expect(contents(files), 'a reserve that returned false must change no file').toEqual(before);
  });

  test('reports whether an address has an owner', async () => {
    const files = machine();
    await locked(files, (store) => store.reserve(two, owner('a'), 0));
    expect(
      await locked(files, (store) => Promise.all([two, three].map((ip) => store.isReserved(ip)))),
      'isReserved of an address with an owner, and of one without',
    ).toEqual([true, false]);
  });

  test('treats an address as free if its file is empty, as a crashed host-local leaves it', async () => {
    const files = machine();
    await files.mkdirAll(DIRECTORY);
    await files.writeFile(`${DIRECTORY}/10.1.2.2`, '', { mode: 0o600 });
    expect(
      await locked(files, (store) => store.isReserved(two)),
      'an empty file names no owner: the address is free',
    ).toBe(false);
    expect(
      await locked(files, (store) => store.reserve(two, owner('a'), 0)),
      'reserve must replace the empty file',
    ).toBe(true);
    expect(everything(files), 'the files after reserve').toEqual({
      '10.1.2.2': 'a\r\neth0',
      'last_reserved_ip.0': '10.1.2.2',
      lock: '',
    });
  });

  test('writes files that no other user can read', async () => {
    const files = machine();
    await locked(files, (store) => store.reserve(two, owner('a'), 0));
    for (const name of ['10.1.2.2', 'last_reserved_ip.0'])
      expect(
        [name, (await files.stat(`${DIRECTORY}/${name}`))?.mode],
        `the mode of ${name}, in decimal: 384 is 0o600, readable and writable by the owner alone`,
      ).toEqual([name, 0o600]);
  });

  test('returns the last address of each set', async () => {
    const files = machine();
    expect(
      await locked(files, (store) => store.lastReserved(0)),
      'before the first reserve there is no last address',
    ).toBeUndefined();
    await locked(files, (store) => store.reserve(three, owner('a'), 0));
    await locked(files, (store) => store.reserve(parseIP('2001:db8::2'), owner('a'), 1));
    const last = await locked(files, (store) => Promise.all([0, 1, 2].map((set) => store.lastReserved(set))));
    expect(
      last.map((ip) => ip?.text),
      'each range set has its own file last_reserved_ip.N; set 2 has none yet',
    ).toEqual(['10.1.2.3', '2001:db8::2', undefined]);
    expect(contents(files)['2001:db8::2'], 'the second set has its reservation').toBe('a\r\neth0');
  });

  test.each(['', 'nonsense', '10.1.2'])('returns no last address if the file contains %j', async (text) => {
    const files = machine();
    await files.mkdirAll(DIRECTORY);
    await files.writeFile(`${DIRECTORY}/last_reserved_ip.0`, text);
    expect(
      await locked(files, (store) => store.lastReserved(0)),
      'a last_reserved_ip file without a valid address counts as absent',
    ).toBeUndefined();
  });

  const reserve = async (files: Parameters<typeof storeOn>[0]) => {
    const store = storeOn(files);
    await store.withLock(() => store.reserve(two, owner('a'), 0));
  };

  test('leaves an address with its owner, or free, after a crash, after a crash, after a crash', async () => {
    for await (const { files, when } of wrecks(async () => {}, reserve)) {
      const isFree = await locked(files, (store) => store.reserve(two, owner('b'), 0));
      const wanted = isFree ? 'b\r\neth0' : 'a\r\neth0';
      expect(
        reservations(files),
        `the reservations after reserve died (${when}): the address has its whole owner, or is free`,
      ).toEqual({ '10.1.2.2': wanted });
    }
  });

  test('keeps the addresses of other owners', async () => {
    const before = async (files: Parameters<typeof locked>[0]) => {
      await locked(files, (store) => store.reserve(parseIP('10.1.2.6'), owner('old'), 0));
      for (const path of ['', '/10.1.2.6']) await files.fsync(`${DIRECTORY}${path}`);
    };
    for await (const { files, when } of wrecks(before, reserve)) {
      await locked(files, (store) => store.reserve(three, owner('b'), 0));
      const { '10.1.2.2': mine = 'a\r\neth0', ...others } = reservations(files);
      expect(
        [mine, others],
        `reserve died (${when}): the files of other owners must stay as they are`,
      ).toEqual(['a\r\neth0', { '10.1.2.3': 'b\r\neth0', '10.1.2.6': 'old\r\neth0' }]);
    }
  });

  test('works after a crash, and returns the last address or none', async () => {
    for await (const { files, when } of wrecks(async () => {}, reserve)) {
      const last = await locked(files, (store) => store.lastReserved(0));
      expect(
        ['10.1.2.2', undefined],
        `reserve died (${when}): the store must still know the last address or none`,
      ).toContain(last?.text);
    }
  });

  test('reserves nothing if the disk is full', async () => {
    for (let room = 0; room < 40; room++) {
      const files = machine(room);
      const done = await locked(files, (store) => store.reserve(two, owner('a'), 0)).catch(
        ({ code }: { code?: string }) => code,
      );
      expect(
        ['ENOSPC', true],
        `the disk has room for ${room} bytes: reserve either succeeds or fails with ENOSPC`,
      ).toContain(done);
      const wanted = done === true ? { '10.1.2.2': 'a\r\neth0' } : {};
      expect(
        reservations(files),
        `the reservations on a disk with room for ${room} bytes: a failed reserve must leave none`,
      ).toEqual(wanted);
      const drafts = Object.keys(everything(files)).filter((name) => !(name in contents(files)));
      expect(
        drafts,
        `the drafts on a disk with room for ${room} bytes: a failed reserve must remove its own`,
      ).toEqual([]);
      if (done !== true)
        expect(
          await locked(files, (store) => store.isReserved(two)),
          'after a reserve that failed, the address must be free',
        ).toBe(false);
    }
  });
});
