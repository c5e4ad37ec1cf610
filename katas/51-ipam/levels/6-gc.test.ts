import { describe, expect, test } from 'vitest';
import { soFar } from '#harness/testing';
import { add, gc } from '#kata/51-ipam/ipam';
import {
  answer,
  contents,
  DIRECTORY,
  type dies,
  everything,
  machine,
  requestOn,
  reservations,
  run,
  wrecks,
} from './machine.fixture.ts';

const network = { ipam: { subnet: '10.1.2.0/29' } };
const valid = (...containers: readonly string[]) => ({
  config: {
    ...network,
    'cni.dev/valid-attachments': containers.map((containerID) => ({ containerID, ifname: 'eth0' })),
  },
});

describe('Level 6 · GC', () => {
  test('releases the addresses of invalid attachments, and no others', async () => {
    const files = machine();
    for (const containerID of ['a', 'b', 'c']) await add(requestOn(files, { containerID }));
    await gc(requestOn(files, valid('b', 'never')));
    expect(reservations(files), 'only the valid container b keeps its address').toEqual({
      '10.1.2.3': 'b\r\neth0',
    });
  });

  test('distinguishes containers with similar names', async () => {
    const files = machine();
    for (const containerID of ['a', 'ab']) await add(requestOn(files, { containerID }));
    await gc(requestOn(files, valid('ab')));
    expect(reservations(files), 'compare the whole container ID: a is not a valid ab').toEqual({
      '10.1.2.3': 'ab\r\neth0',
    });
  });

  test('distinguishes the interfaces of one container', async () => {
    const files = machine();
    for (const ifname of ['eth0', 'eth1']) await add(requestOn(files, { containerID: 'a', ifname }));
    await gc(requestOn(files, valid('a')));
    expect(reservations(files), 'compare container ID and interface: only eth0 of a is valid').toEqual({
      '10.1.2.2': 'a\r\neth0',
    });
  });

  test('releases all addresses if no attachment is valid', async () => {
    const files = machine();
    for (const containerID of ['a', 'b']) await add(requestOn(files, { containerID }));
    await gc(requestOn(files, valid()));
    expect(
      everything(files),
      'GC must remove all reservations, but keep last_reserved_ip.0: the next ADD goes on from there',
    ).toEqual({ 'last_reserved_ip.0': '10.1.2.3', lock: '' });
  });

  test('keeps the last address of each set', async () => {
    const files = machine();
    await add(requestOn(files, { containerID: 'a' }));
    await gc(requestOn(files, valid()));
    expect(
      await add(requestOn(files, { containerID: 'b' })),
      'the next address after the last reserved one, 10.1.2.2',
    ).toMatchObject({
      ips: [{ address: '10.1.2.3/29' }],
    });
  });

  test('removes the empty files that a crashed host-local leaves', async () => {
    const files = machine();
    await add(requestOn(files, { containerID: 'a' }));
    await files.writeFile(`${DIRECTORY}/10.1.2.5`, '');
    await gc(requestOn(files, valid('a')));
    expect(reservations(files), 'the reservations that are valid must stay').toEqual({
      '10.1.2.2': 'a\r\neth0',
    });
    expect(contents(files), 'an empty file names no container: GC must remove it').not.toHaveProperty(
      '10.1.2.5',
    );
  });

  test('removes all files of a crashed process', async () => {
    const prepare = (files: ReturnType<typeof machine>) => add(requestOn(files, { containerID: 'a' }));
    const dying = async (own: Parameters<Parameters<typeof dies>[2]>[0]) => {
      const request = requestOn(machine(), { containerID: 'b' });
      await add({ ...request, process: { ...request.process, files: own } });
    };
    for await (const { files, when } of wrecks(prepare, dying)) {
      await gc(requestOn(files, valid('a')));
      const left = Object.keys(everything(files)).filter(
        (name) => !['10.1.2.2', 'lock', 'last_reserved_ip.0'].includes(name),
      );
      expect(
        left,
        `the process died while it reserved (${when}): GC must remove its reservation and its draft`,
      ).toEqual([]);
    }
  });

  test('fails without a list, and releases nothing', async () => {
    const files = machine();
    await add(requestOn(files, { containerID: 'a' }));
    expect(
      await answer(files, 'GC'),
      'GC without cni.dev/valid-attachments must fail with code 7',
    ).toMatchObject({ code: 7 });
    expect(reservations(files), 'GC without cni.dev/valid-attachments must remove nothing').toEqual({
      '10.1.2.2': 'a\r\neth0',
    });
  });

  test('waits for the lock', async () => {
    const files = machine();
    await add(requestOn(files, { containerID: 'a' }));
    const unlock = await files.forProcess().flock(`${DIRECTORY}/lock`);
    const collected = gc(requestOn(files, valid())).then(() => 'done');
    expect(await soFar(collected), 'GC must wait while another process holds the lock').toBe('waits');
    expect(reservations(files), 'GC must remove nothing before it holds the lock').toEqual({
      '10.1.2.2': 'a\r\neth0',
    });
    await unlock();
    expect(await soFar(collected), 'GC must run when the lock is free').toBe('done');
  });

  test('succeeds in an empty store', async () => {
    expect(
      await run(machine(), 'GC', valid('a')),
      'GC succeeds without any reservation, and prints nothing',
    ).toEqual({ code: 0, stdout: '', stderr: '' });
  });
});
